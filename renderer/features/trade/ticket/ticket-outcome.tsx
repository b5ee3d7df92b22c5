import { compare, formatDecimal } from '../../../../shared/decimal.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { reasonText } from '../../../../shared/text/reason-text.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import notesStyles from '../../../kit/layout/notes.module.css'
import textStyles from '../../../kit/text.module.css'
import { wantsKey } from '../../../parts/account-source.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import partsStyles from '../../../parts/parts.module.css'
import { kitText } from '../../../text/en/kit.en.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import type { OrderFlow } from '../use-order-flow.ts'

interface OutcomeProps {
  readonly order: OrderFlow
  readonly market: Pick<Market, 'priceDecimals'> | null
  readonly mark: string | null
}

type AtMarket = Extract<OrderTicket, { readonly referencePrice: string }>

/** Shown if the price moved too far or expired. The user can review the order at the new price with one press. */
function Reprice({
  ticket,
  market,
  mark,
  busy,
  onTake,
  stale,
}: {
  readonly ticket: AtMarket
  readonly market: OutcomeProps['market']
  readonly mark: string | null
  readonly busy: boolean
  readonly stale: boolean
  readonly onTake: (price: string) => void
}) {
  const decimals = market?.priceDecimals ?? null
  const format = decimals === null ? {} : { decimals }
  // The service has just refused this price and would refuse it again, so do not offer it.
  const next = mark === null || (!stale && compare(mark, ticket.referencePrice) === 0) ? null : mark
  return (
    <Note tone="warn" live title={stale ? tradeText.exchangePriceTooOld : tradeText.priceMovedTooFar} end={null}>
      <p>{stale ? tradeText.exchangePriceTooOldHelp : tradeText.priceMovedTooFarHelp(formatDecimal(ticket.referencePrice, format))}</p>
      <Button size="sm" icon="refresh" busy={busy} disabled={next === null} onClick={() => next !== null && onTake(next)}>
        {next === null ? tradeText.waitingForNewPrice : tradeText.reviewAt(formatDecimal(next, format))}
      </Button>
    </Note>
  )
}

/** The outcome of the last review if it opened no signing sheet. Used by the ticket and by all other order forms. */
export function TicketOutcome({ order, market, mark }: OutcomeProps) {
  const navigate = useNavigate()
  const settle = useIpcCommand('intents.resolve')
  const { outcome } = order
  const refusedTicket = outcome?.kind === 'failed' ? outcome.ticket : null
  const naming = useNaming(() => {
    if (refusedTicket !== null) void order.review(refusedTicket)
  })
  if (outcome === null) return null
  if (outcome.kind === 'not_executable') {
    const { prepared } = outcome
    return (
      <div className={cx(notesStyles.note, notesStyles.danger)} data-part="note" role="alert">
        <Icon name="stop" />
        <div className={textStyles.grow}>
          <b>{prepared.status === 'contract_pending' ? tradeText.notAvailableHereYet : tradeText.exchangeCannotExecute}</b>
          <p>{tradeText.nothingSignedOrCharged(prepared.reason === null ? tradeText.itGaveNoReason : reasonText(prepared.reason.why))}</p>
          <details>
            <summary>{kitText.details}</summary>
            <p className={partsStyles.requestId}>
              <span>{tradeText.response}</span>
              <code>
                {prepared.status}
                {prepared.reason === null ? '' : ` ${prepared.reason.raw}`}
              </code>
            </p>
            {prepared.requestId === null ? null : (
              <p className={partsStyles.requestId}>
                <span>{tradeText.request}</span>
                <code>{prepared.requestId}</code>
                <CopyButton text={prepared.requestId} what={tradeText.requestId} />
              </p>
            )}
          </details>
        </div>
      </div>
    )
  }
  const { failure, ticket } = outcome
  if (ticket !== null && 'referencePrice' in ticket && (failure.kind === 'price_deviation' || failure.kind === 'market_data_stale')) {
    return (
      <Reprice
        ticket={ticket}
        market={market}
        mark={mark}
        busy={order.preparing}
        stale={failure.kind === 'market_data_stale'}
        onTake={(referencePrice) => void order.review({ ...ticket, referencePrice })}
      />
    )
  }
  const intentRef = 'intentRef' in failure ? failure.intentRef : null
  return (
    <FailureNote
      failure={failure}
      folded
      {...(ticket === null ? {} : { naming })}
      actions={
        wantsKey(failure) ? (
          <Button size="xs" icon="plus" onClick={() => navigate('keys/new')}>
            {tradeText.newKey}
          </Button>
        ) : failure.kind === 'no_wallet' ? (
          <Button size="xs" onClick={() => navigate('connect')}>
            {tradeText.connect}
          </Button>
        ) : intentRef !== null ? (
          <>
            <Button size="xs" icon="activity" onClick={() => navigate(`activity/${intentRef}`)}>
              {tradeText.openInActivity}
            </Button>
            {failure.kind === 'held_back' && failure.why === 'unknown_intent_old' && ticket !== null ? (
              <Button
                size="xs"
                busy={settle.isPending || order.preparing}
                onClick={() => settle.mutate({ ref: intentRef, outcome: 'pass' }, { onSuccess: () => void order.review(ticket) })}
              >
                {tradeText.reviewAnyway}
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    />
  )
}
