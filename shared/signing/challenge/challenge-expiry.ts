import { limits } from '../../api/limits.ts'
import { time } from '../../api/loose.ts'
import { second } from '../../time.ts'
import { clockText, durationText } from '../wording.ts'
import { type Finding, missing, type Span } from './challenge-finding.ts'

interface Dated {
  readonly message: string
  readonly answer: { readonly expiresAtMs: number | null }
  readonly nowMs: number
}

/** The measured offset of the clocks is exact to about a second each way. */
const tolerance = 5 * second

const label = /\b(?:expir\w*(?:[ \t]+(?:at|on|time))?|valid[ \t]+until|not[ \t]+after|until)\b[ \t]*[:=]?[ \t]*/gi
const timestamp =
  /(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:[ \t]*(?:Z|UTC|[+-]\d{2}:?\d{2}))?|(?<!\d)\d{10}(?:\d{3}){0,3})(?![A-Za-z0-9:]|\.\d)/y

interface Stated {
  readonly span: Span
  readonly atMs: number | null
}

/** Times that stand after a word for "expires"; null for one that cannot be read. */
function stated(message: string): readonly Stated[] {
  return [...message.matchAll(label)].flatMap((match): Stated[] => {
    timestamp.lastIndex = match.index + match[0].length
    const found = timestamp.exec(message)
    if (found !== null) {
      const atMs = time(found[0].replace(/[ \t]*UTC$/, 'Z'))
      return [{ span: { start: found.index, length: found[0].length, text: found[0] }, atMs: atMs ?? null }]
    }
    // "Expires: never" says something; "expires soon" in a sentence does not.
    const line =
      message
        .slice(match.index + match[0].length)
        .split('\n')[0]
        ?.trim() ?? ''
    return /[:=][ \t]*$/.test(match[0]) && line !== '' && !/^in\b/i.test(line)
      ? [{ span: { start: match.index + match[0].length, length: line.length, text: line }, atMs: null }]
      : []
  })
}

const base = { id: 'expiry', label: 'Expiry', note: 'Within the 5 minutes that a challenge lives' } as const

/** The message's expiry must agree with the answer's, be ahead, and be within 5 minutes. */
export function checkExpiry({ message, answer, nowMs }: Dated): Finding {
  const found = stated(message)
  const fail = (value: string, note: string, sentence: string, span: Span | null): Finding => ({
    ...base,
    value,
    note,
    verdict: 'fail',
    spans: span === null ? [] : [span],
    sentence,
  })
  const problem = (atMs: number | null, span: Span | null): Finding | null => {
    const text = atMs === null ? (span?.text ?? '') : (clockText(atMs) ?? 'never')
    if (atMs === null) return fail(text, 'Not a time', `The message gives no readable expiry: ${text}.`, span)
    if (atMs <= nowMs) return fail(`${text}, over`, 'Over already', `The message expired at ${text}.`, span)
    if (atMs > nowMs + limits.challengeMs + tolerance)
      return fail(text, 'Further off than a challenge lives', `The message is valid for ${durationText(atMs - nowMs)}. A challenge lives 5 min.`, span)
    if (answer.expiresAtMs !== null && Math.abs(atMs - answer.expiresAtMs) >= second) {
      return fail(text, 'Not the one of the answer', `The message expires at ${text}. The answer says ${clockText(answer.expiresAtMs) ?? 'never'}.`, span)
    }
    return null
  }
  for (const { span, atMs } of found) {
    const wrong = problem(atMs, span)
    if (wrong !== null) return wrong
  }
  const first = found[0]
  if (first === undefined || first.atMs === null) {
    const wrong = answer.expiresAtMs === null ? null : problem(answer.expiresAtMs, null)
    return wrong ?? missing(base, 'expiry')
  }
  return { ...base, value: `in ${durationText(first.atMs - nowMs)}`, verdict: 'pass', spans: found.map(({ span }) => span), sentence: null }
}
