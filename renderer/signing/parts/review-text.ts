import type { ComparisonLine } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison } from '../../../shared/ipc/intents/signing.ts'
import { signingText } from '../../text/en/signing.en.tsx'
import { type HandQuestions, isAcceptedBySending } from './hand-questions.tsx'
import type { SigningMessage } from './signing-message.ts'

type Settled = Pick<ComparisonLine, 'asked' | 'signed' | 'remark'>

/** Describes, in words, a line of the request or message that needs no comparison. Replaces the icon for users who cannot see it. */
export function settledText({ asked, signed, remark }: Settled): string {
  if (signed === null) return signingText.lineNotNeeded
  if (asked === null) return signingText.lineHarmless
  return remark?.code === 'also' ? signingText.lineReadAsRequested : signingText.lineComparedElsewhere
}

/** The text after "18 of 18 lines match". It says what the user must still confirm by hand. */
export function verdictWords({ comparison, transaction }: Pick<SigningMessage, 'comparison' | 'transaction'>, questions: HandQuestions): string {
  const { contracts } = questions
  const phrase = isAcceptedBySending(questions) ? null : questions.phrase
  // The verdict `absent` on the line `function`: the app recognises the call's arguments but not its function. Then the text can only say that the
  // call contains nothing else, but not what the contract does.
  const isRead = !comparison.lines.some(({ id, verdict }) => id === 'function' && verdict === 'absent')
  if (transaction !== null && phrase === null && contracts.length === 0) return isRead ? signingText.doesNothingElse : signingText.carriesNothingElse
  if (transaction?.word != null) return signingText.effectToConfirm
  // The question about a new contract covers only the unmatched lines that name a contract. For any other unmatched line, the user must still type
  // the phrase.
  const explained = contracts.length === 0 ? 0 : comparison.lines.filter(({ code }) => code === 'not_pinned').length || 1
  if (phrase !== null && comparison.total - comparison.matched > explained) return signingText.restToConfirm
  const asks = [...(phrase === null ? [] : ['signing format' as const]), ...contracts.map(({ what }) => what)]
  return asks.length === 0 ? signingText.holdsNothingElse : signingText.confirmOnce(asks)
}

/**
 * How the verdict looks. `ok`: the user has nothing to confirm. `neutral`: every line matches and every field is recognised, so the user confirms only
 * what is new. `warn`: something is not recognised, an effect needs a typed phrase, or a trusted contract changed.
 */
export type VerdictTone = 'ok' | 'neutral' | 'warn'

export function verdictTone(
  { verdict, matched, total }: Pick<Comparison, 'verdict' | 'matched' | 'total'>,
  { asks, phrase, contracts }: HandQuestions,
): VerdictTone {
  if (verdict === 'pass' && contracts.length === 0) return 'ok'
  // If main has no question about the message, a phrase can only confirm what the transaction does.
  const isRecognised = asks === null ? phrase === null : asks.kind === 'format' && asks.complete
  return matched === total && isRecognised && contracts.every(({ check }) => check.state !== 'changed') ? 'neutral' : 'warn'
}

const thenTexts: Readonly<Record<SigningMessage['preparedAgain'], string>> = {
  new_deadline: signingText.thenNewDeadline,
  new_deadline_approved: signingText.thenNewDeadlineApproved,
  new_price: signingText.thenNewPrice,
  new_order: signingText.thenNewOrder,
  new_grant: signingText.thenNewGrant,
}

/** Explains in one sentence what happens if the user prepares the message again. */
export const thenText = ({ preparedAgain }: Pick<SigningMessage, 'preparedAgain'>): string => thenTexts[preparedAgain]
