import { fail, ok, type Result } from '../../../../shared/result.ts'

/** Events, every name that a subscription may hold; `liquidation.warning` is accepted and never emitted. */
const names = [
  'order.accepted',
  'order.filled',
  'order.partially_filled',
  'order.cancelled',
  'position.changed',
  'liquidation',
  'liquidation.warning',
  'funding.charged',
  'funding.credited',
  'collateral.changed',
  'transaction.confirmed',
  'transaction.reverted',
  'transaction.pending',
  'chain.reorg',
]

/** Webhook subscription, `events`: the default. */
const defaults = ['transaction.confirmed', 'transaction.reverted']

/** Event names, or `["*"]` for all; each once. The failure names what is wrong. */
export function eventsFrom(value: unknown): Result<readonly string[], string> {
  if (value === undefined) return ok(defaults)
  if (!Array.isArray(value) || value.length === 0) return fail('must be a list of event names, or ["*"]')
  const given: readonly unknown[] = value
  if (given.includes('*')) return given.length === 1 ? ok(['*']) : fail('"*" stands alone')
  const chosen = new Set<string>()
  for (const name of given) {
    if (typeof name !== 'string' || !names.includes(name)) return fail(`${JSON.stringify(name)} is not an event`)
    chosen.add(name)
  }
  return ok([...chosen])
}
