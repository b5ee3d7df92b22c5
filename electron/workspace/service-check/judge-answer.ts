import type { AnswerReader } from '../../../shared/api/reader/answer.ts'
import type { Habits } from '../../../shared/api/reader/field.ts'
import type { FieldMap } from '../../../shared/api/reader/field-places.ts'
import type { CheckedResource, CheckOutcome } from '../../../shared/ipc/host/service-check.ts'
import { isOpen } from '../../../shared/service-check.ts'

export interface Judged {
  readonly outcome: Extract<CheckOutcome, 'read' | 'partly' | 'not' | 'empty'>
  readonly resources: readonly CheckedResource[]
}

/** Whether the app can use an answer, and what of it stays unknown. `habits`: what earlier answers of the service show. */
export function judge(reader: AnswerReader<unknown>, json: unknown, fieldMap: FieldMap | undefined, habits?: Habits): Judged {
  const resources = reader.inspect(json, fieldMap).map((one) => ({
    ...one,
    fields: one.fields.map((field) => ({ ...field, suggestions: [...field.suggestions] })),
    unread: [...one.unread],
  }))
  if (!reader.read(json, { fieldMap, habits }).ok) return { outcome: 'not', resources }
  if (resources.length > 0 && resources.every(({ records }) => records === 0)) return { outcome: 'empty', resources }
  return { outcome: resources.some(({ incomplete, fields }) => incomplete > 0 || fields.some(isOpen)) ? 'partly' : 'read', resources }
}

const hashForm = /^0x[0-9a-fA-F]{64}$/
const mostNodes = 20_000

/** Whether an answer names a command or a transaction, under any name: a dry run has neither. What was sent may come back. */
export function namesCommand(json: unknown, sent: unknown): boolean {
  const own = new Set<unknown>()
  walkAll(sent, (_, value) => {
    own.add(value)
    return false
  })
  return walkAll(json, (name, value) => {
    const isNamed = /command|tx_?hash|transaction_?(hash|id)|execution_?id/i.test(name)
    // An id of what was carried out may well be the key that it was sent with.
    if (own.has(value) && !(isNamed && /(?:id|hash)$/i.test(name))) return false
    if (typeof value === 'string' && hashForm.test(value)) return true
    const isSaid = (typeof value === 'string' && value !== '') || typeof value === 'number'
    return isSaid && isNamed
  })
}

/** Whether anything in it is found, or there is more than can be looked at. */
function walkAll(json: unknown, isFound: (name: string, value: unknown) => boolean): boolean {
  const rest: [string, unknown][] = [['', json]]
  for (let count = 0; count < mostNodes; count += 1) {
    const next = rest.pop()
    if (next === undefined) return false
    const [name, value] = next
    if (isFound(name, value)) return true
    if (typeof value === 'object' && value !== null) rest.push(...Object.entries(value))
  }
  return rest.length > 0
}
