import type { Asks, ComparisonLine } from '../ipc/intents/signing.ts'
import { envelopeSentence } from './message/envelope.ts'
import { payloadSentence } from './message/payload.ts'

/** What must be said before a message of a signing format never agreed to is sent to the wallet. */
export const confirmationPhrase = 'sign this layout'

/** What has to be typed before a transaction of unknown calldata is sent. */
export const unreadablePhrase = 'send what cannot be read'

/** What must be typed, or ticked where `format` is complete. No honest order of an agreed format asks for an unknown field. */
export function phraseOf(asks: Asks): string {
  switch (asks.kind) {
    case 'format':
      return confirmationPhrase
    case 'unknown_field':
      return `sign with unknown field ${asks.field}`
    case 'unreadable_call':
      return unreadablePhrase
    case 'exit_extra':
      return asks.value === null ? `close without ${asks.field}` : `close with unknown field ${asks.field}`
  }
}

/** Surrounding space and letter case do not matter; words do. */
export const isPhrase = (typed: string | null, expected: string): boolean =>
  typed !== null && typed.trim().replace(/\s+/g, ' ').toLowerCase() === expected.toLowerCase()

/** The sentence for a line that differs; `message` begins it, for example "The prepared message". */
export function askedSentence(line: ComparisonLine, message: string): string {
  if (line.id.startsWith('payload.')) return payloadSentence(line)
  if (line.group === 'envelope' && line.code !== 'moved') return envelopeSentence(line, message)
  const unit = line.unit === null ? '' : ` ${line.unit}`
  const name = line.label.toLowerCase()
  const [asked, signed] = [line.asked, line.signed].map((text) => text?.replace(/^At most/, 'at most'))
  if (line.code === 'moved')
    return line.signed === null
      ? `${message} no longer says the ${name}, which it says in the signing format that you agreed to.`
      : `${message} says the ${name} in another field (${line.field}) than the signing format that you agreed to.`
  if (line.code === 'foreign_address') return `${message} names ${line.signed} in ${line.field}. It is neither your wallet nor a contract that you trust.`
  if (line.code === 'two_scales')
    return `${message} carries the ${name} at a scale at which it could also be ${signed}${unit}. Your ticket says ${asked}${unit}.`
  if (line.remark?.code === 'unasked') return `${message} carries a ${name} of ${signed}${unit}. Your ticket has none.`
  const article = /^[aeiou]/.test(name) ? 'an' : 'a'
  return line.unit !== null || /\d/.test(line.asked ?? '')
    ? `${message} carries ${article} ${name} of ${signed}${unit}. Your ticket says ${asked}${unit}.`
    : `${message} says ${signed} for the ${name}. Your ticket says ${asked}.`
}
