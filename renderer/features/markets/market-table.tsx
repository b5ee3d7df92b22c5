import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { compare, formatDecimal, signOf } from '../../../shared/decimal.ts'
import { minute } from '../../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { pressed } from '../../kit/key-bindings.ts'
import { LongRows } from '../../kit/layout/long-rows.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { HeadCell, Table, useRowWindow } from '../../kit/layout/table.tsx'
import { MarketName } from '../../kit/market-marks.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { clockText } from '../../kit/time/countdown-ring.tsx'
import { titleTime, useNow } from '../../kit/time/time.tsx'
import { linePath, scaleOf } from '../../kit/time/time-picture.tsx'
import { ServiceWord } from '../../kit/visible-text.tsx'
import { marketsText } from '../../text/en/markets.en.tsx'
import { InterestSplit, shortUsdc } from './interest-split.tsx'
import { firstOrder, type MarketRow, orderOf, type SortKey, type SortOrder } from './market-rows.ts'
import styles from './markets.module.css'

interface MarketTableProps {
  readonly rows: readonly MarketRow[]
  /** The ids of all markets of the catalogue, including those that a filter hides. */
  readonly allIds: readonly number[]
  readonly favourites: readonly number[]
}

const columns: readonly { readonly key: SortKey | null; readonly label: string; readonly numeric: boolean; readonly className?: string | undefined }[] = [
  { key: 'symbol', label: marketsText.market, numeric: false },
  { key: 'mark', label: marketsText.mark, numeric: true },
  { key: 'change', label: marketsText.change24h, numeric: true },
  { key: null, label: marketsText.last24h, numeric: false, className: styles.marketDay },
  { key: 'volume', label: marketsText.volume24hUsdc, numeric: true },
  { key: 'interest', label: marketsText.openInterestUsdc, numeric: true },
  { key: 'funding', label: marketsText.fundingPerHour, numeric: true },
  { key: 'next', label: marketsText.fundingPaidIn, numeric: true },
]

const rowPx = 40

interface RowProps {
  readonly row: MarketRow
  readonly index: number
  readonly favourite: boolean
  readonly closes: readonly string[] | undefined
  readonly nowMs: number
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const key = pressed(event, 'rowDown', 'rowUp')
  if (key === null) return
  const line = event.currentTarget.closest('tr')
  const next = key === 'rowDown' ? line?.nextElementSibling : line?.previousElementSibling
  event.preventDefault()
  next?.querySelector<HTMLElement>('[data-part=name]')?.focus()
}

function Line({ row: { market, summary }, index, favourite, closes, nowMs }: RowProps) {
  const navigate = useNavigate()
  const to = `markets/${market.id}`
  const open = market.status === null || market.status.toLowerCase() === 'open'
  const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
  const next = summary?.nextFundingAtMs ?? null
  return (
    <tr aria-rowindex={index + 2} onClick={() => navigate(to)}>
      <td className={styles.starCell}>
        <FavouriteStar pairId={market.id} symbol={market.symbol} on={favourite} />
      </td>
      <td>
        <Link to={to} className={styles.marketName} data-part="name" onClick={(event) => event.stopPropagation()} onKeyDown={move}>
          <MarketName symbol={market.symbol} base={market.base} />
        </Link>
        {open ? null : (
          <span className={cx(marksStyles.chip, marksStyles.warn)}>
            <ServiceWord word={market.status} />
          </span>
        )}
      </td>
      <td className={textStyles.right}>
        <b className={rising === null ? styles.marketMark : rising ? cx(styles.marketMark, textStyles.up) : cx(styles.marketMark, textStyles.down)}>
          {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} size={12} />}
          <Amount value={summary?.mark ?? null} {...(market.priceDecimals === null ? {} : { decimals: market.priceDecimals })} />
        </b>
      </td>
      <td className={textStyles.right}>
        <Percent value={summary?.change24h ?? null} signed />
      </td>
      <td className={styles.marketDay}>
        <Sparkline symbol={market.symbol} closes={closes} mark={summary?.mark ?? null} change={summary?.change24h ?? null} />
      </td>
      <td className={textStyles.right}>{summary?.volume24hUsdc == null ? <Amount value={null} /> : shortUsdc(summary.volume24hUsdc)}</td>
      <td className={textStyles.right}>
        <InterestSplit summary={summary} />
      </td>
      <td className={textStyles.right}>
        <Percent value={summary?.fundingRate ?? null} decimals={4} signed />
      </td>
      <td className={cx(textStyles.right, textStyles.muted)}>
        {next === null ? (
          '—'
        ) : (
          <time dateTime={new Date(next).toISOString()} title={titleTime(next)}>
            {clockText(next - nowMs)}
          </time>
        )}
      </td>
    </tr>
  )
}

/**
 * The table of markets, sorted by a column. Rows don't move when prices change: the order is computed only when the column, direction or list
 * changes, or when the user sorts again.
 */
