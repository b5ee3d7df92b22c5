import { createHmac } from 'node:crypto'
import type { TestTime } from './test-time.ts'

export const testSecret = `svc_whsec_${'f00d'.repeat(16)}`

export interface Incoming {
  readonly headers: Readonly<Record<string, string>>
  readonly raw: Buffer
}

/** A receiver’s response: status, redirect address and body; `null` cuts the connection. */
export type Outgoing = { readonly status: number; readonly location?: string; readonly says?: string } | null

export interface Receiver {
  take(incoming: Incoming): Promise<Outgoing>
  /** The ids of events on which the receiver acted. If it acted on an event twice, the id occurs twice. */
  readonly acted: readonly string[]
}

interface Memory {
  readonly seen: ReadonlySet<string>
  readonly newestS: number
}

interface ReadEvent {
  readonly id: string
  readonly type: string
  readonly created_at: number
  readonly revoked_event_id?: string
}

/** Computes the correct signature, or with `over` a signature with another key or body. */
type SignatureOf = (over?: { readonly key?: string; readonly body?: string }) => string

/** A receiver’s faults. In everything else, the receiver behaves correctly. */
export interface Faults {
  /** A wrong signature check. Returns whether the receiver accepts the signature. */
  readonly verifies?: (given: string | undefined, signatureOf: SignatureOf, raw: Buffer) => boolean
  readonly toleranceS?: number
  readonly takesAnyId?: boolean
  /** The response to an event if it differs from the correct 204. */
  readonly answers?: (event: ReadEvent, memory: Memory) => Outgoing | undefined
  readonly answersAfterMs?: number
  readonly actsTwice?: boolean
  readonly actsFirst?: boolean
}

/** A receiver that follows the API document (section Events), written independently of the product’s verifier. */
export function createReceiver(time: Pick<TestTime, 'clock' | 'sleep'>, faults: Faults = {}, secret = testSecret): Receiver {
  const acted: string[] = []
  const seen = new Set<string>()
  let newestS = 0
  const { toleranceS = 300, answersAfterMs, verifies = (given: string | undefined, signatureOf: SignatureOf) => given === signatureOf() } = faults
  return {
    acted,
    async take({ headers, raw }) {
      const timestamp = headers['x-svc-timestamp'] ?? ''
      const signatureOf: SignatureOf = ({ key = secret, body } = {}) =>
        `v1=${createHmac('sha256', key)
          .update(`${timestamp}.`)
          .update(body ?? raw)
          .digest('hex')}`
      const event = JSON.parse(raw.toString()) as ReadEvent // safe cast: the event comes from a test
      if (faults.actsFirst) acted.push(event.id)
      if (time.clock.now() / 1_000 - Number(timestamp) > toleranceS) return { status: 401 }
      if (!verifies(headers['x-svc-signature'], signatureOf, raw)) return { status: 401 }
      const id = headers['x-svc-event-id'] ?? ''
      if (id !== event.id && !faults.takesAnyId) return { status: 400 }
      const answer = faults.answers?.(event, { seen, newestS })
      seen.add(id)
      newestS = Math.max(newestS, event.created_at)
      if (answer !== undefined) return answer
      if (!acted.includes(id) || faults.actsTwice) acted.push(id)
      if (answersAfterMs !== undefined) await time.sleep(answersAfterMs)
      return { status: 204 }
    },
  }
}

const known = [
  ...['order.accepted', 'order.filled', 'order.partially_filled', 'order.cancelled', 'position.changed', 'liquidation', 'funding.charged', 'funding.credited'],
  ...['collateral.changed', 'transaction.confirmed', 'transaction.reverted', 'transaction.pending', 'chain.reorg'],
]

/** Receivers with one fault each. `found`: the check of the receiver test that must report the fault. `besides`: other checks that also fail. */
export const brokenReceivers: readonly { readonly fault: string; readonly faults: Faults; readonly found: string; readonly besides?: readonly string[] }[] = [
  {
    fault: 'verifies nothing but the age',
    faults: { verifies: () => true },
    found: 'wrong_signature',
    besides: ['no_signature', 'wrong_secret', 'whole_secret', 'changed_body', 'changed_timestamp', 'acted_on_forged'],
  },
  {
    fault: 'verifies the body as it writes it anew after parsing',
    faults: { verifies: (given, signatureOf, raw) => given === signatureOf({ body: JSON.stringify(JSON.parse(raw.toString())) }) },
    found: 'raw_bytes',
    besides: ['changed_body', 'acted_on_forged'],
  },
  { fault: 'takes any age', faults: { toleranceS: Number.POSITIVE_INFINITY }, found: 'stale', besides: ['acted_on_forged'] },
  {
    fault: 'cuts the beginning of the secret',
    faults: { verifies: (given, signatureOf) => given === signatureOf({ key: testSecret.slice('svc_whsec_'.length) }) },
    found: 'whole_secret',
    besides: ['valid'],
  },
  { fault: 'redirects', faults: { answers: () => ({ status: 302, location: '/elsewhere' }) }, found: 'redirect', besides: ['valid'] },
  { fault: 'answers after 5 s', faults: { answersAfterMs: 5_000 }, found: 'in_time', besides: ['valid'] },
  {
    fault: 'answers 500 to what it has seen',
    faults: { answers: ({ id }, { seen }) => (seen.has(id) ? { status: 500 } : undefined) },
    found: 'duplicate',
    besides: ['retry'],
  },
  { fault: 'falls over a type that it does not know', faults: { answers: ({ type }) => (known.includes(type) ? undefined : null) }, found: 'unknown_type' },
  {
    fault: 'knows order events alone',
    faults: { answers: ({ type }) => (type.startsWith('order.') || type === 'sample.unknown' ? undefined : { status: 422 }) },
    found: 'event_types',
    besides: ['correction', 'retry', 'burst'],
  },
  {
    fault: 'refuses corrections',
    faults: { answers: (event) => (event.revoked_event_id === undefined ? undefined : { status: 409 }) },
    found: 'correction',
  },
  {
    fault: 'takes what has no signature',
    faults: { verifies: (given, signatureOf) => given === undefined || given === signatureOf() },
    found: 'no_signature',
    besides: ['acted_on_forged'],
  },
  {
    fault: 'compares the first digits of the signature',
    faults: { verifies: (given, signatureOf) => given?.slice(0, 20) === signatureOf().slice(0, 20) },
    found: 'wrong_signature',
    besides: ['acted_on_forged'],
  },
  { fault: 'goes by the id of the header', faults: { takesAnyId: true }, found: 'id_mismatch', besides: ['acted_on_forged'] },
  {
    fault: 'refuses what is older than the last',
    faults: { answers: ({ created_at }, { newestS }) => (created_at < newestS ? { status: 409 } : undefined) },
    found: 'out_of_order',
    besides: ['correction'],
  },
  { fault: 'acts on every delivery', faults: { actsTwice: true }, found: 'acted_once' },
  { fault: 'acts before it verifies', faults: { actsFirst: true }, found: 'acted_on_forged', besides: ['acted_once'] },
]
