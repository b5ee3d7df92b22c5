import { useMemo, useState } from 'react'
import { absolute, add, divide, formatCount, isZero, maximum, multiply, negate, signOf } from '../../../shared/decimal.ts'
import type { ReportBy, ReportSums } from '../../../shared/ipc/reads/account-history.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import { MarketName } from '../../kit/market-marks.tsx'
import { Amount } from '../../kit/number.tsx'
import { ExportMenu } from '../../kit/overlay/menu.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { Time, useNow } from '../../kit/time/time.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import { tableCutText, tableUnreadText } from '../../text/page-cut-text.ts'
import styles from './account.module.css'
import { type Span, SpanChoice, spanStart } from './history-filters.tsx'
import { partText, useReport, type WalletView } from './wallet-view.ts'

const nameless: Readonly<Record<ReportBy, { readonly name: string; readonly why: string }>> = {
  day: { name: accountText.noTime, why: accountText.noTimeGiven },
  market: { name: accountText.noMarket, why: accountText.noMarketGiven },
  key: { name: accountText.noKey, why: accountText.noKeyGiven },
}
const nameHead: Readonly<Record<ReportBy, string>> = { day: accountText.dayUtc, market: accountText.market, key: accountText.key }

interface SumsProps {
  readonly sums: ReportSums
  /** True if any line of the report lacks an amount. The table then has a column that counts the missing amounts. */
  readonly isUntold: boolean
  readonly scale: ResultScale | null
}

const Parts = ({ sums, scale }: { readonly sums: ReportSums; readonly scale: ResultScale }) => (
  <svg className={styles.made} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    {scale.partsOf(sums).map(({ of, isLoss, from, width }) => (
      <rect
        key={of}
        data-made={of}
        data-loss={isLoss || undefined}
        className={cx(styles[of], isLoss ? styles.isLoss : styles.isGain)}
        x={from}
        width={width}
        height={10}
      />
    ))}
    <path className={styles.madeZero} d={`M${scale.zero} 0V10`} />
  </svg>
)

const Sums = ({ sums, isUntold, scale }: SumsProps) => (
  <>
    <td className={textStyles.right}>
      <Amount value={sums.realised} decimals={2} signed />
    </td>
    <td className={textStyles.right}>
      <Amount value={sums.fees} decimals={4} />
    </td>
    <td className={textStyles.right}>
      <Amount value={sums.funding} decimals={2} signed />
    </td>
    <td className={textStyles.right}>
      <b>
        <Amount value={sums.net} decimals={2} signed />
      </b>
    </td>
    <td className={styles.madeCell}>{scale === null ? null : <Parts sums={sums} scale={scale} />}</td>
    <td className={textStyles.right}>{formatCount(sums.trades)}</td>
    <td className={textStyles.right}>{formatCount(sums.closed)}</td>
    {isUntold ? <td className={cx(textStyles.right, textStyles.muted)}>{formatCount(sums.untold)}</td> : null}
  </>
)

