import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Output } from '../../../shared/ipc/contract.ts'
import { placesOrder } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { causesTrades, type Filled, filledBy } from '../../../shared/positions.ts'
import { second } from '../../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Side } from '../../kit/market-marks.tsx'
import { Amount } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { useVisible } from '../../kit/time/time.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import styles from '../parts/signing.module.css'

/**
 * Returns the position in the order's market. `none`: no open position. `null`: unknown, because positions may be missing from the list, or because
 * the market has several open positions.
 */
export function positionIn(
  pairId: number | null,
  { positions, missing }: Pick<Output<'account.positions'>, 'positions' | 'missing'>,
): Position | 'none' | null {
  if (pairId === null || missing.unreadable > 0 || missing.more) return null
  const [first, another] = positions.filter((position) => position.pairId === pairId)
  return first === undefined ? 'none' : another === undefined ? first : null
}

const readEvery = 5 * second

const trades = { watch: null, table: 'trades' } as const
const newestTrades = { ...trades, symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 200 }

/**
 * Reads the fills of a final order with an API key. `no_key`: no API key may read the account. `not_yet`: the trades do not contain
 * the fill yet. Returns `null` until the trades are read, and if the chain reverted the final order, because trades read before the revert would
 * then be counted twice.
 */
function useFilled(intent: Intent): Filled | 'no_key' | 'not_yet' | null {
  const isFinal = intent.state === 'FINAL'
  const wasFinal = useRef(false)
  const [takenBack, setTakenBack] = useState(false)
  useEffect(() => {
    if (isFinal) wasFinal.current = true
    else if (wasFinal.current) setTakenBack(true)
  }, [isFinal])
  const wanted = isFinal && !takenBack && causesTrades(intent.action)
  const visible = useVisible()
  const page = useIpcQuery('account.history', newestTrades, { enabled: wanted }).data
  const { mutate: readNewer } = useIpcCommand('account.readNewer')
  const ready = wanted && visible && page !== undefined
  const withKey = page?.source.route === 'versioned'
  useEffect(() => {
    if (!ready) return
    const look = () => readNewer({ ...trades, show: true })
    // The cached rows may be older than the order, so read them again immediately.
    look()
    if (!withKey) return
    const timer = setInterval(look, readEvery)
    return () => clearInterval(timer)
  }, [ready, withKey, readNewer])
  if (!wanted || page === undefined) return null
  return withKey ? (filledBy(intent, page) ?? 'not_yet') : 'no_key'
}

const Figure = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface FillResultProps {
  readonly intent: Intent
  /** When the order became final, in Unix milliseconds. A position read before this time may not include the order yet. */
  readonly finalAtMs: number
}

/** Shows the fills of a final order and the position after the order. Renders nothing for an order that may rest at the exchange without a fill. */
export function FillResult({ intent, finalAtMs }: FillResultProps) {
  const filled = useFilled(intent)
  const held = useIpcQuery('account.positions', { watch: null }, { enabled: filled !== null && typeof filled !== 'string', every: readEvery }).data
  const market = useIpcQuery('markets.list', {}).data?.markets.find(({ id }) => id === intent.pairId)
  if (filled === null || (filled === 'not_yet' && placesOrder(intent.title))) return null
  if (filled === 'no_key' || filled === 'not_yet')
    return (
      <section className={styles.got} aria-label={signingText.whatYouGot} aria-live="polite">
        <h3>{signingText.whatYouGot}</h3>
        <p className={textStyles.muted}>{filled === 'no_key' ? signingText.fillNeedsKey : signingText.fillNotYet}</p>
      </section>
    )
  const position = held === undefined || held.readAtMs < finalAtMs ? null : positionIn(intent.pairId, held)
  const [price, size] = formatsOf(market)
  return (
    <section className={styles.got} aria-label={signingText.whatYouGot} aria-live="polite">
      <h3>{signingText.whatYouGot}</h3>
      <dl>
        <Figure name={filled.fills === 1 ? signingText.fillPrice : signingText.averageFillPrice(filled.fills)}>
          <Amount value={filled.price} {...price} />
        </Figure>
        <Figure name={signingText.filledSize}>
          <Amount value={filled.size} {...size} />
        </Figure>
        <Figure name={signingText.fee}>
          <Amount value={filled.feeUsdc} minDecimals={2} unit="USDC" />
        </Figure>
        {filled.closes ? (
          <Figure name={signingText.realised}>
            <Amount value={filled.realisedPnlUsdc} minDecimals={2} unit="USDC" signed />
          </Figure>
        ) : null}
      </dl>
      {position === null ? null : (
        <>
          <h3>{signingText.positionNow}</h3>
          {position === 'none' ? (
            <p className={textStyles.muted}>{signingText.noPositionLeft}</p>
          ) : (
            <dl>
              <Figure name={signingText.positionSize}>
                <Side side={position.side} leverage={position.leverage} /> <Amount value={position.size} {...size} />
              </Figure>
              <Figure name={signingText.entryPrice}>
                <Amount value={position.entryPrice} {...rounded(market)} />
              </Figure>
              <Figure name={signingText.liquidation}>
                <Amount value={position.liquidationPrice} {...rounded(market)} />
              </Figure>
            </dl>
          )}
        </>
      )}
    </section>
  )
}

type AmountFormat = Pick<Parameters<typeof Amount>[0], 'decimals' | 'minDecimals' | 'unit'>

const formatsOf = (market: Market | undefined): readonly [price: AmountFormat, size: AmountFormat] => [
  market?.priceDecimals == null ? {} : { minDecimals: market.priceDecimals },
  { ...(market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals }), ...(market === undefined ? {} : { unit: market.base }) },
]

const rounded = (market: Market | undefined): AmountFormat => (market?.priceDecimals == null ? {} : { decimals: market.priceDecimals })
