import type { ReactNode } from 'react'
import type { FormIssue } from '../../shared/ipc/form-issue.ts'
import type { Market } from '../../shared/ipc/reads/markets.ts'
import type { LimitsDraft, LimitsIssues } from '../../shared/limits-draft.ts'
import { formIssueText } from '../../shared/text/form-text.ts'
import { useIpcQuery } from '../ipc/use-ipc.ts'
import { Checkbox } from '../kit/checkbox.tsx'
import controlsStyles from '../kit/controls.module.css'
import { cx } from '../kit/cx.ts'
import { Field, Input } from '../kit/input.tsx'
import { Segments } from '../kit/layout/tabs.tsx'
import textStyles from '../kit/text.module.css'
import { settingsText } from '../text/en/settings.en.tsx'
import styles from './parts.module.css'

interface NumberLimitProps {
  readonly id: string
  readonly label: string
  readonly unit: string
  readonly value: string
  readonly issue: FormIssue | null
  readonly help?: ReactNode
  readonly onChange: (value: string) => void
}

/** A field for one limit. Empty means no limit. */
export function NumberLimit({ id, label, unit, value, issue, help, onChange }: NumberLimitProps) {
  return (
    <Field id={id} label={label} error={issue === null ? undefined : formIssueText(issue)} help={help}>
      <Input id={id} numeric unit={unit} value={value} invalid={issue !== null} placeholder={settingsText.noLimit} onChange={onChange} />
    </Field>
  )
}

interface LimitFieldsProps {
  /** The beginning of the ids of all fields. */
  readonly id: string
  readonly draft: LimitsDraft
  readonly issues: LimitsIssues
  readonly lossHelp: ReactNode
  readonly onChange: (change: Partial<LimitsDraft>) => void
  /** More limits, shown beside the amounts. */
  readonly children?: ReactNode
}

/** The fields of the risk limits, for the wallet or for one bot. */
export function LimitFields({ id, draft, issues, lossHelp, onChange, children }: LimitFieldsProps) {
  const markets = useIpcQuery('markets.list', {})
  return (
    <>
      <div className={styles.limitsAmounts}>
        <NumberLimit
          id={`${id}-order`}
          label={settingsText.maxOrderSize}
          unit="USDC"
          value={draft.orderValue}
          issue={issues.orderValue}
          help={settingsText.maxOrderSizeHelp}
          onChange={(orderValue) => onChange({ orderValue })}
        />
        <NumberLimit
          id={`${id}-leverage`}
          label={settingsText.maxLeverage}
          unit="×"
          value={draft.leverage}
          issue={issues.leverage}
          help={settingsText.maxLeverageHelp}
          onChange={(leverage) => onChange({ leverage })}
        />
        <NumberLimit
          id={`${id}-loss`}
          label={settingsText.maxDailyLoss}
          unit="USDC"
          value={draft.dailyLoss}
          issue={issues.dailyLoss}
          help={lossHelp}
          onChange={(dailyLoss) => onChange({ dailyLoss })}
        />
        {children}
      </div>
      <MarketLimit
        id={id}
        chosen={draft.markets}
        markets={markets.data?.markets ?? null}
        issue={issues.markets}
        onChange={(chosen) => onChange({ markets: chosen })}
      />
    </>
  )
}

interface MarketLimitProps {
  readonly id: string
  readonly chosen: readonly number[] | null
  /** All markets of the exchange; `null` until the app has read them. */
  readonly markets: readonly Market[] | null
  readonly issue: FormIssue | null
  readonly onChange: (chosen: readonly number[] | null) => void
}

function MarketLimit({ id, chosen, markets, issue, onChange }: MarketLimitProps) {
  // A chosen market that the exchange no longer lists stays in the limits until the user removes it.
  const gone = (chosen ?? []).filter((one) => markets !== null && !markets.some((market) => market.id === one))
  const rows = [
    ...(markets ?? []).map((market) => ({ pairId: market.id, symbol: market.symbol })),
    ...gone.map((pairId) => ({ pairId, symbol: settingsText.marketNumber(pairId) })),
  ]
  return (
    <fieldset className={styles.limitsMarkets} aria-describedby={issue === null ? undefined : `${id}-markets-issue`}>
      <legend className={controlsStyles.label}>{settingsText.markets}</legend>
      <Segments
        label={settingsText.markets}
        size="md"
        value={chosen === null ? 'all' : 'chosen'}
        onChange={(next) => onChange(next === 'all' ? null : [])}
        choices={[
          { value: 'all', label: settingsText.all },
          { value: 'chosen', label: settingsText.chosenMarkets, disabled: markets === null },
        ]}
      />
      {chosen === null ? null : (
        <div className={styles.limitsList}>
          {rows.map(({ pairId, symbol }) => (
            <Checkbox
              key={pairId}
              checked={chosen.includes(pairId)}
              onChange={(takes) => onChange(takes ? [...chosen, pairId] : chosen.filter((one) => one !== pairId))}
            >
              <span className={textStyles.cut} title={symbol}>
                {symbol}
              </span>
            </Checkbox>
          ))}
        </div>
      )}
      {issue === null ? null : (
        <p className={cx(controlsStyles.help, controlsStyles.error)} id={`${id}-markets-issue`} role="alert">
          {formIssueText(issue)}
        </p>
      )}
    </fieldset>
  )
}
