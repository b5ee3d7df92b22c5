import { isZero } from '../../../../shared/decimal.ts'
import type { CollateralToken } from '../../../../shared/ipc/intents/tickets.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import type { Direction } from '../trade-sheet-place.ts'
import { walletEthText } from './collateral-model.ts'

interface WayProps {
  readonly direction: Direction
  readonly token: CollateralToken
  /** Deposits of USDC by signature are offered now. */
  readonly offered: boolean
  readonly permit: boolean
  /** null: the RPC did not answer. undefined: it is being asked. */
  readonly walletEth: string | null | undefined
  /** Its permits count only where the token asks contracts about their signatures. */
  readonly contractWallet: boolean
  readonly onPermit: (wanted: boolean) => void
}

/** How it is carried out, what the phone will ask, and whether that takes ETH (Flow rules 3 and 4). */
export function CollateralWay({ direction, token, offered, permit, walletEth, contractWallet, onPermit }: WayProps) {
  const choosable = direction === 'deposit' && token === 'USDC' && offered
  const poor = walletEth != null && isZero(walletEth)
  return (
    <div className="col-way">
      {choosable ? (
        <Segments
          label="Way"
          block
          choices={[
            { value: 'permit', label: 'One signature' },
            { value: 'transactions', label: 'Transactions' },
          ]}
          value={permit ? 'permit' : 'transactions'}
          onChange={(way) => onPermit(way === 'permit')}
        />
      ) : null}
      {choosable && contractWallet ? (
        <p className={permit ? 'warn-t' : undefined}>
          <Icon name={permit ? 'warn' : 'shield'} size={14} />
          {permit
            ? 'Your wallet is a contract. Its signature of a permit counts only where the token asks contracts about theirs (ERC-1271); if it does not, the deposit is refused.'
            : 'Your wallet is a contract, and not every token takes a permit of one. An approval and a deposit always work.'}
        </p>
      ) : null}
      {permit ? (
        <p>
          <Icon name="pen" size={14} />
          One signature for exactly this amount. An executor of the exchange sends the deposit and pays the gas: no ETH needed.
        </p>
      ) : (
        <p className={poor ? 'warn-t' : undefined}>
          <Icon name={poor ? 'warn' : 'send'} size={14} />
          <span>
            {direction === 'deposit'
              ? 'Your wallet sends an approval of exactly this amount, then the deposit. Both take a little ETH on Base.'
              : 'Your wallet sends one transaction. It takes a little ETH on Base.'}{' '}
            {walletEthText(walletEth)}
          </span>
        </p>
      )}
    </div>
  )
}
