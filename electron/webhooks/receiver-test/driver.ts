import { limits } from '../../../shared/api/limits.ts'
import { redactText } from '../../../shared/api/redact.ts'
import type { Alteration, ReceiverAnswer, ReceiverTestCheck } from '../../../shared/ipc/webhooks/receiver-test.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { isCorrection, type SampleEvent, type SentEventName, sampleEvent, type unknownEvent } from '../../../shared/webhooks/events.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import { Secret } from '../../kernel/secret.ts'
import { masked } from '../../store/secrets/mask.ts'
import type { Answer, Post, Posted } from '../subscriptions/post.ts'
import { macOf, signatureVersion, signedHeaders } from '../verifier/delivery.ts'
import { gotOf } from './check-result.ts'

/** How a forged delivery differs from a genuine one. */
export interface Altered {
  readonly what: Alteration
  /** Signs the forged delivery with this secret instead of the receiver's. */
  readonly secret?: string
  readonly ageS?: number
  /** Changes the delivery after it was signed, so that the signature no longer fits. */
  readonly change?: (signed: Posted) => Posted
}

type Exchange = ReceiverTestCheck['exchanges'][number]

export interface Attempted {
  readonly event: SampleEvent
  readonly attempt: number
  readonly answer: Answer
}

/** Sends the deliveries of one check and records them. */
export interface Driver {
  /** Makes an event with a new id, created `agoS` seconds ago. */
  event(type: SentEventName | typeof unknownEvent, over?: { readonly agoS?: number; readonly id?: string; readonly revokes?: string }): SampleEvent
  /** Sends one attempt as the service does. `body` replaces the JSON text that `JSON.stringify` would produce. */
  once(event: SampleEvent, over?: { readonly attempt?: number; readonly body?: string }): Promise<Attempted>
  /** Sends as the service does: retries after 2, 4 and 8 s on 5xx or 429. Returns the last attempt. */
  deliver(event: SampleEvent, over?: { readonly body?: string }): Promise<Attempted>
  /** Sends one forged attempt, which the receiver must refuse. */
  forge(event: SampleEvent, alteration: Altered): Promise<Attempted>
  /** Waits as long as the service does after attempt 1, 2 or 3. */
  pause(attempt: number): Promise<unknown>
  readonly secret: Secret
  readonly exchanges: readonly Exchange[]
}

/** Everything that the checks of one receiver test sent. Some results can be judged only at the end, from all these deliveries. */
export interface Notes {
  /** Attempts that the receiver must accept. */
  readonly valid: Attempted[]
  /** `forged`: ids of events on which the receiver must not act. `doubled`: ids of events that were sent more than once. */
  readonly forged: Set<string>
  readonly doubled: Set<string>
}

export interface DriverParts {
  readonly url: string
  readonly secret: Secret
  readonly post: Post
  readonly clock: Clock
  readonly sleep: Sleep
  readonly newId: () => string
  readonly signal: AbortSignal
  readonly notes: Notes
}

const { attempts, waitsMs } = limits.webhookDelivery
const hasBadMoment = ({ answer }: Attempted) => answer.outcome === 'answered' && (answer.status >= 500 || answer.status === 429)

export function createDriver({ url, secret, post, clock, sleep, newId, signal, notes }: DriverParts): Driver {
  const exchanges: Exchange[] = []
  const nowS = () => Math.floor(clock.now() / 1_000)

  const send = async (event: SampleEvent, attempt: number, body: string, alteration: Altered | null): Promise<Attempted> => {
    const timestampS = nowS() - (alteration?.ageS ?? 0)
    const bytes = Buffer.from(body)
    const headers = signedHeaders({ id: event.id, type: event.type, body: bytes, secret: alteration?.secret ?? secret.reveal(), timestampS })
    const posted = alteration?.change?.({ headers, body: bytes }) ?? { headers, body: bytes }
    // The receiver may read the event id from the body or from the header, so it must not act on either id.
    if (alteration !== null) for (const id of [event.id, posted.headers['X-Svc-Event-ID'] ?? event.id]) notes.forged.add(id)
    const answer = await post(url, posted, signal)
    exchanges.push({
      sent: { type: event.type, eventId: event.id, attempt, timestampS, bytes: posted.body.length, altered: alteration?.what ?? null },
      answered: { ...gotOf({ answer }), ms: answer.ms, said: excerptOf(answer, secret, [{ headers, body: bytes }, posted]) },
    })
    return { event, attempt, answer }
  }

  const driver: Driver = {
    event: (type, { agoS = 0, id = newId(), revokes } = {}) => sampleEvent(type, { id, createdAtS: nowS() - agoS, ...(revokes !== undefined && { revokes }) }),
    async once(event, { attempt = 1, body = JSON.stringify(event) } = {}) {
      if (notes.valid.some((before) => before.event.id === event.id)) notes.doubled.add(event.id)
      const attempted = await send(event, attempt, body, null)
      notes.valid.push(attempted)
      return attempted
    },
    async deliver(event, over) {
      let last = await driver.once(event, over)
      while (hasBadMoment(last) && last.attempt < attempts && !signal.aborted) {
        await driver.pause(last.attempt)
        last = await driver.once(event, { ...over, attempt: last.attempt + 1 })
      }
      return last
    },
    forge: (event, alteration) => send(event, 1, JSON.stringify(event), alteration),
    pause: (attempt) => sleep(waitsMs[attempt - 1] ?? 0, signal),
    secret,
    exchanges,
  }
  return driver
}

/** Sends one signed sample event once, without retries. Returns the event's id and the receiver's response. */
export async function sendSample(
  type: SentEventName,
  { url, secret, post, clock, newId, signal }: Pick<DriverParts, 'url' | 'secret' | 'post' | 'clock' | 'newId'> & { readonly signal?: AbortSignal },
): Promise<{ readonly id: string; readonly answered: ReceiverAnswer }> {
  const timestampS = Math.floor(clock.now() / second)
  const event = sampleEvent(type, { id: newId(), createdAtS: timestampS, ...(isCorrection(type) && { revokes: newId() }) })
  const body = Buffer.from(JSON.stringify(event))
  const posted = { body, headers: signedHeaders({ id: event.id, type, body, secret: secret.reveal(), timestampS }) }
  const answer = await post(url, posted, signal)
  return { id: event.id, answered: { ...gotOf({ answer }), ms: answer.ms, said: excerptOf(answer, secret, [posted]) } }
}

const shownCharacters = 200

/**
 * Returns the receiver's answer as one line of text. Masks the secret and each correct signature of a delivery, in case the receiver printed them.
 */
export function excerptOf(answer: Answer, secret: Secret, sent: readonly Posted[]): string {
  if (answer.outcome !== 'answered') return ''
  const text = [secret, ...sent.flatMap((posted) => signaturesOf(posted, secret))].reduce(masked, answer.excerpt)
  return redactText(text).slice(0, shownCharacters)
}

/** Returns the signature that was sent and the correct one, in the forms in which a receiver may print them. */
function signaturesOf({ headers, body }: Posted, secret: Secret): Secret[] {
  const mac = macOf(secret.reveal(), headers['X-Svc-Timestamp'] ?? '', body)
  const bytes = Buffer.from(mac, 'hex')
  const sent = headers['X-Svc-Signature']?.slice(signatureVersion.length) ?? ''
  const forms = [mac, mac.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url'), sent]
  return forms.filter((form) => form !== '').map((form) => new Secret(form))
}
