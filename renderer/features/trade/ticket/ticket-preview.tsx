import { type ReactNode, useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary, RiskPreview } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import type { TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount, mostHealth } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { useVisible } from '../../../kit/time/time.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'
import { NameOffer, useNaming } from '../../../parts/name-offer.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { failureText } from '../../../text/failure-text.ts'
import { priceFormat } from '../market/feed.tsx'
import styles from '../trade.module.css'
import { type BeforeAfter, cents, freeMargin, marginUsed } from './ticket-model.ts'

interface ChangeProps {
  readonly change: BeforeAfter
  readonly decimals: number
  readonly unit?: string
  readonly isShown?: boolean
  /** Whether the ticket holds an order. Without one, only the value before is shown. */
  readonly hasOrder: boolean
  /** A value above this maximum is shown as "more than" the maximum. */
  readonly most?: string
}

/** A value before and after the order. If an order's effect is unknown, the value after is shown as unknown. The unit is at the end. */
function Change({ change, decimals, unit, most, hasOrder, isShown = false }: ChangeProps) {
  const limited = { decimals, isShown, ...(most === undefined ? {} : { most }) }
  const shared = { ...limited, ...(unit === undefined ? {} : { unit }) }
  if (change.after === null && !hasOrder) return <Amount value={change.before} {...shared} />
  return (
    <>
      {change.before === null ? null : (
        <>
          <span className={textStyles.was}>
            <Amount value={change.before} {...limited} />
          </span>
          <Icon name="arrow-right" size={14} className={iconStyles.dim} />
          <span className={textStyles.screenReaderOnly}> {tradeText.becomes} </span>
        </>
      )}
      <Amount value={change.after} {...shared} />
    </>
  )
}

interface PreviewProps {
  readonly market: Market
  readonly account: AccountSummary | undefined
  readonly summary: TicketSummary | null
  readonly risk: PreviewState
}

const noPreviewYet = tradeText.fillInForPreview

const marginOf = ({ preview }: PreviewState, summary: TicketSummary | null): string | null => preview?.marginUsdc ?? summary?.margin ?? null
const isOld = ({ preview, old }: PreviewState): boolean => old && preview !== null

/**
 * The order's effect on the account: the exchange's preview, or the app's own calculation until the preview arrives. Leaves out the figures that
 * `RiskSummary` shows.
 */
export function TicketPreview({ market, account, summary, risk }: PreviewProps) {
  const { preview } = risk
  const margin = marginOf(risk, summary)
  const free = freeMargin(account, margin)
  return (
    <section className={isOld(risk) ? cx(styles.risk, styles.isOld) : styles.risk} aria-label={tradeText.riskPreview} aria-busy={isOld(risk)}>
      <Rows>
        <Row name={preview?.entryPrice == null ? tradeText.entryAbout : tradeText.entry}>
          <Amount value={preview?.entryPrice ?? summary?.entry ?? null} {...priceFormat(market)} />
        </Row>
        <Row name={tradeText.health}>
          <Change
            isShown
            hasOrder={summary !== null}
            change={{ before: preview?.healthBefore ?? account?.healthFactor ?? null, after: preview?.healthAfter ?? null }}
            decimals={2}
            most={mostHealth}
          />
        </Row>
        <Row name={tradeText.margin}>
          <Amount isShown value={margin} decimals={2} unit="USDC" />
        </Row>
        <Row
          name={tradeText.freeMarginAndLink(
            <Link className={textStyles.link} to="trade/collateral/deposit">
              {tradeText.deposit}
            </Link>,
          )}
        >
          <Change hasOrder={summary !== null} change={{ before: free.before, after: preview?.freeMarginAfterUsdc ?? free.after }} decimals={2} />
        </Row>
      </Rows>
      <MoreFields of={tradeText.theRiskPreview} fields={preview?.unknownFields ?? null} />
    </section>
  )
}

