import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import { add, compare, maximum, negate } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { RiskLimits, TodayLoss } from '../../../shared/ipc/intents/risk-limits.ts'
import type { DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { loosened, noLimits } from '../../../shared/limits-draft.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import { type Clock, day, second } from '../../../shared/time.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { findOrder } from '../../reads/account/open-orders.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { Discovery } from '../../service/capabilities/discovery.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import { type ApiAnswer, type ApiClient, type ApiFailure, forBots, type KeyCredential } from '../../service/transport/api-client.ts'
import type { Records } from '../../store/records/registry.ts'
import { shownOwner, type WalletReport } from '../../wallet/connection/wallet.ts'
import { endsRiskOnly } from '../engine/intent-facts.ts'
import { type AccountNow, type NewRisk, newRiskOf, newRisksOf } from './new-risk.ts'

export interface RiskLimitsDeps extends TodayLossDeps {
  readonly profile: ProfileFacts
  /** The user must type this name to raise or remove a risk limit. */
  readonly profileName: string
  readonly records: Records
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly markets: Pick<Markets, 'known'>
}

export interface RiskLimitsService {
  /**
   * Checks a ticket of a wallet against its risk limits. Returns a `guard_rail` failure, or null if the ticket is allowed. Tickets that end or reduce
   * risk are always allowed.
   */
  check(ticket: OrderTicket, wallet: string): Promise<Failure | null>
  /** Checks each action of an executor’s ticket in the same way as `check`. */
  checkDelegated(ticket: DelegatedTicket, wallet: string): Promise<Failure | null>
  /**
   * Checks the risks that a bot's order adds, against the wallet's limits and against the bot's own (`extra`). Reads the daily loss at most every few
   * seconds, for all bots of the wallet.
   */
  checkRisks(risksOf: () => Promise<readonly NewRisk[]>, wallet: string, extra: RiskLimits): Promise<Failure | null>
  readonly handlers: HandlersOf<'riskLimits'>
}

/** The user's own limits on new risk, stored per profile and wallet. */
export function createRiskLimits(deps: RiskLimitsDeps): RiskLimitsService {
  const { profile, profileName, records, wallet, markets, api, credentials } = deps
  const todayLoss = createTodayLoss(deps)
  const lossForBots = shared(createTodayLoss({ ...deps, api: forBots(api) }), deps.clock)
  const keyOf = (address: string) => ({ profile: profile.id, wallet: address })

  /** The wallet’s limits; null if the user has set none or the stored limits are unreadable. */
  const kept = (address: string): RiskLimits | null => records.guardRails.read(keyOf(address))
  const limitsOf = (address: string): RiskLimits => kept(address) ?? noLimits

  /** Whether the stored limits were damaged, alone or together with the journal, and the user has not set new ones. */
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

  /**
   * Returns the failure of the first risk limit that an action exceeds; null if it exceeds none. Leaves the daily loss to `lossHeld`, which runs
   * afterwards because it needs a request to the service.
   */
  const held = ({ pairId, orderValueUsdc, leverage }: NewRisk, limits: RiskLimits): Failure | null => {
    if (limits.markets !== null && (pairId === null || !limits.markets.includes(pairId)))
      return { kind: 'guard_rail', rail: 'market', limit: limits.markets.map(symbolOf).join(', '), asked: pairId === null ? null : symbolOf(pairId) }
    if (limits.orderValueUsdc !== null && orderValueUsdc !== undefined && (orderValueUsdc === null || compare(orderValueUsdc, limits.orderValueUsdc) > 0))
      return { kind: 'guard_rail', rail: 'order_value', limit: limits.orderValueUsdc, asked: orderValueUsdc }
    const most = limits.leverage?.toString() ?? null
    if (most !== null && leverage !== undefined && (leverage === null || compare(leverage, most) > 0))
      return { kind: 'guard_rail', rail: 'leverage', limit: most, asked: leverage }
    return null
  }

  const lossHeld = async (limits: RiskLimits, address: string, lossOf: typeof todayLoss): Promise<Failure | null> => {
    if (limits.dailyLossUsdc === null) return null
    const today = await lossOf(address)
    if (!today.known) return { kind: 'guard_rail', rail: 'daily_loss', limit: limits.dailyLossUsdc, asked: null }
    return compare(today.lossUsdc, limits.dailyLossUsdc) >= 0
      ? { kind: 'guard_rail', rail: 'daily_loss', limit: limits.dailyLossUsdc, asked: today.lossUsdc }
      : null
  }

  const check = async (address: string, risksOf: () => Promise<readonly NewRisk[]>, extra = noLimits, lossOf = todayLoss): Promise<Failure | null> => {
    if (areLost(address)) return (await risksOf()).length === 0 ? null : { kind: 'held_back', why: 'rails_lost', intentRef: null }
    const all = [limitsOf(address), extra].filter((limits) => Object.values(limits).some((limit) => limit !== null))
    if (all.length === 0) return null
    const risks = await risksOf()
    if (risks.length === 0) return null
    for (const limits of all) {
      const failure = risks.map((risk) => held(risk, limits)).find((one) => one !== null) ?? (await lossHeld(limits, address, lossOf))
      if (failure !== null) return failure
    }
    return null
  }

  return {
    check: (ticket, address) =>
      check(address, async () => {
        const risk = await newRiskOf(ticket, accountNow(address))
        return risk === null ? [] : [risk]
      }),
    checkDelegated: (ticket, address) => check(address, () => newRisksOf(ticket, accountNow(address))),
    checkRisks: (risksOf, address, extra) => check(address, risksOf, extra, lossForBots),
    handlers: {
      'riskLimits.get': () => {
        const whose = shownOwner(wallet)
        return whose.ok ? ok({ limits: limitsOf(whose.value), lost: areLost(whose.value), loosenWith: profileName }) : whose
      },
      'riskLimits.today': async () => {
        const whose = shownOwner(wallet)
        return whose.ok ? ok(await todayLoss(whose.value)) : whose
      },
      'riskLimits.save': ({ limits, typed }) => {
        const whose = shownOwner(wallet)
        if (!whose.ok) return whose
        const issue = issueOf(limits)
        if (issue !== null) return fail(issue)
        // To loosen a limit, the user must type the profile name. If the old limits were lost, the new ones may be looser, so the name is required
        // too.
        if ((areLost(whose.value) || loosened(limitsOf(whose.value), limits).length > 0) && typed !== profileName)
          return fail({ kind: 'bad_input', field: 'typed', issue: `type_word ${profileName}` })
        records.guardRails.write(keyOf(whose.value), limits)
        return ok(limits)
      },
    },
  }
}

/** How long the bots of a wallet share one reading of the daily loss. */
const sharedMs = 2 * second

/** Shares one reading of the daily loss among all who ask for it within a short time. */
function shared(lossOf: (wallet: string) => Promise<TodayLoss>, { monotonic }: Clock): (wallet: string) => Promise<TodayLoss> {
  const latest = new Map<string, { readonly loss: Promise<TodayLoss>; readonly startedAt: number }>()
  return (wallet) => {
    const before = latest.get(wallet)
    if (before !== undefined && monotonic() - before.startedAt < sharedMs) return before.loss
    const loss = lossOf(wallet)
    latest.set(wallet, { loss, startedAt: monotonic() })
    return loss
  }
}

/** Fails if a limit is zero or less. A user could mistake such a limit for “no limit”, and it would block everything. */
function issueOf(limits: RiskLimits): Failure | null {
  for (const field of ['orderValueUsdc', 'dailyLossUsdc'] as const) {
    const amount = limits[field]
    if (amount !== null && compare(amount, '0') <= 0) return { kind: 'bad_input', field, issue: 'above_zero' }
  }
  return limits.markets?.length === 0 ? { kind: 'bad_input', field: 'markets', issue: 'market_needed' } : null
}

/** Adds a check to the risk limits: blocks new risk until the user has confirmed a service change (GEN-09). Always allows tickets that end risk. */
export const heldByServiceChange = (riskLimits: RiskLimitsService, discovery: Pick<Discovery, 'held'>): RiskLimitsService => ({
  ...riskLimits,
  check: async (ticket, wallet) => (endsRisk(ticket) ? null : discovery.held()) ?? riskLimits.check(ticket, wallet),
  checkDelegated: async (ticket, wallet) => (endsRiskOnly(ticket) ? null : discovery.held()) ?? riskLimits.checkDelegated(ticket, wallet),
  checkRisks: async (risksOf, wallet, extra) => discovery.held() ?? riskLimits.checkRisks(risksOf, wallet, extra),
})

interface TodayLossDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly clock: Clock
}

