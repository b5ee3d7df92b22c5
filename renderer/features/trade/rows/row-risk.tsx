import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { RiskPreview } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Row } from '../../../kit/layout/panel.tsx'
import { Amount } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { priceFormat } from '../market/feed.tsx'
import { cents } from '../ticket/ticket-model.ts'
import { useRiskPreview } from '../ticket/ticket-preview.tsx'
import styles from '../trade.module.css'

/** The exchange's preview of the change in a row's form. `null` if there is none, or if the form has changed since. */
export function useRowRisk(ticket: ActionTicket | null): RiskPreview | null {
  const { preview, old, failure } = useRiskPreview(ticket, true)
  return old || failure !== null ? null : preview
}

interface LiquidationProps {
  readonly market: Market
  readonly before: string | null
  readonly risk: RiskPreview | null
  /** The app's own estimate of the liquidation price, shown if the exchange reports none; `null` if the app cannot compute it. */
  readonly own?: string | null
}

/** The liquidation price as the exchange reports it, otherwise the app's estimate. */
export function LiquidationRow({ market, before, risk, own = null }: LiquidationProps) {
  const reported = risk?.liquidationPrice ?? null
  return (
    <ChangeRow
      name={reported === null && own !== null ? tradeText.liquidationAbout : tradeText.liquidation}
      before={before}
      after={reported ?? own}
      {...priceFormat(market)}
    />
  )
}

/** What a change costs, and why the exchange would not execute it. */
export function RiskCosts({ risk }: { readonly risk: RiskPreview | null }) {
  return (
    <>
      <Row name={tradeText.feeAndNetwork}>
        {risk === null || (risk.feeUsdc === null && risk.networkUsdc === null) ? (
          <span className={textStyles.muted}>{tradeText.shownOnReview}</span>
        ) : (
          <>
            {[risk.feeUsdc, risk.networkUsdc].map((cost) => (cost === null ? '—' : cents(cost))).join(' + ')}{' '}
            <span className={textStyles.unitAfter}>{tradeText.usdc}</span>
          </>
        )}
      </Row>
      {risk?.executable === false ? (
        <p className={styles.riskNote} role="status">
          <Icon name="warn" size={14} className={textStyles.warn} />
          <span>{tradeText.wouldNotExecute(risk.reason?.text ?? tradeText.exchangeGivesNoReason)}</span>
        </p>
      ) : null}
    </>
  )
}

interface ChangeRowProps {
  readonly name: string
  readonly before: string | null
  /** The value after the change; `null` if unknown. The row then shows only the current value. */
  readonly after: string | null
  readonly decimals?: number
  readonly minDecimals?: number
  readonly unit?: string
  readonly isShown?: boolean
}

/** Shows a value before and after a change, side by side. */
export function ChangeRow({ name, before, after, ...format }: ChangeRowProps) {
  if (after === null) {
    return (
      <Row name={name}>
        <Amount value={before} {...format} />
      </Row>
    )
  }
  return (
    <Row name={name}>
      <span className={textStyles.was}>
        <Amount value={before} {...format} />
      </span>
      <Icon name="arrow-right" size={14} className={iconStyles.dim} />
      <span className={textStyles.screenReaderOnly}> {tradeText.becomes} </span>
      <Amount value={after} {...format} />
    </Row>
  )
}
