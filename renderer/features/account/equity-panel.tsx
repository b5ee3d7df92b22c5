import type { AccountSummary } from '../../../shared/ipc/reads/account.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { Skeleton } from '../../kit/layout/skeleton.tsx'
import { Amount } from '../../kit/number.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ResultChart } from './result-chart.tsx'
import { resultCurve } from './result-curve.ts'
import { type Span, SpanChoice, spanStart } from './span-choice.tsx'
import { useReport } from './use-report.ts'
import type { WalletView } from './wallet-view.ts'

interface EquityPanelProps {
  readonly view: WalletView
  readonly summary: AccountSummary | undefined
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

/** Equity and what it is made of, and how the account came to it. */
export function EquityPanel({ view, summary, span, onSpan }: EquityPanelProps) {
  const now = useNow(minute)
  const fromMs = spanStart(span, now)
  const { report, read } = useReport(view, 'day', fromMs)
  const total = report.data?.total
  const figure = (name: string, value: string | null | undefined, signed = false) => (
    <div>
      <dt>{name}</dt>
      <dd>{value === undefined ? <Skeleton width={64} /> : <Amount value={value} decimals={2} signed={signed} />}</dd>
    </div>
  )
  return (
    <section className="panel ac-eq" aria-labelledby="ac-equity">
      <div className="eq-h">
        <div>
          <h2 id="ac-equity">Equity</h2>
          <p className="big">{summary === undefined ? <Skeleton width={180} height={24} /> : <Amount value={summary.equity} decimals={2} unit="USDC" />}</p>
        </div>
        <dl>
          {figure('Collateral', summary?.collateral)}
          {figure('Free margin', summary?.freeMargin)}
          {figure('Unrealised', summary?.unrealisedPnl, true)}
          {figure(`Realised, ${span}`, total?.realised, true)}
          {figure(`Funding, ${span}`, total?.funding, true)}
        </dl>
      </div>
      <div className="rc-head">
        <p className="rc-cap">
          Net result by day and in all: realised and funding, less fees
          {report.data === undefined || report.data.complete
            ? null
            : read.isPending
              ? `. Reading, ${report.data.read.toLocaleString('en-US')} rows so far`
              : '. Not read to its end'}
        </p>
        <SpanChoice label="Span" value={span} onChange={onSpan} />
      </div>
      {report.data === undefined ? (
        report.error === null ? (
          <div className="rc" />
        ) : (
          <FailureNote failure={failureOf(report.error)} onRetry={() => void report.refetch()} />
        )
      ) : (
        <ResultChart points={resultCurve(report.data.lines, now, fromMs)} label="Net result" />
      )}
    </section>
  )
}
