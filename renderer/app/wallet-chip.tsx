import { useDeskCommand } from '../ipc/use-desk.ts'
import buttonStyles from '../kit/button.module.css'
import { cx } from '../kit/cx.ts'
import iconStyles from '../kit/icons/icon.module.css'
import { Icon } from '../kit/icons/icon.tsx'
import { Identicon } from '../kit/icons/identicon.tsx'
import { useNavigate } from '../kit/layout/navigation.tsx'
import { Menu } from '../kit/overlay/menu.tsx'
import { useToast } from '../kit/overlay/toast.tsx'
import { shorten } from '../kit/short.ts'
import textStyles from '../kit/text.module.css'
import { useWallet, useWalletActions } from '../signing/wallet/wallet-provider.tsx'
import styles from './frame.module.css'

export const chainName = (chainId: number): string => (chainId === 8453 ? 'Base' : chainId === 1 ? 'Ethereum' : `Chain ${chainId}`)

/** The connected wallet with its chain; without one, the way to connect. */
export function WalletChip() {
  const status = useWallet((state) => state.status)
  const { disconnect, switchChain } = useWalletActions()
  const copy = useDeskCommand('app.copyText')
  const explore = useDeskCommand('app.openExternal')
  const toast = useToast()
  const navigate = useNavigate()
  if (status.kind === 'restoring') {
    return (
      <span className={styles.wallet} role="status">
        <span className={buttonStyles.spin} aria-hidden="true" />
        <span className={styles.walletWord}>Restoring wallet</span>
      </span>
    )
  }
  if (status.kind !== 'connected' && status.kind !== 'wrong_chain' && status.kind !== 'refused') {
    return (
      <button type="button" className={styles.wallet} onClick={() => navigate('connect')}>
        <Icon name="account" className={iconStyles.dim} />
        <span className={styles.walletWord}>Connect wallet</span>
      </button>
    )
  }
  const { wallet } = status
  const wrong = status.kind !== 'connected'
  const where = status.kind === 'refused' ? 'Not used here' : chainName(wallet.chainId)
  const askSwitch = async () => {
    const switched = await switchChain()
    if (!switched.ok) toast({ tone: 'warn', title: 'The wallet stayed on its chain', text: 'Switch to Base in the wallet itself.', action: null })
  }
  return (
    <Menu
      label="Wallet"
      align="end"
      entries={[
        { type: 'heading', label: `${wallet.peerName}, over WalletConnect` },
        ...(status.kind === 'wrong_chain'
          ? [{ label: `Switch to ${chainName(status.expected)}`, icon: 'swap' as const, onSelect: () => void askSwitch() }]
          : []),
        { label: 'Copy address', icon: 'copy', onSelect: () => copy.mutate({ text: wallet.address }) },
        { label: 'Open in the explorer', icon: 'external', onSelect: () => explore.mutate({ page: 'address', id: wallet.address }) },
        { type: 'separator' },
        { label: status.kind === 'refused' ? 'Unpair' : 'Disconnect', icon: 'x', danger: true, onSelect: () => void disconnect() },
      ]}
      trigger={(props) => (
        <button
          type="button"
          className={wrong ? cx(styles.wallet, styles.warn) : styles.wallet}
          aria-label={status.kind === 'refused' ? `Wallet ${shorten(wallet.address)}, not used here` : `Wallet ${shorten(wallet.address)} on ${where}`}
          {...props}
        >
          <Identicon address={wallet.address} />
          <span className={textStyles.mono}>{shorten(wallet.address)}</span>
          <span className={styles.chain}>
            {wrong ? <Icon name="warn" size={12} /> : null}
            {where}
          </span>
        </button>
      )}
    />
  )
}
