import { compare } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountSummary } from '../../../shared/ipc/reads/account.ts'
import type { AccountSource } from '../../../shared/ipc/reads/account-history.ts'
import buttonStyles from '../../kit/button.module.css'
import { cx } from '../../kit/cx.ts'
import { Link } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Skeleton } from '../../kit/layout/placeholders.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, mostHealth, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { ServiceWord } from '../../kit/visible-text.tsx'
import { sourceWords } from '../../parts/account-source.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import { overviewText } from '../../text/en/overview.en.tsx'
import styles from './overview.module.css'

/** Health factor at which positions are liquidated, and below which the panel warns (account, `health_factor`). */
const health = { liquidation: '1', care: '2' } as const

const healthTone = (factor: string): 'ok' | 'warn' | 'bad' =>
  compare(factor, health.care) >= 0 ? 'ok' : compare(factor, health.liquidation) > 0 ? 'warn' : 'bad'

function MarginBar({ summary }: { readonly summary: AccountSummary }) {
  const used = summary.marginUsedPercent
  return (
    <div className={styles.accountBar}>
      <div className={styles.accountTrack} role="img" aria-label={used === null ? overviewText.marginUseUnknown : overviewText.marginUsed(used)}>
        {used === null ? null : <i style={{ width: `${Math.min(100, Math.max(0, Number(used)))}%` }} />}
      </div>
      <p>
        <span>{overviewText.used(<Percent value={used} decimals={1} />)}</span>
        <span>{overviewText.free(<Amount value={summary.freeMargin} decimals={2} unit="USDC" />)}</span>
      </p>
    </div>
  )
}

interface AccountPanelProps {
  readonly summary: (AccountSummary & { readonly source: AccountSource }) | undefined
  readonly failure: Failure | null
  readonly onRetry: () => void
}

/** The account's equity, and how much of it is in use. */
export function AccountPanel({ summary, failure, onRetry }: AccountPanelProps) {
  if (summary === undefined && failure !== null) {
    return (
      <Panel title={overviewText.account}>
        <FailurePanel failure={failure} onRetry={onRetry} level={3} />
      </Panel>
    )
  }
  return (
    <Panel
      title={overviewText.account}
      end={
        summary === undefined ? undefined : failure === null ? (
          <span className={cx(textStyles.muted, styles.small)}>{overviewText.readAgo(<Time ms={summary.readAtMs} />, sourceWords(summary.source))}</span>
        ) : (
          <span className={cx(textStyles.warn, styles.small)}>{overviewText.staleRead(<Time ms={summary.readAtMs} />, sourceWords(summary.source))}</span>
        )
      }
    >
      <div className={styles.accountTop}>
        {summary === undefined ? null : (
          <span className={styles.accountMove}>
            <Link className={cx(buttonStyles.button, buttonStyles.sm)} to="trade/collateral/deposit?over=overview">
              {overviewText.deposit}
            </Link>
            <Link className={cx(buttonStyles.button, buttonStyles.sm)} to="trade/collateral/withdraw?over=overview">
              {overviewText.withdraw}
            </Link>
          </span>
        )}
        <p className={styles.big}>
          {summary === undefined ? <Skeleton width={180} height={24} /> : <Amount value={summary.equity} decimals={2} unit="USDC" />}
        </p>
        <p>
          {summary === undefined ? (
            <Skeleton width={140} />
          ) : (
            <>
              <Amount value={summary.unrealisedPnl} decimals={2} signed unit="USDC" /> <span className={textStyles.muted}>{overviewText.unrealised}</span>
            </>
          )}
        </p>
      </div>
      {summary === undefined ? <div className={styles.accountBar} /> : <MarginBar summary={summary} />}
      <dl className={styles.accountSummary}>
        <div>
          <dt>{overviewText.collateralUsdc}</dt>
          <dd>{summary === undefined ? <Skeleton width={70} /> : <Amount value={summary.collateral} decimals={2} />}</dd>
        </div>
        <div>
          <dt>{overviewText.health}</dt>
          <dd>
            {summary === undefined ? (
              <Skeleton width={40} />
            ) : (
              <>
                {summary.healthFactor === null ? null : <span className={cx(marksStyles.dot, marksStyles[healthTone(summary.healthFactor)])} />}{' '}
                <Amount isShown value={summary.healthFactor} decimals={2} most={mostHealth} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{overviewText.state}</dt>
          <dd>{summary === undefined ? <Skeleton width={40} /> : <ServiceWord word={summary.liquidationState} />}</dd>
        </div>
      </dl>
      <MoreFields className={styles.accountMore} of={overviewText.theAccount} fields={summary?.unknownFields ?? null} />
    </Panel>
  )
}