interface ReportsTabProps {
  readonly view: WalletView
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

/** The report of realised results, funding and fees with exact totals, as table, chart and file. */
export function ReportsTab({ view, span, onSpan }: ReportsTabProps) {
  const { watch } = view
  const toast = useToast()
  const now = useNow(minute)
  const [by, setBy] = useState<ReportBy>('day')
  const fromMs = spanStart(span, now)
  const { report, read } = useReport(view, by, fromMs)
  const { data } = report
  const partly = data === undefined ? null : partText(data, read.isPending)
  const isPartOfDay = (name: string) => data?.wholeFromMs != null && Date.parse(name) <= data.wholeFromMs
  // Transactions and orders name the keys of trades, so a key may be found later.
  const isKeyOpen = by === 'key' && data?.complete === false
  const scale = useMemo(() => resultScale(data?.lines ?? []), [data])
  const isUntold = data !== undefined && data.total.untold > 0
  const save = useIpcCommand('account.exportReport')
  const stop = useIpcCommand('account.stopReading')
  const write = (format: 'csv' | 'json') =>
    save.mutate(
      { watch, by, fromMs, format },
      {
        onSuccess: ({ state, rows, path, incomplete }) => {
          if (state !== 'saved') return
          const text = incomplete ? `${accountText.fileIncomplete} ${path ?? ''}` : (path ?? '')
          toast({ tone: incomplete ? 'warn' : 'ok', title: accountText.reportSaved(formatCount(rows), rows), text, action: null })
        },
      },
    )
  return (
    <>
      <div className={styles.tableBar}>
        <Segments
          label={accountText.by}
          choices={[
            { value: 'day', label: accountText.day },
            { value: 'market', label: accountText.market },
            { value: 'key', label: accountText.key },
          ]}
          value={by}
          onChange={setBy}
        />
        <SpanChoice label={accountText.reportPeriod} value={span} onChange={onSpan} />
        <span className={panelStyles.end}>
          <ExportMenu label={accountText.exportReport} busy={save.isPending} onExport={write} />
        </span>
      </div>
      {read.error === null ? null : (
        <FailureNote failure={failureOf(read.error)} onRetry={() => read.mutate({ watch, by, fromMs })} retrying={read.isPending} />
      )}
      {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
      {data === undefined && report.error !== null ? (
        <FailurePanel failure={failureOf(report.error)} onRetry={() => void report.refetch()} retrying={report.isFetching} />
      ) : data !== undefined && data.lines.length === 0 && data.complete ? (
        <Empty icon="doc" title={accountText.nothingToReport}>
          {accountText.nothingToReportHelp}
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.tableScroll} data-part="scroll" aria-label={accountText.report} tabIndex={0}>
          <Table label={accountText.report} dense busy={data === undefined} className={styles.tableReport}>
            <thead>
              <tr>
                <HeadCell>
                  {nameHead[by]}
                  {partly === null || by === 'day' ? null : <span className={textStyles.warn}> {partly}</span>}
                </HeadCell>
                <HeadCell numeric>{accountText.realisedUsdc}</HeadCell>
                <HeadCell numeric>
                  <i className={cx(styles.madeKey, styles.fees)} />
                  {accountText.fees}
                </HeadCell>
                <HeadCell numeric>
                  <i className={cx(styles.madeKey, styles.funding)} />
                  {accountText.funding}
                </HeadCell>
                <HeadCell numeric>{accountText.net}</HeadCell>
                <HeadCell>{accountText.lostAndGained}</HeadCell>
                <HeadCell numeric>{accountText.trades}</HeadCell>
                <HeadCell numeric>{accountText.closed}</HeadCell>
                {isUntold ? <HeadCell numeric>{accountText.amountsMissing}</HeadCell> : null}
              </tr>
            </thead>
            {data === undefined ? (
              <SkeletonRows rows={6} columns={8} numeric={[1, 2, 3, 4, 6, 7]} />
            ) : (
              <tbody>
                <tr className={styles.tableTotal}>
                  <td>
                    {accountText.total}
                    {partly === null ? null : <span className={textStyles.warn}> {partly}</span>}
                  </td>
                  <Sums sums={data.total} isUntold={isUntold} scale={null} />
                </tr>
                {data.lines.map((line) => (
                  <tr key={line.name ?? ''}>
                    <td>
                      {line.name === null ? (
                        <span className={textStyles.muted} title={isKeyOpen ? accountText.keyNotKnownYetWhy : nameless[by].why}>
                          {isKeyOpen ? accountText.keyNotKnownYet : nameless[by].name}
                        </span>
                      ) : by === 'market' ? (
                        <MarketName symbol={line.name.slice(0, 24)} />
                      ) : (
                        <>
                          <VisibleText text={line.name.slice(0, 80)} />
                          {by === 'day' && isPartOfDay(line.name) ? <span className={textStyles.warn}> {partly}</span> : null}
                        </>
                      )}
                    </td>
                    <Sums sums={line} isUntold={isUntold} scale={scale} />
                  </tr>
                ))}
              </tbody>
            )}
          </Table>
        </section>
      )}
      <div className={cx(panelStyles.panelFoot, styles.tableFoot)} data-part="foot" aria-live="polite">
        <span>{accountText.reportHelp}</span>
        {data?.cut === true ? (
          <span className={textStyles.warn}>
            {tableCutText} {accountText.sumsLeaveOut}
          </span>
        ) : null}
        {data?.unreadable === true ? (
          <span className={textStyles.warn}>
            {tableUnreadText} {accountText.sumsLeaveOut}
          </span>
        ) : null}
        {data === undefined || data.complete ? null : (
          <>
            <span className={textStyles.warn}>{(read.isPending ? accountText.readingSoFar : accountText.incompleteSoFar)(formatCount(data.read))}</span>
            {read.isPending ? (
              <Button size="xs" onClick={() => stop.mutate({ watch })}>
                {accountText.stop}
              </Button>
            ) : (
              <Button size="xs" onClick={() => read.mutate({ watch, by, fromMs })}>
                {accountText.readMore}
              </Button>
            )}
          </>
        )}
        {data === undefined ? null : <span className={panelStyles.end}>{accountText.readAgo(<Time ms={data.readAtMs} />)}</span>}
      </div>
    </>
  )
}

type PartOf = 'realised' | 'funding' | 'fees'

/** One part of a result. The amount is exact USDC; a loss is negative. */
interface Part {
  readonly of: PartOf
  readonly amount: string
}

interface DrawnPart {
  readonly of: PartOf
  readonly isLoss: boolean
  readonly from: number
  readonly width: number
}

/** The common scale on which the bars of all report lines are drawn, so that the lines can be compared. */
interface ResultScale {
  readonly zero: number
  partsOf(sums: ReportSums): readonly DrawnPart[]
}

const whole = '1000'

const partsIn = ({ realised, funding, fees }: ReportSums): Part[] => {
  const amounts = [
    ['realised', realised],
    ['funding', funding],
    ['fees', fees === null ? null : negate(fees)],
  ] as const
  return amounts.flatMap(([of, amount]) => (amount === null || isZero(amount) ? [] : [{ of, amount }]))
}
const sumOf = (parts: readonly Part[], sign: 1 | -1): string =>
  parts.reduce((sum, { amount }) => (signOf(amount) === sign ? add(sum, absolute(amount)) : sum), '0')

/**
 * Computes one scale for the result bars of all report lines. Losses and payments extend left of zero, gains and receipts right of zero. Amounts
 * that the service did not report are not drawn.
 */
export function resultScale(lines: readonly ReportSums[]): ResultScale {
  const all = lines.map(partsIn)
  const most = (sign: 1 | -1) => all.reduce((so, parts) => maximum(so, sumOf(parts, sign)), '0')
  const lost = most(-1)
  const span = add(lost, most(1))
  const share = (amount: string): number => (isZero(span) ? 0 : Number(divide(multiply(amount, whole), span, 3)))
  const zero = share(lost)
  return {
    zero,
    partsOf: (sums) => {
      const ends = { left: zero, right: zero }
      return partsIn(sums).map(({ of, amount }) => {
        const isLoss = signOf(amount) < 0
        const width = share(absolute(amount))
        const from = isLoss ? ends.left - width : ends.right
        if (isLoss) ends.left -= width
        else ends.right += width
        return { of, isLoss, from, width }
      })
    },
  }
}
