import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { negate } from '../../../../shared/decimal.ts'
import type { Underway } from '../../../../shared/ipc/intents/orders.ts'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { exitPrice } from '../../../../shared/positions.ts'
import { sameId } from '../../../../shared/same-id.ts'
import { pairOf } from '../../../../shared/ticket/actions/check-action.ts'
import { type InvertField, readInvert } from '../../../../shared/ticket/actions/close-ticket.ts'
import type { ReplaceState } from '../../../../shared/ticket/actions/replace-ticket.ts'
import { priceWithin } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { seenOrder, seenPosition } from '../../../../shared/ticket/form/ticket-state.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Side } from '../../../kit/market-marks.tsx'
import { Amount } from '../../../kit/number.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { useStillBefore } from '../../../kit/time/time.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { priceFormat, sizeFormat, useSummaries } from '../market/feed.tsx'
import { OrderSheet } from '../order-sheet.tsx'
import { SlippageEntry } from '../ticket/ticket-fields.tsx'
import { freshUntil } from '../ticket/ticket-model.ts'
import { TicketOutcome } from '../ticket/ticket-outcome.tsx'
import styles from '../trade.module.css'
import type { ExecutionForms } from '../use-execution-forms.tsx'
import { type OrderFlow, useOrderFlow } from '../use-order-flow.ts'
import { CloseSheet } from './close-sheet.tsx'
import { FormSheet, useRowForm } from './form-sheet.tsx'
import { LeverageSheet, MarginSheet } from './margin-sheet.tsx'
import { ReplaceSheet } from './replace-order-sheet.tsx'
import { ChangeRow, LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { closingMarket, oldPrice, type PositionForm, type PositionStart, symbolOf } from './row-subjects.ts'
import { TpSlSheet } from './tp-sl-sheet.tsx'

const controls: Readonly<Record<InvertField, string>> = { slippage: 'row-slippage', referencePrice: 'row-slippage' }

/** Closes a position and opens the same size on the other side, at market. */
function InvertSheet(given: PositionForm) {
  const { position, seen, market, mark, fresh, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const form = useRowForm<{ readonly slippagePercent: string }, InvertField>({ slippagePercent: '0.5' }, order)
  const reading = readInvert(form.state.slippagePercent, seen, mark)
  const errorAt = (field: InvertField) => form.errorAt(reading.errors, field)
  const other = position.side === 'long' ? 'short' : 'long'
  const wait = fresh ? null : oldPrice
  const { ticket } = reading
  const risk = useRowRisk(ticket)
  const signed = (side: 'long' | 'short') => (position.size === null ? null : side === 'short' ? negate(position.size) : position.size)
  return (
    <FormSheet
      title={tradeText.invertTitle(position.side, symbolOf(given))}
      lead={tradeText.invertLead(position.side, other)}
      icon="swap"
      review={tradeText.reviewInversion(other)}
      order={order}
      market={market}
      mark={mark}
      wait={wait}
      issue={errorAt('referencePrice')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, wait === null)}
      onClose={onClose}
    >
      <SlippageEntry
        value={form.state.slippagePercent}
        error={errorAt('slippage')}
        onChange={(slippagePercent) => form.edit({ slippagePercent })}
        onBlur={() => form.touch('slippage')}
      />
      <Rows className={styles.risk}>
        <Row name={tradeText.side}>
          <Side side={position.side} />
          <Icon name="arrow-right" size={14} className={iconStyles.dim} />
          <span className={textStyles.screenReaderOnly}> {tradeText.becomes} </span>
          <Side side={other} />
        </Row>
        <ChangeRow name={tradeText.size} before={signed(position.side)} after={signed(other)} {...sizeFormat(market)} unit={market.base} />
        <Row name={tradeText.priceAbout}>
          <Amount value={mark} {...priceFormat(market)} />
        </Row>
        <Row name={tradeText.worstPrice}>
          <Amount
            value={ticket === null ? null : priceWithin(position.side === 'long' ? 'sell' : 'buy', ticket.referencePrice, ticket.maxSlippageBps)}
            {...priceFormat(market)}
          />
        </Row>
        <Row name={tradeText.realisedProfitAbout}>
          <Amount value={position.unrealisedPnl} decimals={2} signed unit="USDC" />
        </Row>
        <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} />
        <RiskCosts risk={risk} />
      </Rows>
    </FormSheet>
  )
}

const positionForms = { close: CloseSheet, invert: InvertSheet, exits: TpSlSheet, margin: MarginSheet, leverage: LeverageSheet } as const
export type PositionAction = keyof typeof positionForms
export type OrderAction = 'cancel' | 'replace'

/** The form that is open for a row. While it is open, `position` is updated; initial values (`start`) are read only once. */
type Choice =
  | { readonly kind: 'position'; readonly action: PositionAction; readonly position: Position; readonly start: PositionStart }
  | { readonly kind: 'order'; readonly action: OrderAction; readonly order: OpenOrder; readonly start: Partial<ReplaceState> }

export interface RowActions {
  readonly underway: readonly Underway[]
  readonly cancelling: string | null
  /** Opens the form for an action on a position. `start`: initial values that differ from the position's current ones. */
  readonly onPosition: (position: Position, action: PositionAction, start?: PositionStart) => void
  /** Opens the form for an action on an order. `start`: initial values that differ from the order's current ones. */
  readonly onOrder: (order: OpenOrder, action: OrderAction, start?: Partial<ReplaceState>) => void
}

export interface RowForms extends RowActions {
  readonly order: OrderFlow
  readonly choice: Choice | null
  readonly onClose: () => void
}

