import type { Writable } from 'node:stream'
import { limits } from '../../../shared/api/limits.ts'
import { second } from '../../../shared/time.ts'
import { eventGroups } from '../../../shared/webhooks/events.ts'
import { corrections, sampleEvent, sentEvents } from '../../../shared/webhooks/samples.ts'
import { answerText } from '../../webhooks/receiver-test/driver.ts'
import type { ReceiverTestParts } from '../../webhooks/receiver-test/receiver-test.ts'
import { shownUrl } from '../../webhooks/receiver-test/target.ts'
import { signedHeaders } from '../../webhooks/verifier/sign.ts'
import { meant } from '../channel/nearest.ts'
import { exitCodes, type Refusal, refusal } from '../channel/refusal.ts'
import type { ReceiverLine } from './receiver-line.ts'
import { agreeTarget, type ReceiverParts } from './receiver-target.ts'

/** `svc-desk trigger --list`: names, and when each is sent. */
export function eventsText(): string {
  const width = Math.max(...sentEvents.map((name) => name.length))
  const rows = eventGroups.flatMap(({ events }) => events).filter(({ name }) => sentEvents.includes(name))
  return rows.map(({ name, when, remark }) => `${name.padEnd(width)}  ${when}${remark === null ? '' : ` (${remark})`}\n`).join('')
}

export interface TriggerParts extends ReceiverParts, Omit<ReceiverTestParts, 'sleep'> {
  readonly stdout: Writable
}

const notTaken = `: not taken, since a receiver answers 2xx within ${limits.webhookDelivery.answerMs / second} s`

/** Sends one signed sample event, once. Gives the exit code: 0 where it was answered 2xx in time. */
export async function trigger(line: Extract<ReceiverLine, { action: 'trigger' }>, parts: TriggerParts): Promise<number | Refusal> {
  const { post, clock, newId, stdout } = parts
  const { event: type } = line
  if (!sentEvents.includes(type))
    return refusal('usage', `The service sends no ${type}.${meant(type, sentEvents)} \`svc-desk trigger --list\` names what it sends.`)
  const agreed = await agreeTarget(line, parts)
  if (!agreed.ok) return agreed.failure
  const { target, secret } = agreed.value
  const timestampS = Math.floor(clock.now() / 1_000)
  const event = sampleEvent(type, { id: newId(), createdAtS: timestampS, ...(corrections.includes(type) && { revokes: newId() }) })
  const body = Buffer.from(JSON.stringify(event))
  const posted = { body, headers: signedHeaders({ id: event.id, type, body, secret: secret.reveal(), timestampS }) }
  const answer = await post(target.url, posted)
  const status = answer.outcome === 'answered' ? answer.status : null
  const isTaken = status !== null && status >= 200 && status < 300
  const text = answerText(answer, secret, [posted])
  const shown = { event: type, id: event.id, url: shownUrl(target.url), taken: isTaken, outcome: answer.outcome, status, ms: answer.ms, answer: text }
  stdout.write(
    line.json ? `${JSON.stringify(shown, null, 2)}\n` : `${type} ${event.id}\n${text}, after ${answer.ms} ms${isTaken || status === null ? '' : notTaken}\n`,
  )
  return isTaken ? 0 : exitCodes.notTaken
}
