import { useState } from 'react'
import { absolute, changePercent, compare, negate } from '../../../shared/decimal.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { minute, second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import buttonStyles from '../../kit/button.module.css'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link, returnOn, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Page, Panel } from '../../kit/layout/panel.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { MarketName, Side } from '../../kit/market-marks.tsx'
import { Amount, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { titleTime, useNow, weekdayTime } from '../../kit/time/time.tsx'
import { keptFromKey, PublicNote } from '../../parts/account-source.tsx'
import { usePositions } from '../../parts/market-data/use-positions.ts'
import { useConnectedWallet } from '../../signing/wallet/wallet-provider.tsx'
import { overviewText } from '../../text/en/overview.en.tsx'
import { AccountPanel } from './account-panel.tsx'
import { KeyExpiry } from './key-expiry.tsx'
import { FirstSteps, NeedsYou } from './needs-you.tsx'
import styles from './overview.module.css'
import { Recent } from './recent.tsx'

/** Kinds of attention items that the first steps already cover. */
const firstKinds: ReadonlySet<string> = new Set(['no_key', 'sign_in_required'])

/** The start page: first the notices that need the user, then an overview of account, positions, keys and events. */
export function OverviewPage() {
  const navigate = useNavigate()
  const now = useNow(minute / 6)
  const wallet = useConnectedWallet()
  const attention = useIpcQuery('app.attention', {}, { every: 10 * second })
  const account = useIpcQuery('account.summary', { watch: null }, { every: 5 * second })
  const { positions } = usePositions(null, { every: 5 * second })
  const markets = useIpcQuery('markets.list', {})
  const keys = useIpcQuery('keys.list', {})
  const session = useIpcQuery('session.status', {})
  const intents = useIpcQuery('intents.list', { beforeMs: null, limit: 10 }, { every: 5 * second })
  const operations = useIpcQuery('activity.secrets', { limit: 10 }, { every: 5 * second })

  const failure = account.error === null ? null : failureOf(account.error)
  const why = keptFromKey(account.data?.source)
  // If the account cannot be read, use the attention list: an item `no_key` means that this computer stores no key.
  const keyHere = account.data === undefined ? attention.data?.some(({ kind }) => kind === 'no_key') === false : why?.kind !== 'api_key_required'
  const hasKey = wallet !== null && keyHere
  const answered = !account.isPending && !intents.isPending
  const isNew = answered && (wallet === null || !hasKey)
  // The user may have traded outside this app, so open positions count as a first order too.
  const hasOrder = (intents.data?.total ?? 0) > 0 || (positions?.length ?? 0) > 0
  const summaries = useIpcQuery('markets.summaries', {}, { enabled: isNew, every: 3 * second })
  const pressing = isNew ? attention.data?.filter((item) => !firstKinds.has(item.kind)) : attention.data
  // The page draws the list in another place once it knows the account. So the page remembers whether the list is open.
  const [open, setOpen] = useState(false)
  const needs = { items: pressing, open, setOpen }
  const shownKeys = keys.data?.keys ?? []
  const balance = <AccountPanel summary={account.data} failure={failure} onRetry={() => void account.refetch()} />
  const held = <PositionsStrip positions={positions ?? []} markets={markets.data?.markets ?? []} />
  return (
    <Page
      title={overviewText.overview}
      className={styles.overviewPage}
      note={
        <time dateTime={new Date(now).toISOString()} title={titleTime(now)}>
          {weekdayTime(now)}
        </time>
      }
      end={
        isNew ? undefined : (
          <>
            <Button icon="trade" onClick={() => navigate('trade')}>
              {overviewText.trade}
            </Button>
            <Button variant="primary" icon="plus" onClick={() => navigate('keys/new')}>
              {overviewText.newKey}
            </Button>
          </>
        )
      }
    >
      {isNew || (answered && !hasOrder) ? (
        <FirstSteps
          state={{
            connected: wallet !== null,
            signedIn: session.data?.state === 'active' || session.data?.state === 'ending',
            hasKey,
            hasOrder,
          }}
        />
      ) : null}
      {isNew || why === null ? null : <PublicNote why={why} />}
      {isNew ? (
        <>
          {pressing === undefined || pressing.length === 0 ? null : <NeedsYou {...needs} />}
          {wallet === null ? null : (
            <>
              {balance}
              {held}
            </>
          )}
          <MarketGlimpse markets={markets.data?.markets ?? []} summaries={summaries.data?.summaries ?? []} />
        </>
      ) : (
        <div className={styles.columns}>
          <div>
            <NeedsYou {...needs} />
            {held}
            {keys.data === undefined || shownKeys.length === 0 ? null : <KeyExpiry keys={shownKeys} active={keys.data.active} limit={keys.data.limit} />}
          </div>
          <div>
            {balance}
            <Recent intents={intents.data?.intents} operations={operations.data} />
          </div>
        </div>
      )}
    </Page>
  )
}

const most = 8

function MarketGlimpse({ markets, summaries }: { readonly markets: readonly Market[]; readonly summaries: readonly MarketSummary[] }) {
  const navigate = useNavigate()
  if (markets.length === 0) return null
  return (
    <Panel
      title={overviewText.marketsNow}
      count={overviewText.pricesNeedNoKey}
      end={
        <Link to="trade" className={cx(buttonStyles.button, buttonStyles.xs, buttonStyles.ghost)}>
          {overviewText.trade}
          <Icon name="chevron-right" size={14} />
        </Link>
      }
    >
      <Table label={overviewText.marketsNow} dense>
        <thead>
          <tr>
            <HeadCell>{overviewText.market}</HeadCell>
            <HeadCell numeric>{overviewText.mark}</HeadCell>
            <HeadCell numeric>{overviewText.change24h}</HeadCell>
            <HeadCell numeric>{overviewText.volume24hUsdc}</HeadCell>
            <HeadCell numeric>{overviewText.fundingPerHour}</HeadCell>
            <HeadCell numeric>{overviewText.leverage}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {markets.slice(0, most).map((market) => {
            const summary = summaries.find((one) => one.id === market.id)
            return (
              <tr key={market.id} onClick={() => navigate(`trade/${market.symbol}`)}>
                <td>
                  <Link to={`trade/${market.symbol}`}>
                    <MarketName symbol={market.symbol} base={market.base} />
                  </Link>
                </td>
                <td className={textStyles.right}>
                  <Amount isShown value={summary?.mark ?? null} {...(market.priceDecimals === null ? {} : { decimals: market.priceDecimals })} />
                </td>
                <td className={textStyles.right}>
                  <Percent value={summary?.change24h ?? null} signed />
                </td>
                <td className={textStyles.right}>
                  <Amount isShown value={summary?.volume24hUsdc ?? null} decimals={0} />
                </td>
                <td className={textStyles.right}>
                  <Percent value={summary?.fundingRate ?? null} decimals={4} signed />
                </td>
                <td className={cx(textStyles.right, textStyles.muted)}>{market.maxLeverage === null ? '—' : overviewText.leverageUpTo(market.maxLeverage)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Panel>
  )
}

/** How far the mark price is from the liquidation price, in percent; `null` if either is unknown. */
export function toLiquidation(position: Pick<Position, 'markPrice' | 'liquidationPrice'>): string | null {
  if (position.markPrice === null || position.liquidationPrice === null) return null
  const change = changePercent(position.markPrice, position.liquidationPrice, 1)
  return change === null ? null : absolute(change)
}

/** Below this distance from liquidation, in percent, the page warns about a position. */
const close = '10'

function Stat({ name, ...amount }: { readonly name: string } & Pick<Parameters<typeof Amount>[0], 'value' | 'decimals' | 'isShown'>) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount {...amount} />
      </dd>
    </div>
  )
}

/** The open positions side by side, each with a button to close it. If there are only a few, each also shows its prices. */
function PositionsStrip({ positions, markets }: { readonly positions: readonly Position[]; readonly markets: readonly Market[] }) {
  const navigate = useNavigate()
  if (positions.length === 0) return null
  return (
    <section className={cx(panelStyles.panel, styles.positions)} aria-label={overviewText.openPositions}>
      <ul>
        {positions.map((position) => {
          const market = markets.find((one) => one.id === position.pairId)
          const symbol = position.symbol ?? market?.symbol ?? overviewText.marketNumber(position.pairId)
          const distance = toLiquidation(position)
          const price = { isShown: true, ...(market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }) }
          const size = position.size === null || position.side === 'long' ? position.size : negate(position.size)
          return (
            <li key={`${position.pairId}/${position.side}`}>
              <Link to={`trade/${symbol}`}>
                <span className={textStyles.screenReaderOnly}>{overviewText.trade} </span>
                <span className={styles.positionWho}>
                  <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  <Side side={position.side} leverage={position.leverage} />
                </span>
                <span className={styles.positionSize}>
                  <Amount
                    value={size}
                    {...(market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })}
                    {...(market === undefined ? {} : { unit: market.base })}
                  />
                  {distance === null ? (
                    <span>{overviewText.liquidationUnknown}</span>
                  ) : (
                    <span className={compare(distance, close) < 0 ? textStyles.warn : undefined}>{overviewText.toLiquidation(distance)}</span>
                  )}
                </span>
                <dl>
                  <Stat name={overviewText.notionalUsdc} value={position.notionalUsdc} decimals={2} />
                  <Stat name={overviewText.entry} value={position.entryPrice} {...price} />
                  <Stat name={overviewText.mark} value={position.markPrice} {...price} />
                  <Stat name={overviewText.liquidation} value={position.liquidationPrice} {...price} />
                </dl>
                <b className={styles.positionPnl}>
                  <Amount value={position.unrealisedPnl} decimals={2} signed {...(positions.length === 1 ? { unit: 'USDC' } : {})} />
                </b>
                <span className={styles.positionRoe}>
                  <Percent value={returnOn(position, position.markPrice)} decimals={1} signed isOwn missing={overviewText.returnUnknown} />
                </span>
              </Link>
              {position.id === null ? null : (
                <Button
                  size="xs"
                  aria-label={overviewText.closePosition(position.side, symbol)}
                  onClick={() => navigate(`trade/position/close/${encodeURIComponent(position.id ?? '')}`)}
                >
                  {overviewText.close}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