export function MarketTable({ rows, allIds, favourites }: MarketTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const now = useNow(1_000)
  const [sort, setSort] = useState<SortOrder>(firstOrder('volume'))
  const [asked, setAsked] = useState(0)
  const trends = useIpcQuery('markets.trends', { pairIds: [...allIds] }, { enabled: allIds.length > 0, every: 5 * minute, keepPrevious: true })
  const closes = useMemo(() => new Map(trends.data?.trends.map((trend) => [trend.pairId, trend.closes])), [trends.data])

  const known = rows.some(({ summary }) => summary !== null)
  const listed = rows.map(({ market }) => market.id).join()
  const latest = useRef(rows)
  latest.current = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are sorted again only when `listed`, `known` or `asked` changes
  const order = useMemo(() => orderOf(latest.current, sort), [sort, listed, known, asked])
  const byId = useMemo(() => new Map(rows.map((row) => [row.market.id, row])), [rows])
  const sorted = order.flatMap((id) => byId.get(id) ?? [])
  const outdated = useMemo(() => orderOf(rows, sort).some((id, index) => id !== order[index]), [rows, sort, order])
  const window = useRowWindow(box, sorted.length, rowPx)

  // When the list of markets changes, for example after a search, scroll to the top. A shorter list could otherwise be out of view.
  useEffect(() => {
    if (box.current !== null && listed !== '') box.current.scrollTop = 0
  }, [listed])

  const choose = (key: SortKey) => setSort((last) => (last.key === key ? { key, down: !last.down } : firstOrder(key)))
  return (
    <>
      <div ref={box} className={styles.marketScroll} data-part="scroll">
        <Table label={marketsText.markets} className={styles.marketTable} rows={sorted.length + 1}>
          <thead>
            <tr>
              <th scope="col" className={styles.starCell}>
                <span className={textStyles.screenReaderOnly}>{marketsText.favourite}</span>
              </th>
              {columns.map(({ key, label, numeric, className }) =>
                key === null ? (
                  <th key={label} scope="col" className={className}>
                    {label}
                  </th>
                ) : (
                  <HeadCell
                    key={label}
                    numeric={numeric}
                    sort={sort.key === key ? (sort.down ? 'descending' : 'ascending') : 'none'}
                    onSort={() => choose(key)}
                  >
                    {label}
                  </HeadCell>
                ),
              )}
            </tr>
          </thead>
          <LongRows
            window={window}
            count={sorted.length}
            columns={columns.length + 1}
            row={(index) => {
              const row = sorted[index]
              if (row === undefined) return null
              const { id } = row.market
              return <Line key={id} row={row} index={index} favourite={favourites.includes(id)} closes={closes.get(id)} nowMs={now} />
            }}
          />
        </Table>
      </div>
      {outdated ? (
        <div className={cx(panelStyles.panelFoot, styles.marketSort)}>
          <span>{marketsText.pricesMoved}</span>
          <Button size="xs" icon="refresh" onClick={() => setAsked((count) => count + 1)}>
            {marketsText.sortAgain}
          </Button>
        </div>
      ) : null}
    </>
  )
}

interface SparklineProps {
  readonly symbol: string
  readonly closes: readonly string[] | undefined
  readonly mark: string | null
  /** The day's price change as the service reports it. It sets the colour of the line, so that line and number always agree. */
  readonly change: string | null
}

/** Draws a market's price over the last day, hour by hour, up to its current mark price. */
function Sparkline({ symbol, closes, mark, change }: SparklineProps) {
  const values = [...(closes ?? []), ...(mark === null || closes === undefined ? [] : [mark])]
  const points = values.map((value, index) => ({ atMs: index, value: Number(value) }))
  const scale = scaleOf(points, false)
  const [first] = values
  const last = values.at(-1)
  if (scale === null || first === undefined || last === undefined) return <span className={styles.marketSpark} />
  const rising = (change === null ? compare(last, first) : signOf(change)) >= 0
  return (
    <svg
      className={rising ? cx(styles.marketSpark, textStyles.up) : cx(styles.marketSpark, textStyles.down)}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={marketsText.last24hFromTo(symbol, formatDecimal(first), formatDecimal(last))}
    >
      <path d={linePath(scale, points, false)} />
    </svg>
  )
}

/** The user's favourite markets of this profile, in the order chosen; empty until read. */
export const useFavourites = (): readonly number[] => useIpcQuery('markets.favourites', {}).data?.pairIds ?? []

export function FavouriteStar({ pairId, symbol, on }: { readonly pairId: number; readonly symbol: string; readonly on: boolean }) {
  const set = useIpcCommand('markets.setFavourite')
  return (
    <button
      type="button"
      className={on ? cx(styles.marketStar, styles.on) : styles.marketStar}
      aria-pressed={on}
      aria-label={marketsText.favouriteMarket(symbol)}
      title={on ? marketsText.removeFromFavourites : marketsText.addToFavourites}
      onClick={(event) => {
        event.stopPropagation()
        set.mutate({ pairId, favourite: !on })
      }}
    >
      <Icon name="star" />
    </button>
  )
}
