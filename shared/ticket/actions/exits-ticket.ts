import { equals, multiply } from '../../decimal.ts'
import type { ActionTicketOf, SeenPosition } from '../../ipc/intents/tickets.ts'
import type { Market } from '../../ipc/reads/markets.ts'
import { type FieldIssue, type FormReading, Issues } from '../field-issue.ts'
import { exitIssue, priceIssue } from '../market-rules.ts'
import { type ExitBy, type ExitKind, readExit } from '../read-exit.ts'
import { isBlank } from '../typed-number.ts'

/** The form that sets, moves or takes away the exits of a position. An emptied field takes its exit away. */
export interface ExitsState {
  readonly takeProfit: string
  readonly takeProfitBy: ExitBy
  readonly stopLoss: string
  readonly stopLossBy: ExitBy
}

export const exitsOf = ({ takeProfit, stopLoss }: Pick<SeenPosition, 'takeProfit' | 'stopLoss'>): ExitsState => ({
  takeProfit: takeProfit ?? '',
  takeProfitBy: 'price',
  stopLoss: stopLoss ?? '',
  stopLossBy: 'price',
})

export type ExitsField = ExitKind | 'form'
export type ExitsTicket = ActionTicketOf<'update_tpsl'>

const byOf = { takeProfit: 'takeProfitBy', stopLoss: 'stopLossBy' } as const

/** The way from the price of now, which is what an exit of a position lies beside: a stop loss may well lie above the entry. */
function changeOf(
  kind: ExitKind,
  state: ExitsState,
  { position, market, entryPrice }: { readonly position: SeenPosition; readonly market: Market; readonly entryPrice: string | null },
  issues: Issues<ExitsField>,
): string | null | undefined {
  const before = position[kind]
  if (isBlank(state[kind])) return before === null ? undefined : null
  const by = state[byOf[kind]]
  if (by !== 'price' && entryPrice === null) {
    issues.report(kind, 'The entry price of the position is not known: type a price.')
    return undefined
  }
  const value = entryPrice === null || position.size === null ? null : multiply(entryPrice, position.size)
  const read = readExit(kind, state[kind], by, { side: position.side, entry: entryPrice ?? '0', orderValueUsdc: value, market })
  if (!read.ok) {
    issues.report(kind, read.failure)
    return undefined
  }
  return before !== null && equals(read.value, before) ? undefined : read.value
}

/** `entryPrice` is the position's own; `mark` null: the exits are not held against a price. */
export function readExits(
  state: ExitsState,
  facts: { readonly position: SeenPosition; readonly market: Market; readonly entryPrice: string | null },
  mark: string | null,
): FormReading<ExitsField, ExitsTicket> {
  const issues = new Issues<ExitsField>()
  const takeProfit = changeOf('takeProfit', state, facts, issues)
  const stopLoss = changeOf('stopLoss', state, facts, issues)
  const ticket: ExitsTicket = {
    action: 'update_tpsl',
    position: facts.position,
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  }
  if (issues.list.length === 0) issues.list.push(...checkExits(ticket, facts.market, mark))
  return issues.reading(ticket)
}

export function checkExits(ticket: ExitsTicket, market: Market, mark: string | null): readonly FieldIssue<ExitsField>[] {
  const issues = new Issues<ExitsField>()
  if (ticket.takeProfit === undefined && ticket.stopLoss === undefined) issues.report('form', 'Nothing changes.', true)
  for (const kind of ['takeProfit', 'stopLoss'] as const) {
    const price = ticket[kind]
    if (price == null) continue
    const of = { side: ticket.position.side, entry: mark ?? '0', entryName: 'the price, now' }
    issues.take(kind, mark === null ? priceIssue(kind === 'takeProfit' ? 'Take profit' : 'Stop loss', price, market) : exitIssue(kind, price, of, market))
  }
  return issues.list
}
