import { type RefObject, useEffect, useRef } from 'react'
import { absolute, formatDecimal, percentOf } from '../../../../shared/decimal.ts'
import type { CloseTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { type CloseField, type CloseState, initialClose, readClose, summariseClose } from '../../../../shared/ticket/actions/close-ticket.ts'
import { postOnlyRemark } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { markInField } from '../../../../shared/ticket/typed-price.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount } from '../../../kit/number.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { priceFormat, sizeFormat } from '../market/feed.tsx'
import { SlippageEntry } from '../ticket/ticket-fields.tsx'
import styles from '../trade.module.css'
import { FormSheet, type RowForm, useRowForm } from './form-sheet.tsx'
import { ChangeRow, LiquidationRow, RiskCosts, useRowRisk } from './row-risk.tsx'
import { type PositionForm, partInUnit, shareLeft, symbolOf } from './row-subjects.ts'

const parts = ['25', '50', '75', '100'] as const
const controls: Readonly<Record<CloseField, string>> = {
  part: 'close-part',
  limitPrice: 'close-limit',
  slippage: 'row-slippage',
  referencePrice: 'close-part',
}

type Form = RowForm<CloseState, CloseField>

interface PartProps {
  readonly form: Form
  readonly market: Market
  readonly held: string | null
  readonly error: string | undefined
  readonly first: RefObject<HTMLInputElement | null>
}

function PartField({ form, market, held, error, first }: PartProps) {
  const { part, partIn } = form.state
  return (
    <Field id="close-part" label={tradeText.howMuch} error={error}>
      <div className={styles.closePart}>
        <Input
          id="close-part"
          ref={first}
          numeric
          value={part}
          onChange={(next) => form.edit({ part: next })}
          onBlur={() => form.touch('part')}
          invalid={error !== undefined}
        />
        <Segments
          label={tradeText.unit}
          size="md"
          choices={[
            { value: 'percent', label: '%' },
            { value: 'base', label: market.base },
          ]}
          value={partIn}
          onChange={(partIn) => form.edit({ partIn, part: partIn === form.state.partIn ? part : partInUnit(part, partIn, held, market) })}
        />
      </div>
      <Segments
        label={tradeText.shareOfPosition}
        size="md"
        block
        choices={parts.map((value) => ({ value: value as string, label: `${value} %` }))}
        value={partIn === 'percent' ? part.trim() : ''}
        onChange={(next) => form.edit({ part: next, partIn: 'percent' })}
      />
    </Field>
  )
}

function LimitFields({ form, market, mark, errorAt }: { form: Form; market: Market; mark: string | null; errorAt: (field: CloseField) => string | undefined }) {
  const { limitPrice, timeInForce, postOnly } = form.state
  const error = errorAt('limitPrice')
  const odd = postOnlyRemark(form.state)
  return (
    <>
      <Field id="close-limit" label={tradeText.limitPrice} error={error}>
        <Input
          id="close-limit"
          numeric
          value={limitPrice}
          onChange={(next) => form.edit({ limitPrice: next })}
          onBlur={() => form.touch('limitPrice')}
          invalid={error !== undefined}
          unit={
            <>
              {tradeText.usdc}
              <Button size="xs" disabled={mark === null} onClick={() => mark !== null && form.edit({ limitPrice: markInField(mark, market) })}>
                {tradeText.mark}
              </Button>
            </>
          }
        />
      </Field>
      <div className={styles.closeTerms}>
        <Segments
          label={tradeText.timeInForce}
          size="md"
          choices={(['gtc', 'ioc', 'fok'] as const).map((value) => ({ value, label: value.toUpperCase() }))}
          value={timeInForce}
          onChange={(next) => form.edit({ timeInForce: next })}
        />
        <Checkbox checked={postOnly} onChange={(next) => form.edit({ postOnly: next })}>
          {tradeText.postOnly}
        </Checkbox>
      </div>
      {odd === null ? null : (
        <p className={cx(controlsStyles.help, controlsStyles.warn)}>
          <span>{formIssueText(odd)}</span>
        </p>
      )}
    </>
  )
}

/** Estimates the effect of closing on size, margin and profit. The service's own numbers appear after the review. */
function CloseFigures({ ticket, position, market }: { ticket: CloseTicket | null; position: Position; market: Market }) {
  const summary = ticket === null ? null : summariseClose(ticket, position.entryPrice)
  const price = priceFormat(market)
  const risk = useRowRisk(ticket)
  const isPart = ticket !== null && ticket.size !== null
  return (
    <Rows className={styles.risk}>
      <ChangeRow name={tradeText.size} before={position.size} after={summary?.remaining ?? null} {...sizeFormat(market)} unit={market.base} />
      <ChangeRow
        name={tradeText.margin}
        before={position.marginUsdc}
        after={summary === null ? null : shareLeft(position.marginUsdc, summary.remaining, position.size)}
        decimals={2}
        unit="USDC"
      />
      <Row name={tradeText.valueAbout}>
        <Amount value={summary?.valueUsdc ?? null} decimals={2} unit="USDC" />
      </Row>
      <Row name={ticket?.action === 'close_position_limit' ? tradeText.limitPrice : tradeText.worstPrice}>
        <Amount value={summary?.worstPrice ?? null} {...price} />
      </Row>
      <Row name={tradeText.profitAboutBeforeFees}>
        <Amount value={summary?.pnlUsdc ?? null} decimals={2} signed unit="USDC" />
      </Row>
      {isPart ? <LiquidationRow market={market} before={position.liquidationPrice} risk={risk} /> : null}
      <RiskCosts risk={risk} />
    </Rows>
  )
}

/** The button's text: "Review closing 0.2075 BTC", or "Review closing all" for the whole position. */
function reviewWords(ticket: CloseTicket | null, base: string): string {
  if (ticket === null) return tradeText.reviewClose
  return ticket.size === null ? tradeText.reviewFullClose : tradeText.reviewCloseOf(formatDecimal(ticket.size), base)
}

export function CloseSheet(given: PositionForm) {
  const { position, seen, market, exitPrice: price, fresh, order, onClose } = given
  const first = useRef<HTMLInputElement>(null)
  const { part } = given.start
  const form = useRowForm<CloseState, CloseField>(initialClose, order, part === undefined ? {} : { part })
  const reading = readClose(form.state, seen, market, price)
  const errorAt = (field: CloseField) => form.errorAt(reading.errors, field)
  // If a shortcut chose the part to close, review the order at once. If the ticket is invalid, the form shows what is missing.
  const atOnce = useRef(part === undefined ? null : reading.ticket)
  useEffect(() => {
    const ticket = atOnce.current
    atOnce.current = null
    if (ticket !== null) void order.review(ticket)
  }, [order.review])
  const atMarket = form.state.orderType === 'market'
  const held = position.size === null ? '' : `${formatDecimal(absolute(position.size))} ${market.base}`
  const share = reading.ticket?.size == null || position.size === null ? null : percentOf(reading.ticket.size, position.size, 1)
  return (
    <FormSheet
      title={tradeText.closeTitle(position.side, symbolOf(given))}
      lead={held === '' ? tradeText.closeLead : share === null ? tradeText.youHold(held) : tradeText.youHoldAndClose(held, share)}
      icon="trade"
      review={reviewWords(reading.ticket, market.base)}
      order={order}
      market={market}
      mark={price}
      wait={null}
      issue={errorAt('referencePrice')}
      first={first}
      onSubmit={(event) => form.submit(event, reading, controls, true)}
      onClose={onClose}
    >
      <Segments
        label={tradeText.orderType}
        size="md"
        block
        choices={[
          { value: 'market', label: tradeText.atMarket },
          { value: 'limit', label: tradeText.limit },
        ]}
        value={form.state.orderType}
        onChange={(orderType) => form.edit({ orderType })}
      />
      <PartField form={form} market={market} held={position.size} error={errorAt('part')} first={first} />
      {atMarket ? (
        <SlippageEntry
          value={form.state.slippagePercent}
          error={errorAt('slippage')}
          onChange={(slippagePercent) => form.edit({ slippagePercent })}
          onBlur={() => form.touch('slippage')}
        />
      ) : (
        <LimitFields form={form} market={market} mark={price} errorAt={errorAt} />
      )}
      {atMarket && !fresh && price !== null ? (
        <p className={cx(controlsStyles.help, controlsStyles.warn)}>
          <span>{tradeText.closePriceOld}</span>
        </p>
      ) : null}
      <CloseFigures ticket={reading.ticket} position={position} market={market} />
    </FormSheet>
  )
}
