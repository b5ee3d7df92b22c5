import type { ExitOutcome, TicketSummary } from '../../../../shared/ticket/form/summarise-ticket.ts'
import { exitBy } from '../../../../shared/ticket/form/ticket-state.ts'
import { readAs } from '../../../../shared/ticket/typed-number.ts'
import { type ExitBy, type ExitFacts, type ExitKind, priceInField } from '../../../../shared/ticket/typed-price.ts'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { ReadAs } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount, Percent } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import { type FieldsProps, stepOnKey } from './ticket-fields.tsx'

const kinds = {
  takeProfit: { id: 'take-profit', tag: 'TP', name: tradeText.takeProfit },
  stopLoss: { id: 'stop-loss', tag: 'SL', name: tradeText.stopLoss },
} as const

const units: Readonly<Record<ExitBy, string>> = { price: '', percent: '%', profit: 'USDC' }

/** A TP or SL can be stated as a price, as a distance in percent, or as a gain in USDC. This line shows the two that the user did not type. */
function Readings({ outcome, by, decimals }: { readonly outcome: ExitOutcome; readonly by: ExitBy; readonly decimals: number | null }) {
  return (
    <>
      {by === 'price' ? null : <Amount isShown value={outcome.price} {...(decimals === null ? {} : { decimals })} />}
      {by === 'profit' ? null : <Amount isShown value={outcome.pnl} decimals={2} signed />}
      {by === 'percent' ? null : <Percent value={outcome.percent} signed />}
    </>
  )
}

interface ExitFieldProps extends FieldsProps {
  readonly kind: ExitKind
  readonly outcome: ExitOutcome | null
  readonly error: string | undefined
}

function ExitField({ kind, state, market, edit, touch, outcome, error }: ExitFieldProps) {
  const { id, tag, name } = kinds[kind]
  const by = state[`${kind}By`]
  const read = readAs(state[kind])
  const take = (typed: string) => edit({ [kind]: typed })
  return (
    <div>
      <div className={error === undefined ? controlsStyles.input : cx(controlsStyles.input, controlsStyles.isError)}>
        <span className={textStyles.muted}>{tag}</span>
        <input
          id={id}
          aria-label={by === 'price' ? name : by === 'percent' ? tradeText.percentFromEntryOf(name) : tradeText.usdcOf(name)}
          value={state[kind]}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={read === null ? `${id}-help` : `${id}-read ${id}-help`}
          onChange={(event) => take(event.target.value)}
          onBlur={() => touch(kind)}
          onKeyDown={(event) => by === 'price' && stepOnKey(event, state[kind], market, null, take)}
        />
        <ReadAs id={id} read={read} />
        {units[by] === '' ? null : <span className={controlsStyles.unit}>{units[by]}</span>}
      </div>
      <p
        className={error === undefined ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)}
        id={`${id}-help`}
        role={error === undefined ? undefined : 'alert'}
      >
        {error !== undefined ? (
          <span>{error}</span>
        ) : outcome === null ? (
          <span>&nbsp;</span>
        ) : (
          <Readings outcome={outcome} by={by} decimals={market.priceDecimals} />
        )}
      </p>
    </div>
  )
}

/** The fields for take profit and stop loss, by price, distance from the entry, or gain. If the user switches the unit, the values are converted. */
export function ExitFields({ summary, facts, ...fields }: FieldsProps & { readonly summary: TicketSummary | null; readonly facts: ExitFacts | null }) {
  const { state, edit, errorAt } = fields
  const measure = (by: ExitBy) => {
    const converted = (kind: ExitKind) => {
      const exit = facts === null ? '' : exitBy(kind, state[kind], state[`${kind}By`], by, facts)
      return exit === '' || by !== 'price' ? exit : priceInField(exit, fields.market)
    }
    edit({ takeProfit: converted('takeProfit'), takeProfitBy: by, stopLoss: converted('stopLoss'), stopLossBy: by })
  }
  return (
    <div className={controlsStyles.field}>
      <div className={styles.options}>
        <Checkbox checked={state.hasTpSl} onChange={(hasTpSl) => edit({ hasTpSl })}>
          {state.hasTpSl ? tradeText.tpSlBy : tradeText.takeProfitAndStopLoss}
        </Checkbox>
        {state.hasTpSl ? (
          <Segments
            label={tradeText.tpSlBy}
            choices={[
              { value: 'price', label: tradeText.price },
              { value: 'percent', label: '%' },
              { value: 'profit', label: 'USDC' },
            ]}
            value={state.takeProfitBy}
            onChange={measure}
          />
        ) : null}
      </div>
      {state.hasTpSl ? (
        <div className={styles.pair}>
          {(['takeProfit', 'stopLoss'] as const).map((kind) => (
            <ExitField key={kind} kind={kind} {...fields} outcome={summary?.[kind] ?? null} error={errorAt(kind)} />
          ))}
        </div>
      ) : null}
    </div>
  )
}
