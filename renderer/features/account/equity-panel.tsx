import { useEffect } from 'react'
import type { AccountSummary } from '../../../shared/ipc/account.ts'
import { day, minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useNow } from '../../ui/now.tsx'
import { Amount } from '../../ui/number.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ResultChart } from './result-chart.tsx'
import { resultCurve } from './result-curve.ts'
import type { WalletView } from './wallet-view.ts'

export type Span = '7d' | '30d' | '1y' | 'all'
const days: Readonly<Record<Span, number | null>> = { '7d': 7, '30d': 30, '1y': 365, all: null }

/** From the beginning of the first day of the span on; it moves with the days, not with the clock. */
export const spanStart = (span: Span, nowMs: number): number | null => {
  const length = days[span]
  return length === null ? null : (Math.floor(nowMs / day) - length + 1) * day
}

/** The report of a span, read to its end as soon as it is looked at. */
export function useReport({ watch }: WalletView, by: 'day' | 'market' | 'key', fromMs: number | null) {
  const report = useDeskQuery('account.report', { watch, by, fromMs }, { keepPrevious: true })
  const read = useDeskCommand('account.readReport')
  const { mutate } = read
  // Another wallet or span is read anew, and now and then what came since.
  useEffect(() => {
    const look = () => mutate({ watch, by, fromMs })
    look()
    const timer = setInterval(look, minute)
    return () => clearInterval(timer)
  }, [mutate, watch, by, fromMs])
  return { report, read }
}

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
        <Segments
          label="Span"
          choices={[
            { value: '7d', label: '7d' },
            { value: '30d', label: '30d' },
            { value: '1y', label: '1y' },
            { value: 'all', label: 'All' },
          ]}
          value={span}
          onChange={onSpan}
        />
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
