import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { compare } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { GuardRails } from '../../../shared/ipc/intents/guards.ts'
import type { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { loosened, noRails } from '../../../shared/risk-limits.ts'
import { sameId } from '../../../shared/same-id.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { findOrder } from '../../reads/account/open-orders.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { Records } from '../../store/records/registry.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type AccountNow, type NewRisk, newRiskOf, newRisksOf } from './new-risk.ts'
import { createTodayLoss, type TodayLossDeps } from './today-loss.ts'

export interface GuardsDeps extends TodayLossDeps {
  readonly profile: ProfileFacts
  /** What is typed to raise or remove a rail. */
  readonly profileName: string
  readonly records: Records
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly markets: Pick<Markets, 'known'>
}

export interface Guards {
  /** The `guard_rail` that holds a ticket of the wallet back; null: none. What ends or lessens risk is never held back. */
  check(ticket: OrderTicket, wallet: string): Promise<Failure | null>
  /** The same of what goes to an executor, item by item. */
  checkDelegated(ticket: DelegatedTicket, wallet: string): Promise<Failure | null>
  readonly handlers: HandlersOf<'guards'>
}

/** The user's own limits on new risk, kept per profile and wallet. */
export function createGuards(deps: GuardsDeps): Guards {
  const { profile, profileName, records, wallet, markets, api, credentials } = deps
  const todayLoss = createTodayLoss(deps)
  const keyOf = (address: string) => ({ profile: profile.id, wallet: address })

  /** null: none were set, or what was set cannot be read. */
  const kept = (address: string): GuardRails | null => records.guardRails.read(keyOf(address))
  const railsOf = (address: string): GuardRails => kept(address) ?? noRails

  /** They, or the journal that held them, were damaged: nobody knows what they were, and none were set since. */
  const areLost = (address: string): boolean => kept(address) === null && (records.guardRails.isLost(keyOf(address)) || records.journalLost.read({}) !== null)

  const accountNow = (address: string): AccountNow => ({
    position: async (positionId) => {
      const credential = await credentials.forScope(address, 'account:read')
      if (!credential.ok) return null
      const answer = await api.call(endpoints.getPositions, { params: {}, query: {}, body: undefined, credential: credential.value })
      return answer.ok ? (answer.value.value.positions.find(({ id }) => sameId(id, positionId)) ?? null) : null
    },
    order: async (orderId) => {
      const credential = await credentials.forScope(address, 'account:read')
      if (!credential.ok) return null
      const found = await findOrder(api, address, credential.value, ({ id }) => sameId(id, orderId))
      return found.ok ? found.value.order : null
    },
  })

  const symbolOf = (pairId: number): string => markets.known(pairId)?.symbol ?? `market ${pairId}`

  /** The rail in the way of one action; the daily loss is asked of the service only where nothing else is. */
  const held = ({ pairId, orderValueUsdc, leverage }: NewRisk, rails: GuardRails): Failure | null => {
    if (rails.markets !== null && (pairId === null || !rails.markets.includes(pairId)))
      return { kind: 'guard_rail', rail: 'market', limit: rails.markets.map(symbolOf).join(', '), asked: pairId === null ? null : symbolOf(pairId) }
    if (rails.orderValueUsdc !== null && orderValueUsdc !== undefined && (orderValueUsdc === null || compare(orderValueUsdc, rails.orderValueUsdc) > 0))
      return { kind: 'guard_rail', rail: 'order_value', limit: rails.orderValueUsdc, asked: orderValueUsdc }
    const most = rails.leverage?.toString() ?? null
    if (most !== null && leverage !== undefined && (leverage === null || compare(leverage, most) > 0))
      return { kind: 'guard_rail', rail: 'leverage', limit: most, asked: leverage }
    return null
  }

  const lossHeld = async (rails: GuardRails, address: string): Promise<Failure | null> => {
    if (rails.dailyLossUsdc === null) return null
    const today = await todayLoss(address)
    if (!today.known) return { kind: 'guard_rail', rail: 'daily_loss', limit: rails.dailyLossUsdc, asked: null }
    return compare(today.lossUsdc, rails.dailyLossUsdc) >= 0
      ? { kind: 'guard_rail', rail: 'daily_loss', limit: rails.dailyLossUsdc, asked: today.lossUsdc }
      : null
  }

  const check = async (address: string, risksOf: (now: AccountNow) => Promise<readonly NewRisk[]>): Promise<Failure | null> => {
    if (areLost(address)) return (await risksOf(accountNow(address))).length === 0 ? null : { kind: 'held_back', why: 'rails_lost', intentRef: null }
    const rails = railsOf(address)
    if (Object.values(rails).every((rail) => rail === null)) return null
    const risks = await risksOf(accountNow(address))
    if (risks.length === 0) return null
    return risks.map((risk) => held(risk, rails)).find((failure) => failure !== null) ?? lossHeld(rails, address)
  }

  const shown = (): Result<string, Failure> => {
    const whose = wallet.shown()
    if (!whose.ok) return whose
    return whose.value === null ? fail({ kind: 'no_wallet' }) : ok(whose.value)
  }

  return {
    check: (ticket, address) =>
      check(address, async (now) => {
        const risk = await newRiskOf(ticket, now)
        return risk === null ? [] : [risk]
      }),
    checkDelegated: (ticket, address) => check(address, (now) => newRisksOf(ticket, now)),
    handlers: {
      'guards.rails': () => {
        const whose = shown()
        return whose.ok ? ok({ rails: railsOf(whose.value), lost: areLost(whose.value), loosenWith: profileName }) : whose
      },
      'guards.today': async () => {
        const whose = shown()
        return whose.ok ? ok(await todayLoss(whose.value)) : whose
      },
      'guards.save': ({ rails, typed }) => {
        const whose = shown()
        if (!whose.ok) return whose
        const issue = issueOf(rails)
        if (issue !== null) return fail(issue)
        // Whatever stood in lost ones, new ones may be looser.
        if ((areLost(whose.value) || loosened(railsOf(whose.value), rails).length > 0) && typed !== profileName)
          return fail({ kind: 'bad_input', field: 'typed', issue: `type ${profileName}` })
        records.guardRails.write(keyOf(whose.value), rails)
        return ok(rails)
      },
    },
  }
}

/** A rail at or below zero would hold everything back, and be taken for none. */
function issueOf(rails: GuardRails): Failure | null {
  for (const field of ['orderValueUsdc', 'dailyLossUsdc'] as const) {
    const amount = rails[field]
    if (amount !== null && compare(amount, '0') <= 0) return { kind: 'bad_input', field, issue: 'It must be above zero' }
  }
  return rails.markets?.length === 0 ? { kind: 'bad_input', field: 'markets', issue: 'Choose one market at least' } : null
}
