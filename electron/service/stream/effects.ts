import { isRecord } from '../../../shared/api/loose.ts'
import type { Foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/read-json.ts'
import type { QueryName } from '../../../shared/ipc/contract.ts'
import { accountQueries } from '../../../shared/ipc/intents/intent-queries.ts'

/** What every event of the account may have changed. */
const account = [...accountQueries, 'guards.today'] as const
/** Pages of what happened, and how far it is. */
const rows = ['account.history', 'account.finality'] as const
const intents = ['intents.list', 'intents.get', 'intents.prepared', 'intents.execution'] as const
const prices = ['markets.summaries', 'markets.summary'] as const

/** All that a stream may make old: read again when one begins, ends or has a gap. */
export const streamed: readonly QueryName[] = [...account, ...rows, ...intents, ...prices]

export interface Effects {
  readonly queries: readonly QueryName[]
  /**
   * soon: it only tells how things move, as they do all the time, and need not be read each time. anew: the stream could not go on after the
   * last event, and its numbers begin again. beat: nothing happened, the stream is alive.
   */
  readonly when: 'at_once' | 'soon' | 'anew' | 'beat'
}

/**
 * The reads that an event makes old (Events, Stream: market snapshots, account snapshots, lifecycle events, heartbeat). The names are not
 * shown, so the first word decides, of the event or of the `type` in its data; whatever is not known makes everything of the account old.
 */
export function effectsOf({ type, data }: { readonly type: string; readonly data: Foreign<string> }): Effects {
  const body = readBody(data)
  if (body.reset === true) return { queries: streamed, when: 'anew' }
  const name = type === 'lifecycle' || type === 'message' || type === 'event' ? (typeof body.type === 'string' ? body.type : type) : type
  switch (/^[a-z]+/i.exec(name)?.[0].toLowerCase()) {
    case 'heartbeat':
    case 'ping':
      return { queries: [], when: 'beat' }
    case 'market':
    case 'mark':
    case 'marks':
    case 'price':
    case 'summary':
      return { queries: prices, when: 'soon' }
    case 'account':
      return { queries: ['account.summary', 'account.positions'], when: 'soon' }
    case 'collateral':
    case 'funding':
      return { queries: [...account, ...rows], when: 'at_once' }
    default:
      return { queries: [...account, ...rows, ...intents], when: 'at_once' }
  }
}

function readBody(data: Foreign<string>): Readonly<Record<string, unknown>> {
  const body = readJson(data)
  return isRecord(body) ? body : {}
}