/** Manages the form that a table row opens, and the signing of its order. The order ticket has its own form and its own signing. */
export function useRowForms(over: ExecutionForms['over']): RowForms {
  const flow = useOrderFlow()
  const [choice, setChoice] = useState<Choice | null>(null)
  const { data } = useIpcQuery('intents.underway', {})
  const { cancel, clearOutcome } = flow
  const onClose = useCallback(() => {
    cancel()
    clearOutcome()
    setChoice(null)
  }, [cancel, clearOutcome])
  const order = over(flow, onClose)
  const { review } = order
  const open = useCallback(
    (next: Choice) => {
      clearOutcome()
      setChoice(next)
    },
    [clearOutcome],
  )
  const isOpen = order.open !== null
  // A form closes once its order was sent.
  const followed = order.open?.flow.phase.kind === 'followed'
  const [sent, setSent] = useState(false)
  if (followed && !sent) setSent(true)
  const shown = sent && !isOpen ? null : choice
  useEffect(() => {
    if (!sent || isOpen) return
    setSent(false)
    setChoice(null)
  }, [sent, isOpen])
  const onPosition = useCallback<RowForms['onPosition']>((position, action, start = {}) => open({ kind: 'position', action, position, start }), [open])
  const onOrder = useCallback<RowForms['onOrder']>(
    (row, action, start = {}) => {
      open({ kind: 'order', action, order: row, start })
      const seen = seenOrder(row)
      if (action === 'cancel' && seen !== null) void review({ action: 'cancel_order', order: seen })
    },
    [open, review],
  )
  const underway = data?.underway
  const cancelling = order.preparing && shown?.kind === 'order' && shown.action === 'cancel' ? shown.order.id : null
  return useMemo(
    () => ({ order, choice: shown, underway: underway ?? [], cancelling, onPosition, onOrder, onClose }),
    [order, shown, underway, cancelling, onPosition, onOrder, onClose],
  )
}

interface RowSheetsProps {
  readonly forms: RowForms
  readonly positions: readonly Position[] | null
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
}

/** The form of a row, and after the review its signing sheet. Draws nothing if neither is open. */
export function RowSheets({ forms, positions, markets, summaries }: RowSheetsProps) {
  const { order } = forms
  const ticket = order.open?.ticket ?? null
  const pairId = ticket === null ? null : pairOf(ticket)
  return (
    <>
      <RowForm forms={forms} positions={positions} markets={markets} summaries={summaries} />
      <OrderSheet order={order} mark={summaries.find(({ id }) => id === pairId)?.mark ?? null} />
    </>
  )
}

function RowForm({ forms, positions, markets, summaries }: RowSheetsProps) {
  const readAtMs = useSummaries().data?.readAtMs ?? null
  const { choice, order, onClose } = forms
  const account = useIpcQuery('account.summary', { watch: null })
  const pairId = choice === null ? null : choice.kind === 'position' ? choice.position.pairId : choice.order.pairId
  const summary = summaries.find(({ id }) => id === pairId)
  const isFresh = useStillBefore(freshUntil(summary, readAtMs))
  if (choice === null) return null
  const listed = markets.find(({ id }) => id === pairId)
  const mark = summary?.mark ?? null
  if (choice.kind === 'order') {
    const seen = seenOrder(choice.order)
    if (choice.action === 'cancel' || listed === undefined || seen === null) return <NotCancelled order={order} market={listed} mark={mark} onClose={onClose} />
    return <ReplaceSheet row={choice.order} seen={seen} start={choice.start} market={listed} mark={mark} order={order} onClose={onClose} />
  }
  const newest = positions?.find(({ id }) => sameId(id, choice.position.id))
  const position = choice.action === 'exits' ? choice.position : (newest ?? choice.position)
  const seen = seenPosition(position)
  const market = choice.action === 'close' ? closingMarket(position, listed) : listed
  if (seen === null || market === undefined) return null
  // The position disappeared while its form was open: this order or another client closed it.
  if (positions !== null && newest === undefined && order.open === null) return <Gone onClose={onClose} />
  const given: PositionForm = {
    position,
    seen,
    market,
    mark,
    fresh: isFresh,
    exitPrice: exitPrice(position, summary ?? null),
    account: account.data,
    start: choice.start,
    order,
    onClose,
  }
  const Form = positionForms[choice.action]
  return <Form {...given} />
}

function Gone({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title={tradeText.positionGone} lead={tradeText.positionGoneLead} icon="info" onClose={onClose} className={overlayStyles.narrow}>
      <SheetFoot>
        <Button onClick={onClose}>{tradeText.close}</Button>
      </SheetFoot>
    </Sheet>
  )
}

/** Shows why preparing a cancellation failed. Cancelling opens no form that could show this failure. */
function NotCancelled({
  order,
  market,
  mark,
  onClose,
}: {
  readonly order: OrderFlow
  readonly market: Market | undefined
  readonly mark: string | null
  readonly onClose: () => void
}) {
  const waits = order.preparing || order.open !== null
  const seen = useRef(false)
  if (waits) seen.current = true
  const over = seen.current && !waits && order.outcome === null
  useEffect(() => {
    if (over) onClose()
  }, [over, onClose])
  if (order.outcome === null || waits) return null
  return (
    <Sheet title={tradeText.orderNotCancelled} lead={tradeText.orderNotCancelledLead} icon="warn" tone="warn" onClose={onClose} className={styles.rowForm}>
      <div className={overlayStyles.sheetBody}>
        <TicketOutcome order={order} market={market ?? null} mark={mark} />
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[tradeText.esc]}>
          {tradeText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
