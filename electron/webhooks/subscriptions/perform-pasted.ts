import type { InputIssue } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { PastedBody } from '../../../shared/webhooks/pasted.ts'
import { readPasted } from '../../../shared/webhooks/pasted-delivery.ts'
import { performs } from '../../kernel/parsing/perform.ts'
import { deliveryHeaders } from '../verifier/delivery.ts'
import { eventOf, rewrittenJson, textOf } from './inspect-pasted.ts'
import { type Pasted, type PastedGiven, pastedJob } from './pasted-job.ts'

export function readPastedText({ text, index }: PastedGiven): Result<Pasted, InputIssue> {
  const pasted = readPasted(text)
  if (!pasted.ok) return pasted
  const { form, deliveries } = pasted.value
  const at = Math.min(index, deliveries.length - 1)
  const chosen = deliveries[at]
  const [first] = chosen?.bodies ?? []
  if (chosen === undefined || first === undefined) return fail('no_delivery')
  const found = deliveries.map(({ title, headers }) => ({
    title,
    event: headers.find(({ name }) => name.toLowerCase() === deliveryHeaders.event)?.value ?? null,
  }))
  const bodies = chosen.bodies.map(({ bytes, reading }) => ({ bytes, reading, event: eventOf(bytes) }))
  return ok({ form, found, index: at, delivery: { headers: [...chosen.headers], bodies, compact: compact(first) } })
}

function compact({ bytes }: PastedBody): Uint8Array | null {
  const text = textOf(bytes)
  const written = rewrittenJson(text, 0)
  return written === null || written === text ? null : new TextEncoder().encode(written)
}

export const performPasted = performs(pastedJob, readPastedText)
