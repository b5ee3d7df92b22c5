import type { AnswerReader } from '../../shared/api/reader/answer.ts'
import type { FieldMap } from '../../shared/api/reader/field-map.ts'
import type { CheckedResource, CheckOutcome } from '../../shared/ipc/service-check.ts'
import { isOpen } from '../../shared/service-check/open-field.ts'

export interface Judged {
  readonly outcome: Extract<CheckOutcome, 'read' | 'partly' | 'not' | 'empty'>
  readonly resources: readonly CheckedResource[]
}

/** Whether the app can use an answer, and what of it stays unknown. */
export function judge(reader: AnswerReader<unknown>, json: unknown, fieldMap: FieldMap | undefined): Judged {
  const resources = reader.inspect(json, fieldMap).map((one) => ({
    ...one,
    fields: one.fields.map((field) => ({ ...field, suggestions: [...field.suggestions] })),
    unread: [...one.unread],
  }))
  if (!reader.read(json, { fieldMap }).ok) return { outcome: 'not', resources }
  if (resources.length > 0 && resources.every(({ records }) => records === 0)) return { outcome: 'empty', resources }
  return { outcome: resources.some(({ fields }) => fields.some(isOpen)) ? 'partly' : 'read', resources }
}

const hashForm = /^0x[0-9a-fA-F]{64}$/
const mostNodes = 20_000

/** Whether an answer names a command or a transaction, under whatever name: a dry run has neither. */
export function namesCommand(json: unknown): boolean {
  const rest: unknown[] = [json]
  for (let count = 0; rest.length > 0 && count < mostNodes; count += 1) {
    const node = rest.pop()
    if (typeof node === 'string' && hashForm.test(node)) return true
    if (typeof node !== 'object' || node === null) continue
    for (const [name, value] of Object.entries(node)) {
      const isSaid = (typeof value === 'string' && value !== '') || typeof value === 'number'
      if (isSaid && /command|tx_?hash|transaction_?(hash|id)|execution_?id/i.test(name)) return true
      rest.push(value)
    }
  }
  return rest.length > 0
}
