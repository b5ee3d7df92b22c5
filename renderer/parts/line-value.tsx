import type { ServiceChange } from '../../shared/ipc/host/service.ts'
import type { ComparisonLine, LineValue as Value } from '../../shared/ipc/intents/comparison-lines.ts'
import { lineValueText } from '../../shared/text/comparison-text.ts'
import { Identicon } from '../kit/icons/identicon.tsx'
import { Coin, Side } from '../kit/market-marks.tsx'
import marksStyles from '../kit/marks.module.css'
import { addressPattern } from '../kit/number.tsx'
import textStyles from '../kit/text.module.css'
import { VisibleText } from '../kit/visible-text.tsx'
import { kitText } from '../text/en/kit.en.tsx'
import styles from './parts.module.css'

/** The text if a value is missing on one side of a comparison: in the request, or in the message to sign. */
export const emptySide = ({ asked }: Pick<ComparisonLine, 'asked' | 'signed'>): string => (asked === null ? kitText.notAskedFor : kitText.notInMessage)

/** Whether the text is an address, a hash or another hex id that may need two lines. A hash may lack its `0x`. */
const isLongHex = (text: string): boolean => /^(0x[0-9a-f]{25,}|[0-9a-f]{32,})$/i.test(text)

const isWhole = (address: string): boolean => address.length === 42

/** A whole address or hash. If it does not fit into one line, it wraps at its middle, so that both halves can be compared. */
export function WholeHex({ hex }: { readonly hex: string }) {
  const middle = Math.ceil(hex.length / 2)
  return (
    <code className={styles.wholeHex}>
      <span>{hex.slice(0, middle)}</span>
      <span>{hex.slice(middle)}</span>
    </code>
  )
}

interface AddressTextProps {
  readonly text: string
  readonly picture: boolean
}

/** Text with addresses. Whole addresses stay whole, because the user compares them; one that main has shortened stays short. */
export function AddressText({ text, picture }: AddressTextProps) {
  return (
    <span>
      {text.split(addressPattern).map((part, index) =>
        addressPattern.test(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may occur in a text twice
          <span className={picture ? marksStyles.address : undefined} key={`${index}:${part}`}>
            {picture && isWhole(part) ? <Identicon address={part} /> : null}
            {isWhole(part) ? <WholeHex hex={part} /> : <code>{part}</code>}
          </span>
        ) : (
          part
        ),
      )}
    </span>
  )
}

interface LineValueProps {
  readonly line: ComparisonLine
  readonly value: Value | null
  /** Draws a picture with the value: a coin for a market, an icon for an address. Set only for the column of requested values. */
  readonly picture: boolean
}

/** One value of a comparison line, drawn according to its kind: a market, a side, an address, an id or an amount. */
export function LineValue({ line, value: said, picture }: LineValueProps) {
  if (said === null) return <span>{emptySide(line)}</span>
  if (typeof said !== 'string' && (said.code === 'long' || said.code === 'short')) return <Side side={said.code} />
  const value = lineValueText(said)
  if (picture && /^[A-Z0-9]+-PERP$/.test(value)) {
    return (
      <>
        <Coin base={value.split('-')[0] ?? value} />
        <span className={textStyles.name}>{value}</span>
      </>
    )
  }
  if (addressPattern.test(value)) return <AddressText text={value} picture={picture && line.id === 'wallet'} />
  if (isLongHex(value)) return <WholeHex hex={value} />
  const code = /^(desk-|dx_|0x)/.test(value)
  return (
    <>
      <span className={code ? textStyles.mono : textStyles.name} title={value}>
        {value.replace(/ %$/, '\u00a0%')}
      </span>
      {line.unit === null ? null : <span className={textStyles.muted}>{line.unit}</span>}
    </>
  )
}

const names: Readonly<Record<ServiceChange['what'], string>> = {
  api_version: kitText.apiVersion,
  schema: kitText.schema,
  router: kitText.router,
  scopes: kitText.keyScopes,
}

/** A value that the user compares with another: a whole address, hash or hex id, or any other text with its invisible characters. */
export const WholeValue = ({ text }: { readonly text: string }) => (isLongHex(text) ? <WholeHex hex={text} /> : <VisibleText text={text} />)

/** Lists each difference between what the service publishes and what the app expects. */
export function ServiceChangeLines({ drifts }: { readonly drifts: readonly ServiceChange[] }) {
  return drifts.map(({ what, expected, found }, index) => (
    <span key={what} title={`${expected} → ${found ?? kitText.notGiven}`}>
      {index === 0 ? '' : ' '}
      {kitText.insteadOf(names[what], found === null ? <VisibleText text={kitText.notGiven} /> : <WholeValue text={found} />, <WholeValue text={expected} />)}
    </span>
  ))
}
