import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeyQuota } from '../../../shared/ipc/keys/keys.ts'

/** What a JSON number holds exactly; which values the service takes is not shown (Limits). */
const number = /^\d{1,15}(\.\d{1,6})?$/

/** `bad_input` for the first quota that is no number or that is named twice; null: all can be sent. */
export function quotaIssue(quotas: readonly KeyQuota[]): Failure | null {
  for (const [index, { name, value }] of quotas.entries()) {
    if (!number.test(value)) return { kind: 'bad_input', field: `quotas.${index}.value`, issue: 'not_a_number' }
    if (quotas.findIndex((other) => other.name === name) !== index) return { kind: 'bad_input', field: `quotas.${index}.name`, issue: 'named twice' }
  }
  return null
}

/** The quotas of a record as they are shown; a value that is no number as its JSON text. */
export const shownQuotas = (quotas: Readonly<Record<string, unknown>> | null): KeyQuota[] | null =>
  quotas === null
    ? null
    : Object.entries(quotas).map(([name, value]) => ({
        name,
        value: typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value),
      }))
