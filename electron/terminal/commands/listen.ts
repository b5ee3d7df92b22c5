import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { type Lab, openLab } from '../../webhooks/lab/lab.ts'
import { plain } from '../channel/print.ts'
import { type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'
import type { ListenLine, Place } from './listen-line.ts'
import { listenJson, listenText } from './listen-print.ts'

export interface ListenParts {
  /** What the deliveries are signed with. */
  readonly secret: Secret
  readonly place: Place
  readonly stdin: Readable
  readonly stdout: Writable
  readonly say: (sentence: string) => void
  readonly signals: SignalRelay
  readonly clock: Clock
}

/** Paths that are told of. */
const mostStrange = 20

/** Receives deliveries and tells each, until it is told to end. What is typed meanwhile is an event to be sent again. null: it ended well. */
export async function listen(line: ListenLine, { secret, place, stdin, stdout, say, signals, clock }: ListenParts): Promise<Refusal | null> {
  const { forward, json } = line
  const { port, path } = place
  const print = json ? listenJson : listenText
  const strange = new Set<string>()
  /** Each once: a sender tries again. */
  const astray = (to: string) => {
    if (strange.has(to) || strange.size >= mostStrange) return
    strange.add(to)
    say(plain(`Something came to ${to} and was answered 404: deliveries are received at ${path}.`))
  }
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  // Before anything is there to be closed: Ctrl-C counts from the beginning.
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
    const why = opened.failure === 'EADDRINUSE' ? 'something else has it, such as the receiver lab of Svc Desk' : opened.failure
    return refusal('unavailable', `Deliveries cannot be received on port ${port}: ${why}. Name another with --port.`)
  }
  const lab = opened.value
  stdout.write(print.begin(lab.url, forward))
  // A terminal that is closed: nothing is typed there any more.
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

/** By its number, as it stands in the lines, or its id. */
async function sendAgain(lab: Lab, typed: string, forwards: boolean, say: (sentence: string) => void): Promise<void> {
  if (!forwards) return say('Nothing is sent again without --forward.')
  const event = lab.captures.event(typed) ?? lab.captures.events().find(({ number }) => typed.replace(/^#/, '') === String(number))
  if (event === undefined || !(await lab.resend(event.id))) say(`There is no event ${typed} here.`)
}
