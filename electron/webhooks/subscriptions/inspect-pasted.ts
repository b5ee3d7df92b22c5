import { endOfText } from '../../../shared/foreign/foreign.ts'
import type { Input, Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { StoredSecrets } from '../../store/secrets/stored-secrets.ts'
import { type Delivery, deliveryHeaders } from '../verifier/delivery.ts'
import { type Checked, inspectDelivery, isSignedWith, readEvent } from '../verifier/verify.ts'
import { type PastedDelivery, pastedJob } from './pasted-job.ts'

type Asked = Input<'webhooks.inspect'>
type Inspected = Extract<Output<'webhooks.inspect'>, { kind: 'read' }>

interface Candidate {
  readonly id: string
  readonly url: string
  readonly secret: Secret
}

interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly untried: Inspected['untried']
}

function headersOf({ headers }: PastedDelivery): Delivery['headers'] {
  const values = new Map<string, string[]>()
  for (const { name, value } of headers) values.set(name.toLowerCase(), [...(values.get(name.toLowerCase()) ?? []), value])
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

const isSigned = (checks: readonly Checked[]): boolean => checks.some(({ step, result }) => step === 'signature' && result === 'passed')

function verdictOf(checks: readonly Checked[]): Inspected['verdict'] {
  const wrong = checks.filter(({ result }) => result === 'failed').map(({ step }) => step)
  if (wrong.some((step) => step !== 'age')) return 'wrong'
  if (!isSigned(checks)) return 'unknown'
  return wrong.length === 0 ? 'right' : 'old'
}

/**
 * Returns the first pair of body and secret for which the signature is correct. If no pair fits, returns the pasted body with the first secret.
 * But if no pair fits and a secret was unreadable, returns the body without a secret, because the unreadable secret may be the right one.
 */
function inspect(delivery: PastedDelivery, { candidates, untried }: Candidates, nowMs: number) {
  const headers = headersOf(delivery)
  const checked = (bytes: Uint8Array, candidate: Candidate | null) =>
    inspectDelivery({ headers, body: bytes }, { secret: candidate?.secret.reveal() ?? null, nowMs })
  const signs = (bytes: Uint8Array) => candidates.find(({ secret }) => isSignedWith({ headers, body: bytes }, secret.reveal()))
  for (const body of delivery.bodies) {
    const signer = signs(body.bytes)
    if (signer !== undefined) return { checks: checked(body.bytes, signer), body, signer: { id: signer.id, url: signer.url }, reformatted: false }
  }
  const [asPasted = { bytes: new Uint8Array(), reading: 'pasted', event: null } as const] = delivery.bodies
  const reformatted = delivery.compact !== null && signs(delivery.compact) !== undefined
  return { checks: checked(asPasted.bytes, untried === null ? (candidates[0] ?? null) : null), body: asPasted, signer: null, reformatted }
}

export interface InspectPastedDeps {
  readonly stored: Pick<StoredSecrets, 'entries' | 'secretOf'>
  readonly clock: Clock
  readonly parsing: Parsing
}

/** Checks pasted deliveries with the signing secrets stored here. No secret leaves this process. */
export function createInspectPasted({ stored, clock, parsing }: InspectPastedDeps): Handlers<'webhooks.inspect' | 'webhooks.kept'> {
  const kept = () => stored.entries().map(({ keyId, label }) => ({ id: keyId, url: label }))

  const secretsFor = async (against: Asked['against']): Promise<Candidates> => {
    if (against.kind === 'nothing') return { candidates: [], untried: 'chosen' }
    const wanted = kept().filter(({ id }) => against.kind === 'kept' || id === against.webhookId)
    if (wanted.length === 0) return { candidates: [], untried: against.kind === 'kept' ? 'none_kept' : 'not_here' }
    const candidates: Candidate[] = []
    let untried: Inspected['untried'] = null
    for (const webhook of wanted) {
      const secret = await stored.secretOf(webhook.id)
      if (!secret.ok) untried = secret.failure.code === 'locked' ? 'keychain_locked' : 'keychain_failed'
      else if (secret.value === null) untried ??= 'not_here'
      else candidates.push({ ...webhook, secret: secret.value })
    }
    return { candidates, untried }
  }

  return {
    'webhooks.kept': async () => ok(kept()),
    'webhooks.inspect': async ({ text, against, index }): Promise<Result<Output<'webhooks.inspect'>, Failure>> => {
      const read = await parsing.run(pastedJob, { text, index })
      if (!read.ok) return read
      if (!read.value.ok) return ok({ kind: 'unreadable', issue: read.value.failure })
      const { form, found, index: at, delivery } = read.value.value
      const secrets = await secretsFor(against)
      const nowMs = clock.now()
      const { checks, body, signer, reformatted } = inspect(delivery, secrets, nowMs)
      const timestamp = delivery.headers.find(({ name }) => name.toLowerCase() === deliveryHeaders.timestamp)?.value ?? ''
      const sentAtMs = checks.some(({ step, result }) => step === 'timestamp' && result === 'passed') ? Number(timestamp) * second : null
      return ok({
        kind: 'read',
        form,
        found,
        index: at,
        verdict: verdictOf(checks),
        checks: checks.map((one) => ({ ...one })),
        signer,
        tried: secrets.candidates.length,
        // If one secret matches, it doesn't matter that others were unreadable.
        untried: signer === null ? secrets.untried : null,
        body: { bytes: body.bytes.length, text: textOf(body.bytes), reading: body.reading, reformatted },
        headers: serviceFirst(delivery.headers),
        sentAtMs,
        ageMs: sentAtMs === null ? null : nowMs - sentAtMs,
        event: body.event,
      })
    },
  }
}

type InspectedInspected = Extract<Output<'webhooks.inspect'>, { kind: 'read' }>

const order: readonly string[] = [
  deliveryHeaders.event,
  deliveryHeaders.eventId,
  deliveryHeaders.timestamp,
  deliveryHeaders.signature,
  deliveryHeaders.userAgent,
]
const rank = (name: string) => (order.indexOf(name.toLowerCase()) + order.length + 1) % (order.length + 1)

/** Sorts the service's headers before others. */
export const serviceFirst = <H extends { readonly name: string }>(headers: readonly H[]): H[] =>
  headers.toSorted((one, other) => rank(one.name) - rank(other.name))

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

/** The event in a body, for display; `null` if the body is not readable. */
export function eventOf(bytes: Uint8Array): InspectedInspected['event'] {
  const event = readEvent(bytes)
  if ('step' in event) return null
  const { id, type, createdAt, revokedEventId } = event
  return { id, type, createdAtMs: createdAt * second, revokedEventId, whole: rewrittenJson(textOf(bytes), 2) }
}

/** Node has `JSON` functions that TypeScript's library does not type: for the source text of a number, and for raw JSON. */
const json = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

/** JSON that nests deeper than this is not reformatted, because indentation could turn a text of 20 KB into hundreds of megabytes. */
const deepest = 64

/** Whether lists and objects nest at most `deepest` levels. Reads the text only once, so long texts are fast too. */
function isShallow(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1)
    switch (text.charAt(at)) {
      case '"':
        at = endOfText(text, at + 1)
        break
      case '[':
      case '{':
        depth += 1
        if (depth > deepest) return false
        break
      case ']':
      case '}':
        depth -= 1
    }
  return true
}

/**
 * Returns the same JSON with other white space, and keeps every digit of its numbers. `null` if the text is not JSON or nests too deep.
 */
export function rewrittenJson(text: string, indent: number): string | null {
  if (!isShallow(text)) return null
  try {
    return JSON.stringify(
      json.parse(text, (_key, value, { source }) => (typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value)),
      null,
      indent,
    )
  } catch {
    return null
  }
}