/** The order's liquidation price, margin use and cost, in the part of the ticket that is always visible. If these are missing, states why. */
export function RiskSummary({ market, account, summary, risk }: PreviewProps) {
  const { preview, failure, retry } = risk
  const naming = useNaming(retry)
  const used = marginUsed(account, marginOf(risk, summary))
  const costs = preview === null ? [] : [preview.feeUsdc, preview.networkUsdc]
  return (
    <section className={isOld(risk) ? cx(styles.riskSummary, styles.isOld) : styles.riskSummary} aria-label={tradeText.riskSummary} aria-busy={isOld(risk)}>
      <dl>
        <Row name={tradeText.liquidation}>
          <Amount value={preview?.liquidationPrice ?? null} {...priceFormat(market)} missing={preview === null ? noPreviewYet : tradeText.noLiquidationPrice} />
        </Row>
        <Row name={tradeText.marginUsed}>
          <Change
            isShown
            hasOrder={summary !== null}
            change={{ before: preview?.marginUsedBefore ?? used.before, after: preview?.marginUsedAfter ?? used.after }}
            decimals={1}
            unit="%"
          />
        </Row>
        <Row name={<span title={tradeText.feeAndNetwork}>{tradeText.feeInUsdc}</span>}>
          {costs.every((cost) => cost === null) ? (
            <Amount value={null} {...(preview === null ? { missing: noPreviewYet } : {})} />
          ) : (
            costs.map((cost) => (cost === null ? '—' : cents(cost))).join(' + ')
          )}
        </Row>
      </dl>
      <PreviewNote>
        {failure !== null ? (
          <>
            <Icon name="info" size={14} />
            <span>
              {tradeText.noPreview(failureText(failure).title)}{' '}
              {failure.kind === 'refused' && failure.offer !== undefined ? (
                <NameOffer offer={failure.offer} naming={naming} />
              ) : (
                <Button size="xs" onClick={retry}>
                  {tradeText.tryAgain}
                </Button>
              )}
            </span>
          </>
        ) : preview?.executable === false ? (
          <>
            <Icon name="warn" size={14} className={textStyles.warn} />
            <span>{tradeText.wouldNotExecute(preview.reason?.text ?? tradeText.exchangeGivesNoReason)}</span>
          </>
        ) : null}
      </PreviewNote>
    </section>
  )
}

const PreviewNote = ({ children }: { readonly children: ReactNode }) => (
  <p className={styles.riskNote} role="status">
    {children}
  </p>
)

interface PreviewState {
  /** The preview of this ticket. While it loads, the preview of the previous ticket; `null` if there is none. */
  readonly preview: RiskPreview | null
  /** True if the form has changed since the preview was made. */
  readonly old: boolean
  readonly failure: Failure | null
  readonly retry: () => void
}

const settleMs = 300
/** How often to request the preview again: price changes affect the account even if the ticket stays unchanged. */
const every = 10 * second

/**
 * The ticket's terms without its reference price, as text for comparison. An order whose reference price alone has changed is still the same order.
 */
const termsOf = (ticket: OrderTicket | null): string =>
  JSON.stringify(ticket !== null && 'referencePrice' in ticket ? { ...ticket, referencePrice: '' } : ticket)

/** A placeholder for the preview while the ticket is invalid. Never sent. */
const noTicket: OrderTicket = {
  pairId: 0,
  side: 'long',
  orderType: 'limit',
  marginMode: 'cross',
  leverage: 1,
  orderValueUsdc: '0',
  limitPrice: '0',
  timeInForce: 'gtc',
  postOnly: false,
  takeProfit: null,
  stopLoss: null,
}

/** The service's preview (`/risk/preview`) of how an order or change affects the account. Requested once the ticket stays unchanged for a moment. */
export function useRiskPreview(ticket: OrderTicket | null, allowed: boolean): PreviewState {
  const visible = useVisible()
  const [settled, setSettled] = useState(ticket)
  const text = JSON.stringify(ticket)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as OrderTicket | null), settleMs) // the cast is safe: `text` is the JSON text of `ticket`
    return () => clearTimeout(timer)
  }, [text])

  const query = useIpcQuery(
    'account.riskPreview',
    { ticket: settled ?? noTicket },
    { enabled: allowed && settled !== null && ticket !== null, keepPrevious: true, every: visible ? every : false },
  )
  const terms = termsOf(settled)
  const [shown, setShown] = useState(terms)
  const fresh = query.data !== undefined && !query.isPlaceholderData
  useEffect(() => {
    if (fresh) setShown(terms)
  }, [fresh, terms])

  const has = allowed && ticket !== null
  return {
    preview: has ? (query.data ?? null) : null,
    old: shown !== termsOf(ticket),
    failure: has && query.error !== null ? failureOf(query.error) : null,
    retry: () => void query.refetch(),
  }
}
