import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { useWallet, useWalletActions } from '../wallet/wallet-provider.tsx'
import { chainName } from './wallet-chip.tsx'

/** Across every page: what stands between the user and a signature. */
export function WalletBanner() {
  const status = useWallet((state) => state.status)
  const relay = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  if (status.kind === 'wrong_chain') {
    return (
      <div className="frame-banner">
        <Banner
          tone="warn"
          icon="swap"
          title={`The wallet is on ${chainName(status.wallet.chainId)}.`}
          actions={
            <Button size="xs" onClick={() => void switchChain()}>
              Switch to {chainName(status.expected)}
            </Button>
          }
        >
          This exchange lives on {chainName(status.expected)}; nothing is sent to the wallet until it is there too.
        </Banner>
      </div>
    )
  }
  if (status.kind === 'connected' && relay === 'down') {
    return (
      <div className="frame-banner">
        <Banner icon="relay" title="The wallet relay is out of reach.">
          Reading goes on. Signing works again as soon as it is back; it is tried every few seconds.
        </Banner>
      </div>
    )
  }
  return null
}
