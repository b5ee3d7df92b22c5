import iconStyles from '../../kit/icons/icon.module.css'
import { Icon } from '../../kit/icons/icon.tsx'
import { Row } from '../../kit/layout/panel.tsx'
import { Amount } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { tradeText } from '../../text/en/trade.en.tsx'

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
