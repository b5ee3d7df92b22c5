import type { CollateralBalance } from '../../../shared/ipc/reads/account.ts'
import { Coin } from '../../kit/coin.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { SkeletonRows } from '../../kit/layout/skeleton.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { MissingNote } from '../../parts/missing-note.tsx'
import styles from './account.module.css'
import type { TabRead } from './wallet-view.ts'

/** What the exchange holds of each token, and what the wallet does by itself. */
export function BalancesTab({ read: { rows, missing, failure, retry } }: { readonly read: TabRead<CollateralBalance> }) {
  if (rows === undefined && failure !== null) return <FailurePanel failure={failure} onRetry={retry} />
  if (rows?.length === 0) return <Empty title="No collateral">What is deposited stands here, token by token.</Empty>
  return (
    <div className={styles.tableScroll} data-part="scroll">
      <MissingNote missing={missing} one="token" many="tokens" />
      <Table label="Collateral" dense busy={rows === undefined}>
        <thead>
          <tr>
            <HeadCell>Token</HeadCell>
            <HeadCell numeric>In the exchange</HeadCell>
            <HeadCell numeric>Locked</HeadCell>
            <HeadCell numeric>Free to withdraw</HeadCell>
            <HeadCell numeric>In the wallet</HeadCell>
            <HeadCell>Contract</HeadCell>
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonRows rows={2} columns={6} numeric={[1, 2, 3, 4]} />
        ) : (
          <tbody>
            {rows.map((balance) => (
              <tr key={balance.asset}>
                <td>
                  <span className={marksStyles.market}>
                    <Coin base={balance.asset} />
                    <b>{balance.asset}</b>
                  </span>
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.balance} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.locked} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.withdrawable} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.walletBalance} minDecimals={2} missing="The chain did not answer, or the contract is not known" />
                </td>
                <td>
                  {balance.contract === null ? <span className={textStyles.muted}>—</span> : <code className={textStyles.muted}>{balance.contract}</code>}
                </td>
              </tr>
            ))}
          </tbody>
        )}
      </Table>
    </div>
  )
}
