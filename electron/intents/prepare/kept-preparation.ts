import { findField, isRecord } from '../../../shared/api/loose.ts'
import { redactText } from '../../../shared/api/redact.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'

const calldata = /^0x(?:[0-9a-fA-F]{2})*$/
/** No secret is as short as the name of a token. */
const longestTokenName = 16

const recordIn = (source: unknown, name: string): Record<string, unknown> | null => {
  const found = isRecord(source) ? findField(source, [name])?.value : undefined
  // Parsed here, and nobody else's.
  return isRecord(found) ? (found as Record<string, unknown>) : null
}

const restore = (target: unknown, name: string, value: string): void => {
  const found = isRecord(target) ? findField(target, [name]) : null
  if (found !== null) Object.assign(target as object, { [found.name]: value })
}

/**
 * A preparation as it is journalled: its text without secrets (`raw`), in which calldata, which looks like a signature, and the name of the token of
 * a deposit stand again. They are compared again before anything is sent.
 */
export function keptPreparation(raw: string, { payload, execution }: PreparedAction): string {
  const kept = parseJson(raw) ?? JSON.parse(raw)
  const token = payload === null ? undefined : findField(payload, ['token'])?.value
  if (typeof token === 'string' && token.length <= longestTokenName && redactText(token) === token) restore(recordIn(kept, 'payload'), 'token', token)
  const within = recordIn(kept, 'execution')
  const listed = within === null ? null : findField(within, ['transactions'])?.value
  const read = execution.transactions ?? []
  if (!Array.isArray(listed) || listed.length !== read.length) return JSON.stringify(kept)
  for (const [index, { data }] of read.entries()) if (data !== null && calldata.test(data)) restore(listed[index], 'data', data)
  return JSON.stringify(kept)
}
