import { type Finding, missing, type Span, tokenSpans } from './challenge-finding.ts'

/** Links, host names, IP addresses and localhost with their ports. Letters of any script, so that a look-alike is seen whole. */
const hostToken =
  /(?:[a-z][a-z0-9+.-]*:\/\/[^\s<>"'()]+)|(?:\[[0-9a-f:]+\](?::\d{1,5})?)|(?<![\p{L}\p{N}.@-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+))(?::\d{1,5})?(?![\p{L}\p{N}])/giu

interface Named extends Span {
  /** Host name with its port, as a URL writes it; null where a link names none. */
  readonly host: string | null
}

/** `e.g` and `i.e` look like names, and are not. */
const isAbbreviation = (text: string): boolean => text.split('.').every((part) => part.length === 1)

function hostsIn(message: string): readonly Named[] {
  return tokenSpans(message, hostToken)
    .filter((span) => !isAbbreviation(span.text))
    .map((span) => {
      const text = span.text.replace(/[.,;:!?]+$/, '')
      const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
      return { ...span, text, length: text.length, host: url === null || url.username !== '' ? null : url.host }
    })
}

/** The same host; one that is named without its port is the same too. */
const isHost = (named: string | null, expected: string): boolean => named !== null && (named === expected || named === expected.replace(/:\d+$/, ''))

const base = { id: 'host', label: 'Host', note: 'The one pinned in this profile' } as const

export function hostCheck(message: string, expected: string): Finding {
  const named = hostsIn(message)
  const right = named.filter((span) => isHost(span.host, expected))
  if (right.length > 0) return { ...base, value: expected, verdict: 'pass', spans: right, sentence: null }
  const wrong = named[0]
  if (wrong === undefined) return missing(base, 'host')
  return {
    ...base,
    value: wrong.text,
    note: 'Not the host of this profile',
    verdict: 'fail',
    spans: [wrong],
    sentence: `The message is from the host ${wrong.text}. This profile is for ${expected}.`,
  }
}

/** A host other than the expected one, wherever it stands. */
export const otherHost = (message: string, expected: string): Span | null => hostsIn(message).find((span) => !isHost(span.host, expected)) ?? null
