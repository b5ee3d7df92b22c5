import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { AnswerReader } from '../../../shared/api/reader/answer.ts'
import type { FieldMap, Habits } from '../../../shared/api/reader/field.ts'
import { isUnread } from '../../../shared/check-counts.ts'
import { signOf } from '../../../shared/decimal.ts'
import type { CheckedResource, CheckOutcome } from '../../../shared/ipc/host/service-check.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { isWaiting, tokenRole } from '../../../shared/positions.ts'

export interface Judged {
  readonly outcome: Extract<CheckOutcome, 'read' | 'partly' | 'not' | 'empty'>
  readonly resources: readonly CheckedResource[]
}

/**
 * Judges whether the app can use an answer, and which fields the app can't find in it. `habits`: conventions that earlier answers of the service
 * showed.
 */
export function judge(reader: AnswerReader<unknown>, json: unknown, fieldMap: FieldMap | undefined, habits?: Habits): Judged {
  const resources = reader.inspect(json, fieldMap).map((one) => ({
    ...one,
    fields: one.fields.map((field) => ({ ...field, suggestions: [...field.suggestions] })),
    unread: [...one.unread],
  }))
  if (!reader.read(json, { fieldMap, habits }).ok) return { outcome: 'not', resources }
  if (resources.length > 0 && resources.every(({ records }) => records === 0)) return { outcome: 'empty', resources }
  return { outcome: resources.some(({ incomplete, fields }) => incomplete > 0 || fields.some(isUnread)) ? 'partly' : 'read', resources }
}

const hashForm = /^0x[0-9a-fA-F]{64}$/
const mostNodes = 20_000

/**
 * Whether the answer to a dry run contains the ID of a command or a transaction, under any name. That would mean that the service executed the dry
 * run. Ignores values that the request itself contained.
 */
export function namesCommand(json: unknown, sent: unknown): boolean {
  const own = new Set<unknown>()
  walkAll(sent, (_, value) => {
    own.add(value)
    return false
  })
  return walkAll(json, (name, value) => {
    const isNamed = /command|tx_?hash|transaction_?(hash|id)|execution_?id/i.test(name)
    // A value that the answer only repeats from the request proves nothing, unless its field is an ID: a service may use the request's idempotency key
    // as the ID of an execution.
    if (own.has(value) && !(isNamed && /(?:id|hash)$/i.test(name))) return false
    if (typeof value === 'string' && hashForm.test(value)) return true
    const isSaid = (typeof value === 'string' && value !== '') || typeof value === 'number'
    return isSaid && isNamed
  })
}

/** Searches all values. True if `isFound` accepts one of them, or if there are more than `mostNodes` values. */
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

/** Values from earlier answers of a check that later steps need. A value is null until it was read. */
export interface Known {
  readonly market: Market | null
  readonly mark: string | null
  readonly position: Position | null
  readonly isolated: Position | null
  readonly order: OpenOrder | null
  readonly txHash: string | null
  readonly clientOrderId: string | null
  readonly commandId: string | null
  readonly withdrawable: string | null
}

type Answers = ReadonlyMap<string, unknown>

const txHashForm = /^0x[0-9a-fA-F]{64}$/

/** Collects the values of `Known` from the answers, which are given by step. */
export function knownOf(answers: Answers, fieldMap: FieldMap | undefined, commandId: string | null): Known {
  const read = <T>(reader: AnswerReader<T>, ...steps: string[]): T | null => {
    for (const step of steps) {
      const reading = answers.has(step) ? reader.read(answers.get(step), { fieldMap }) : null
      if (reading?.ok === true) return reading.value
    }
    return null
  }
  const positions = read(endpoints.getPositions.response, 'getPositions', 'getPublicPositions')?.positions.filter(({ id }) => id !== null) ?? []
  const orders = read(endpoints.getOrders.response, 'getOrders', 'getPublicOrders')?.items ?? []
  const intents = read(endpoints.getTransactions.response, 'getTransactions', 'getPublicTransactions')?.items ?? []
  const balances = read(endpoints.getCollateral.response, 'getCollateral', 'getPublicCollateral')?.balances ?? []
  const markets = read(endpoints.getMarkets.response, 'getMarkets', 'getPublicMarkets')?.markets ?? []
  const marks = read(endpoints.getSummaries.response, 'getSummaries', 'getPublicSummaries')?.summaries ?? []
  const isOpen = ({ status }: Market): boolean => status === null || /open|active|live|trading|enabled/i.test(status)
  const market = markets.find(isOpen) ?? markets[0] ?? null
  const held = balances.find(({ balance, withdrawable }) => signOf(withdrawable ?? balance ?? '0') > 0)
  return {
    market,
    mark: marks.find(({ id }) => id === market?.id)?.mark ?? null,
    position: positions[0] ?? null,
    isolated: positions.find(({ marginMode }) => /isolated/i.test(marginMode ?? '')) ?? null,
    order: orders.find(isWaiting) ?? null,
    txHash: intents.find(({ txHash }) => txHash !== null && txHashForm.test(txHash))?.txHash ?? null,
    clientOrderId:
      intents.find(({ clientOrderId }) => clientOrderId !== null)?.clientOrderId ??
      orders.find(({ clientOrderId }) => clientOrderId !== null)?.clientOrderId ??
      null,
    commandId,
    withdrawable: held === undefined ? null : tokenRole(held.token) === 'USDC' ? 'USDC' : held.token,
  }
}
