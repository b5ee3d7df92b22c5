import type { Missing } from '../../../ipc/missing.ts'
import { canonical } from '../../names/name-words.ts'
import { answerReader, inspectList, listIn } from '../../reader/answer.ts'
import { may, must } from '../../reader/field.ts'
import { flag, isRecord, text, time } from '../../reader/kinds.ts'
import { resource } from '../../reader/resource.ts'
import { missingOf } from '../page.ts'

interface BreakerRecord {
  readonly name: string
  /** Whether the circuit breaker has tripped; null if the app does not understand the service's word for the state. */
  readonly tripped: boolean | null
  /** The circuit breaker's state in the service's own words. */
  readonly state: string | null
  readonly reason: string | null
  readonly sinceMs: number | null
  readonly unknownFields: string | null
}

const stopped: ReadonlySet<string> = new Set([
  'tripped',
  'triggered',
  'halted',
  'paused',
  'stopped',
  'disabled',
  'suspended',
  'off',
  'closed',
  'down',
  'frozen',
  'blocked',
])
const running: ReadonlySet<string> = new Set([
  'ok',
  'normal',
  'armed',
  'ready',
  'clear',
  'running',
  'enabled',
  'inactive',
  'untripped',
  'not tripped',
  'operational',
  'live',
  'healthy',
])

const stateTripped = (word: string | null): boolean | null => {
  const known = word?.trim().toLowerCase() ?? ''
  return stopped.has(known) ? true : running.has(known) ? false : null
}

export const breaker = resource({
  name: 'circuit_breaker',
  words: ['breaker', 'switch', 'circuit'],
  sentence:
    'The circuit breakers are a list of names, or an object of them, each with whether it is tripped, as a flag or in a word, and perhaps why and since when.',
  source: 'Unversioned public routes: content of /api/dex/circuit-breakers not shown',
  fields: {
    name: must(['name', 'id', 'breaker', 'switch', 'scope', 'key', 'label'], text),
    tripped: may(['tripped', 'active', 'triggered', 'halted', 'paused', 'is_tripped', 'engaged', 'stopped', 'suspended', 'frozen', 'open'], flag),
    state: may(['state', 'status', 'condition'], text),
    reason: may(['reason', 'message', 'detail', 'description', 'cause', 'note', 'why', 'because', 'explanation', 'comment'], text),
    sinceMs: may(['since_ms', 'since', 'tripped_at_ms', 'tripped_at', 'triggered_at', 'at_ms', 'updated_at', 'changed_at', 'started_at'], time),
  },
  finish: (found): BreakerRecord => ({ ...found, tripped: found.tripped ?? stateTripped(found.state) }),
})

const lists = ['circuit_breakers', 'breakers', 'switches', 'safety_switches'] as const
/** Matches property names that are not circuit breakers themselves, in an object that otherwise maps breaker names to states. */
const notSwitch = /^(success|ok|request_?id|.*(_at|_at_ms|At|time|timestamp|version|count|total|message|msg|code|status|took|meta|network|chain_?id))$/i

/** Reads circuit breakers keyed by name, in any wrapper: `{trading: false}`, `{trading: "paused"}` or `{trading: {tripped: true}}`. */
function rowsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return null
  const entries = Object.entries(value).filter(([name, said]) => !notSwitch.test(name.replace(/[-. ]/g, '_')) && said !== null)
  const wrapped = entries.find(([name, said]) => isWrapper(name) && typeof said === 'object')
  if (wrapped !== undefined) return rowsOf(wrapped[1])
  const named = entries.find(([name, said]) => lists.some((list) => canonical(list) === canonical(name)) && typeof said === 'object')
  if (named !== undefined) return rowsOf(named[1])
  const fits = entries.every(([, said]) => isRecord(said) || typeof said === 'string' || typeof said === 'boolean' || said === 0 || said === 1)
  if (!fits || entries.length === 0) return entries.length === 0 ? [] : null
  return entries.map(([name, said]) => (isRecord(said) ? { ...said, name } : typeof said === 'string' ? { name, state: said } : { name, tripped: said }))
}
const isWrapper = (name: string): boolean =>
  /^(data|result|response|payload|items|list|rows|circuit[_-]?breakers|breakers|switches|safety[_-]?switches)$/i.test(name)

export const BreakerList = answerReader<{ readonly breakers: BreakerRecord[]; readonly missing: Missing }>(
  (json, complain, context) => {
    // If the service sends its circuit breakers as a list or as an object of records, each record describes one circuit breaker.
    const table = listIn(breaker, lists, json, () => {}, context)
    if (table !== undefined && table.items.length > 0 && table.items.every(({ tripped }) => tripped !== null))
      return { breakers: table.items, missing: missingOf(table) }
    const rows = rowsOf(json)
    if (rows === null || (isRecord(json) && rows.length === 0 && !Object.values(json).some((value) => typeof value === 'object' && value !== null))) {
      complain([lists[0]], 'missing')
      return undefined
    }
    const list = listIn(breaker, lists, rows, complain, context)
    return list && { breakers: list.items, missing: missingOf(list) }
  },
  (json, fieldMap) => [inspectList(breaker, lists, rowsOf(json) ?? [], fieldMap)],
)