/** Maximum number of pages (of 200 rows) to add up for one day. With more pages, the day’s loss counts as unknown. */
const mostPages = 10

interface Dated {
  readonly amount: string | null
  readonly atMs: number | null
}

/** Today’s loss since midnight UTC, by the service’s clock. Adds up the realised profit and loss of closed positions, minus trading fees. */
function createTodayLoss({ api, credentials, clock }: TodayLossDeps) {
  /** The sum of all rows since `sinceMs` (Unix ms). null if the list is incomplete, or if any row is unreadable or lacks its amount or time. */
  async function sumSince(sinceMs: number, read: (cursor: number | null) => Promise<Result<Page<Dated>, Failure>>): Promise<Result<string | null, Failure>> {
    let sum = '0'
    let cursor: number | null = null
    for (let pages = 0; pages < mostPages; pages += 1) {
      const answer = await read(cursor)
      if (!answer.ok) return answer
      const { items, hasMore, nextCursor, unreadable } = answer.value
      if (unreadable !== null) return ok(null)
      for (const { amount, atMs } of items) {
        if (atMs === null) return ok(null)
        if (atMs < sinceMs) continue
        if (amount === null) return ok(null)
        sum = add(sum, amount)
      }
      const oldest = items.at(-1)?.atMs ?? null
      const newest = items.at(0)?.atMs ?? null
      // If the rows are sorted newest first, later pages contain no rows of today. Otherwise, read every page.
      const past = oldest !== null && newest !== null && oldest < sinceMs && oldest <= newest
      if (past || !hasMore) return ok(sum)
      if (nextCursor === null) return ok(null)
      cursor = nextCursor
    }
    return ok(null)
  }

  const rowsOf = <T>(answer: Result<ApiAnswer<Page<T>>, ApiFailure>, row: (item: T) => Dated): Result<Page<Dated>, Failure> =>
    answer.ok ? ok({ ...answer.value.value, items: answer.value.value.items.map(row) }) : fail(answer.failure.failure)

  const asked = (credential: KeyCredential, cursor: number | null) =>
    ({ params: {}, query: { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }, body: undefined, credential }) as const

  return async (wallet: string): Promise<TodayLoss> => {
    const sinceMs = Math.floor(clock.now() / day) * day
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return { known: false, why: 'no_key', sinceMs }
    const [realised, fees] = await Promise.all([
      sumSince(sinceMs, async (cursor) =>
        rowsOf(await api.call(endpoints.getPositionHistory, asked(credential.value, cursor)), ({ realisedPnlUsdc, closedAtMs }) => ({
          amount: realisedPnlUsdc,
          atMs: closedAtMs,
        })),
      ),
      sumSince(sinceMs, async (cursor) =>
        rowsOf(await api.call(endpoints.getTrades, asked(credential.value, cursor)), ({ feeUsdc, atMs }) => ({ amount: feeUsdc, atMs })),
      ),
    ])
    if (!realised.ok || !fees.ok) return { known: false, why: 'not_told', sinceMs }
    if (realised.value === null || fees.value === null) return { known: false, why: 'not_added_up', sinceMs }
    return { known: true, lossUsdc: maximum('0', add(negate(realised.value), fees.value)), sinceMs }
  }
}
