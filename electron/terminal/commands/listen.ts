import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { deliveryIssueText, outcomeText } from '../../../shared/text/delivery-text.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { CapturedEvent, Captures } from '../../webhooks/lab/captures.ts'
import { type Forwarded, isTaken } from '../../webhooks/lab/forwarder.ts'
import { type Heard, type Lab, openLab } from '../../webhooks/lab/lab.ts'
import { plain, type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { ListenLine, Place } from './command-line.ts'

export interface ListenParts {
  readonly secret: Secret
  readonly place: Place
  readonly stdin: Readable
  readonly stdout: Writable
  readonly say: (sentence: string) => void
  readonly signals: SignalRelay
  readonly clock: Clock
}

/** Maximum number of wrong delivery paths that are reported. */
const mostStrange = 20

/**
 * Receives deliveries and prints what they contain, until a signal stops it. The user can type an event's number or id to send the event again.
 * Returns null after a normal end.
 */
export async function listen(line: ListenLine, { secret, place, stdin, stdout, say, signals, clock }: ListenParts): Promise<Refusal | null> {
  const { forward, json } = line
  const { port, path } = place
  const print = json ? listenJson : listenText
  const strange = new Set<string>()
  /** Reports a delivery to a wrong path. Reports each path only once, because a sender repeats failed deliveries. */
  const astray = (to: string) => {
    if (strange.has(to) || strange.size >= mostStrange) return
    strange.add(to)
    say(plain(`A request to ${to} got 404. Send deliveries to ${path}.`))
  }
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  // Register this before anything else, so that Ctrl-C always works.
  signals.here(() => stop())
  const opened = await openLab({
    secret,
    port,
    path,
    to: forward,
    answer: () => line.answer,
    astray,
    heard: (heard) => void stdout.write(print.heard(heard)),
    clock,
  })
  if (!opened.ok) {
    const why = opened.failure === 'EADDRINUSE' ? 'another program uses it, such as the receiver lab of Svc Desk' : opened.failure
    return refusal('unavailable', `listen cannot receive on port ${port}: ${why}. Choose another with --port.`)
  }
  const lab = opened.value
  stdout.write(print.begin(lab.url, forward))
  stdin.on('error', () => undefined)
  const typed = createInterface({ input: stdin })
  typed.on('line', (words) => {
    if (words.trim() !== '') void sendAgain(lab, words.trim(), forward !== null, say)
  })
  await stopped
  typed.close()
  await lab.close()
  stdout.write(print.end(lab.captures))
  return null
}

/** Sends an event again. The user names it by its id or by its number in the output. */
async function sendAgain(lab: Lab, typed: string, forwards: boolean, say: (sentence: string) => void): Promise<void> {
  if (!forwards) return say('listen sends an event again only with --forward.')
  const event = lab.captures.event(typed) ?? lab.captures.events().find(({ number }) => typed.replace(/^#/, '') === String(number))
  if (event === undefined || !(await lab.resend(event.id))) say(`There is no event ${typed} here. Type a number from the lines above.`)
}

/** The texts that `svc-desk listen` prints. Each includes its line end. */
interface ListenPrint {
  begin(url: string, forward: URL | null): string
  heard(heard: Heard): string
  end(captures: Captures): string
}

const listed = 20

/** Prints deliveries as text for people. Times use this computer's time zone. */
const listenText: ListenPrint = {
  begin: (url, forward) =>
    lines(
      `Receiving deliveries at ${url}`,
      forward === null ? 'Forwarding to nobody: name your endpoint with --forward.' : `Forwarding verified deliveries to ${forward}`,
      'Point a tunnel or a practice webhook there. Type an event’s number and Enter to send it again. Press Ctrl-C to stop.',
    ),
  heard(heard) {
    const time = new Date(heard.atMs).toTimeString().slice(0, 8)
    if (heard.kind === 'unverified') {
      const { id, type } = heard.claims
      return lines(
        `${time}  --  ${claimed(type)}  ${claimed(id)}  NOT VERIFIED at step ${heard.failed.step}: ${deliveryIssueText(heard.failed.issue)}  not forwarded`,
      )
    }
    const { event, kind, attempt, forwarded } = heard
    const about = [
      `attempt ${attempt}`,
      kind === 'resent' ? 'sent again with a new signature' : 'verified',
      ...(kind === 'duplicate' ? ['duplicate'] : []),
      ...(kind === 'duplicate' && event.attempts.find(({ number }) => number === attempt)?.same === false ? ['different bytes'] : []),
      ...links(event),
    ]
    return lines(`${time}  ${nameOf(event)}  ${about.join(', ')}  ${forwardedText(forwarded)}`)
  },
  end(captures) {
    const { deliveries, events, duplicates, corrections, refused, droppedEvents, droppedUnverified } = captures.counts()
    const from = Math.max(0, events - listed)
    const dropped = [...(droppedEvents > 0 ? [count(droppedEvents, 'event')] : []), ...(droppedUnverified > 0 ? [`${droppedUnverified} not verified`] : [])]
    return lines(
      '',
      `${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}: ${count(events + droppedEvents, 'event')}, ${count(duplicates, 'duplicate')}, ${count(corrections, 'correction')}, ${refused} not verified.`,
      ...(dropped.length > 0 ? [`The oldest were dropped: ${dropped.join(', ')}.`] : []),
      ...(events > 0 ? [from > 0 ? `The last ${listed}, by created_at:` : 'By created_at:'] : []),
      ...captures
        .events(from)
        .map((event) => [`  ${iso(event.createdAt * 1_000)}  ${nameOf(event)}`, [count(event.attemptCount, 'attempt'), ...links(event)].join(', ')].join('  ')),
    )
  },
}

/** Prints deliveries for scripts: one JSON object per line. Times are ISO 8601 in UTC. */
const listenJson: ListenPrint = {
  begin: (url, forward) => object({ type: 'listening', url, forward: forward === null ? null : String(forward) }),
  heard(heard) {
    if (heard.kind === 'unverified') {
      const { atMs, failed, claims } = heard
      return object({ type: 'delivery', at: iso(atMs), verified: false, step: failed.step, detail: deliveryIssueText(failed.issue), claims })
    }
    const { kind, atMs, attempt, forwarded, event } = heard
    const { number, id, createdAt, revokes, revokedBy } = event
    const shown = { number, id, type: event.type, createdAt: iso(createdAt * 1_000), revokes, revokedBy }
    return object({
      type: kind === 'resent' ? 'resent' : 'delivery',
      at: iso(atMs),
      verified: true,
      duplicate: kind === 'duplicate',
      attempt,
      event: shown,
      forwarded: forwarded === null || 'status' in forwarded ? forwarded : { outcome: forwarded.outcome, detail: outcomeText(forwarded), ms: forwarded.ms },
    })
  },
  end: (captures) => object({ type: 'summary', ...captures.counts() }),
}

const lines = (...texts: string[]): string => `${texts.map(plain).join('\n')}\n`
const object = (value: object): string => `${JSON.stringify(value).replace(steering, escaped)}\n`
/** Characters that JSON does not escape but that could control a terminal. */
const steering = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
const escaped = (sign: string): string => Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
const nameOf = ({ number, type, id }: CapturedEvent): string => `#${number}  ${type}  ${id}`
const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
/** Shortens a text from a delivery, because any program may have sent it and may have chosen its length. Returns `?` if the text is missing. */
const claimed = (text: string | null): string => (text === null ? '?' : text.slice(0, 96))

/** Formats a time as ISO 8601. Accepts any number of milliseconds; shows the number itself if no date can represent it. */
function iso(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString()
}

const links = ({ revokes, revokedBy }: CapturedEvent): string[] => [
  ...(revokes === null ? [] : [`takes back ${revokes.id}${revokes.captured ? '' : ' (not captured)'}`]),
  ...(revokedBy.length === 0 ? [] : [`taken back by ${revokedBy.join(' and ')}`]),
]

function forwardedText(forwarded: Forwarded | null): string {
  if (forwarded === null) return 'not forwarded'
  if (!('status' in forwarded)) return `not delivered: ${outcomeText(forwarded)}`
  const answered = `forwarded: ${forwarded.status} in ${forwarded.ms} ms`
  if (isTaken(forwarded)) return answered
  return `${answered}, ${forwarded.outcome === 'redirected' ? 'a redirect is not followed and ' : ''}counts as failed`
}
