import { useEffect, useMemo, useState } from 'react'
import { compare } from '../../../shared/decimal.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Input } from '../../kit/input.tsx'
import { Link, useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { Table } from '../../kit/layout/table.tsx'
import { Segments, TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { MarketName } from '../../kit/market-marks.tsx'
import { Amount, Percent, ShownAmounts } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { MissingNote } from '../../parts/failure-note.tsx'
import { marketsText } from '../../text/en/markets.en.tsx'
import { ExchangeView } from './exchange-view.tsx'
import { LiquidationsView } from './liquidations-view.tsx'
import { marketRows, matches } from './market-rows.ts'
import { MarketTable, useFavourites } from './market-table.tsx'
import { MarketView } from './market-view.tsx'
import styles from './markets.module.css'
import { missing, ReadAge, Unread } from './read-age.tsx'
import { TokenView, VaultView } from './token-view.tsx'

const tabs = [
  { value: 'list', label: marketsText.allMarkets },
  { value: 'liquidations', label: marketsText.liquidations },
  { value: 'exchange', label: marketsText.exchange },
] as const
type TabName = (typeof tabs)[number]['value']

/** Sections of the exchange tab that have their own address. Opening the address scrolls to the section. */
const exchangeParts: ReadonlySet<string> = new Set(['vault', 'token'])

function tabOf(part: string | undefined): TabName | null {
  if (part === undefined) return 'list'
  return exchangeParts.has(part) ? 'exchange' : (tabs.find(({ value }) => value === part)?.value ?? null)
}

function useMarkets() {
  const list = useIpcQuery('markets.list', {}, { every: 60 * second })
  const summaries = useIpcQuery('markets.summaries', {}, { every: 2 * second })
  const said = summaries.data?.summaries ?? []
  const newest = said.reduce<number | null>((latest, { priceAtMs }) => (priceAtMs === null ? latest : Math.max(latest ?? 0, priceAtMs)), null)
  return {
    list,
    markets: list.data?.markets ?? [],
    summaries: said,
    /** When the service created the newest price. If the service does not report this time: when the app read the prices. */
    atMs: newest ?? summaries.data?.readAtMs ?? null,
    source: summaries.data?.source ?? null,
    failed: summaries.error !== null,
  }
}

/**
 * The markets pages: `markets` is the table, `markets/<id>` one market. `markets/liquidations` and `markets/exchange` (with the sections `vault` and
 * `token`) are about all markets.
 */
export function MarketsPage() {
  const { rest } = usePlace()
  const navigate = useNavigate()
  const { list, markets, summaries, atMs, source, failed } = useMarkets()
  const [part] = rest
  const tab = tabOf(part)
  if (tab === null) {
    const market = markets.find((one) => String(one.id) === part) ?? markets.find((one) => one.symbol === part)
    if (market !== undefined) {
      const summary = summaries.find(({ id }) => id === market.id) ?? null
      return <MarketView key={market.id} market={market} markets={markets} summary={summary} readAtMs={atMs} source={source} failed={failed} />
    }
  }
  return (
    <ShownAmounts>
      <div
        className={tab === 'list' || tab === 'liquidations' ? cx(panelStyles.page, styles.marketsPage, styles.list) : cx(panelStyles.page, styles.marketsPage)}
      >
        <div className={panelStyles.pageHead}>
          <h1>{marketsText.markets}</h1>
          <div className={panelStyles.end}>
            <ReadAge atMs={atMs} source={source} failed={failed} staleAfterMs={8 * second} />
          </div>
        </div>
        <Tabs
          label={marketsText.markets}
          id="mk"
          tabs={tabs}
          value={tab ?? 'list'}
          onChange={(value) => navigate(value === 'list' ? 'markets' : `markets/${value}`)}
        />
        <TabPanel id="mk" value={tab ?? 'list'} className={styles.marketBody}>
          {tab === 'list' ? <FavouriteStrip markets={markets} summaries={summaries} /> : null}
          {tab === 'liquidations' ? (
            <LiquidationsView markets={markets} />
          ) : tab === 'exchange' ? (
            <ExchangeTab part={part} />
          ) : (
            <section className={cx(panelStyles.panel, styles.marketPanel)} aria-label={marketsText.marketTable}>
              <MissingNote missing={list.data?.missing} of="market" />
              {missing(list) !== null ? (
                <Unread query={list} />
              ) : list.data === undefined ? (
                <Table label={marketsText.markets} className={styles.marketTable} busy>
                  <SkeletonRows rows={12} columns={9} numeric={[2, 3, 5, 6, 7, 8]} />
                </Table>
              ) : tab === null ? (
                <Empty
                  icon="markets"
                  title={marketsText.marketNotFound}
                  actions={
                    <Button size="sm" onClick={() => navigate('markets')}>
                      {marketsText.showAllMarkets}
                    </Button>
                  }
                >
                  {marketsText.marketNotFoundHelp}
                </Empty>
              ) : markets.length === 0 ? (
                <Empty icon="markets" title={marketsText.noMarkets}>
                  {marketsText.noMarketsHelp}
                </Empty>
              ) : (
                <MarketList markets={markets} summaries={summaries} />
              )}
            </section>
          )}
        </TabPanel>
      </div>
    </ShownAmounts>
  )
}

/** The exchange itself: its state and rules, its vault, and its own token. */
function ExchangeTab({ part }: { readonly part: string | undefined }) {
  useEffect(() => {
    if (part !== undefined && exchangeParts.has(part)) document.getElementById(`markets-${part}`)?.scrollIntoView()
  }, [part])
  return (
    <>
      <ExchangeView />
      <div id="markets-vault">
        <VaultView />
      </div>
      <div id="markets-token">
        <TokenView />
      </div>
    </>
  )
}

interface FavouriteStripProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
}

/** The user's favourite markets with their mark prices, which are updated more often than in the table. Draws nothing if there are no favourites. */
function FavouriteStrip({ markets, summaries }: FavouriteStripProps) {
  const chosen = useFavourites()
  const shown = chosen.flatMap((id) => markets.find((market) => market.id === id) ?? [])
  const pairIds = shown.map(({ id }) => id)
  const read = useIpcQuery('markets.marks', { pairIds }, { enabled: pairIds.length > 0, every: 2 * second, keepPrevious: true })
  if (shown.length === 0) return null
  return (
    <ul className={styles.marketFavourites} aria-label={marketsText.favourites}>
      {shown.map((market) => {
        const summary = summaries.find(({ id }) => id === market.id)
        const mark = read.data?.marks.find(({ pairId }) => pairId === market.id)?.mark ?? null
        const rising = summary?.change24h == null ? null : compare(summary.change24h, '0') >= 0
        return (
          <li key={market.id}>
            <Link to={`markets/${market.id}`} className={styles.marketFavourite} title={read.error === null ? undefined : marketsText.markUnread}>
              <MarketName symbol={market.symbol} base={market.base} />
              <span className={rising === null ? undefined : rising ? textStyles.up : textStyles.down}>
                {rising === null ? null : <Icon name={rising ? 'arrow-up' : 'arrow-down'} size={12} />}
                <Amount value={mark ?? summary?.mark ?? null} {...(market.priceDecimals === null ? {} : { decimals: market.priceDecimals })} />
              </span>
              <small>
                <Percent value={summary?.change24h ?? null} signed />
              </small>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

interface MarketListProps {
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
}

/** The table of all markets. The user filters it by a search text or by favourites. */
function MarketList({ markets, summaries }: MarketListProps) {
  const favourites = useFavourites()
  const [typed, setTyped] = useState('')
  const [which, setWhich] = useState<'all' | 'favourites'>('all')
  const rows = useMemo(() => marketRows(markets, summaries), [markets, summaries])
  const kept = rows.filter(({ market }) => favourites.includes(market.id))
  const shown = (which === 'all' ? rows : kept).filter(({ market }) => matches(market, typed))
  const ids = useMemo(() => markets.map(({ id }) => id), [markets])
  return (
    <>
      <div className={cx(panelStyles.panelHead, styles.marketBar)}>
        <Segments
          label={marketsText.show}
          choices={[
            {
              value: 'all',
              label: <>{marketsText.allCount(<span className={textStyles.muted}>{rows.length}</span>)}</>,
            },
            {
              value: 'favourites',
              label: <>{marketsText.favouritesCount(<span className={textStyles.muted}>{kept.length}</span>)}</>,
            },
          ]}
          value={which}
          onChange={setWhich}
        />
        <div className={panelStyles.end}>
          <Input
            id="mk-search"
            type="search"
            icon="search"
            aria-label={marketsText.searchMarkets}
            placeholder={marketsText.searchMarkets}
            value={typed}
            onChange={setTyped}
          />
        </div>
      </div>
      {shown.length > 0 ? (
        <MarketTable rows={shown} allIds={ids} favourites={favourites} />
      ) : typed.trim() !== '' ? (
        <Empty
          icon="search"
          title={marketsText.noMatches}
          actions={
            <Button size="sm" onClick={() => setTyped('')}>
              {marketsText.clearSearch}
            </Button>
          }
        >
          {which === 'all' ? marketsText.noMatchesHelp : marketsText.noFavouriteMatches}
        </Empty>
      ) : (
        <Empty
          icon="star"
          title={marketsText.noFavouritesYet}
          actions={
            <Button size="sm" onClick={() => setWhich('all')}>
              {marketsText.showAllMarkets}
            </Button>
          }
        >
          {marketsText.noFavouritesHelp}
        </Empty>
      )}
    </>
  )
}
