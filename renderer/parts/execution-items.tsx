import type { ExecutionItem } from '../../shared/ipc/intents/execution.ts'
import type { ReceiptState } from '../../shared/ipc/intents/signing.ts'
import { explainReason } from '../../shared/text/reason-text.ts'
import { titleText } from '../../shared/text/title-text.ts'
import type { IconName } from '../kit/icons/icon.tsx'
import { State, type StateTone } from '../kit/layout/state.tsx'
import { useAmountText } from '../kit/number.tsx'
import textStyles from '../kit/text.module.css'
import { VisibleText } from '../kit/visible-text.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './parts.module.css'

const looks = {
  executed: { tone: 'ok', icon: 'check', word: partsText.done },
  failed: { tone: 'danger', icon: 'x', word: partsText.failed },
  pending: { tone: 'busy', icon: 'hourglass', word: partsText.waiting },
} as const

const isKnown = (state: string): state is keyof typeof looks => Object.hasOwn(looks, state)

function ItemState({ state }: { readonly state: string | null }) {
  if (state === null)
    return (
      <State tone="off" icon="clock">
        {partsText.notReportedYet}
      </State>
    )
  const word = state.toLowerCase()
  if (isKnown(word))
    return (
      <State tone={looks[word].tone} icon={looks[word].icon}>
        {looks[word].word}
      </State>
    )
  return (
    <State tone="off" icon="unknown">
      <VisibleText text={state} />
    </State>
  )
}

export function ExecutionItems({ items }: { readonly items: readonly ExecutionItem[] }) {
  const amount = useAmountText()
  return (
    <ol className={styles.executionItems} aria-label={partsText.results}>
      {items.map((item) => (
        <li key={item.index}>
          <span className={styles.position}>{item.index + 1}</span>
          <div className={textStyles.grow}>
            <p>{titleText(item.title, amount)}</p>
            {item.reason === null ? null : (
              <p className={textStyles.danger} title={item.reason}>
                <VisibleText text={explainReason(item.reason).text} />
              </p>
            )}
            {item.orderId === null ? null : <p className={textStyles.muted}>{partsText.orderWithId(<code>{item.orderId}</code>)}</p>}
          </div>
          <ItemState state={item.state} />
        </li>
      ))}
    </ol>
  )
}

interface ReceiptLook {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
  /** What the state of the report means for webhooks (HOOK-09). */
  readonly meaning: string
}

const receiptLooks: Readonly<Record<ReceiptState, ReceiptLook>> = {
  due: {
    tone: 'busy',
    icon: 'hourglass',
    word: partsText.beingReported,
    meaning: partsText.beingReportedHelp,
  },
  reported: { tone: 'ok', icon: 'check', word: partsText.reported, meaning: partsText.reportedHelp },
  refused: { tone: 'danger', icon: 'x', word: partsText.refused, meaning: partsText.refusedHelp },
  given_up: { tone: 'warn', icon: 'unknown', word: partsText.givenUp, meaning: partsText.givenUpHelp },
}

/** Whether the user may report a transaction's hash again: the service refused the last report, or the app gave up. */
export const mayReportAgain = (receipt: ReceiptState): boolean => receipt === 'refused' || receipt === 'given_up'

export const receiptMeaning = (receipt: ReceiptState): string => receiptLooks[receipt].meaning

/** Shows whether the service has received a transaction's hash, as an icon with a word. */
export function ReceiptMark({ receipt }: { readonly receipt: ReceiptState }) {
  const { tone, icon, word } = receiptLooks[receipt]
  return (
    <State tone={tone} icon={icon}>
      {word}
    </State>
  )
}

/** Which transaction of its intent this is, for example `2 of 2, approval`. */
export const transactionWords = ({ index, of, kind }: { readonly index: number; readonly of: number; readonly kind: string | null }): string =>
  of < 2
    ? (kind ?? '').replaceAll('_', ' ')
    : kind === null
      ? partsText.placeOf(index + 1, of)
      : partsText.placeAndKind(index + 1, of, kind.replaceAll('_', ' '))
