import type { Hex } from 'viem'
import { assumed } from '../../../shared/api/assumptions.ts'
import { costsIn, type Execution, PreparedAction, simulationIn, type TransactionEntry } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { ExecutionMethod, IntentState, PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import { blockedBy, type IntentReason } from '../../../shared/ipc/intents/reasons.ts'
import type { Spending } from '../../../shared/ipc/intents/signing.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { type TokenRole, tokenRole } from '../../../shared/positions.ts'
import { askedOrder, sentPayload } from '../../../shared/signing/asked-order.ts'
import { type Compared, recognise } from '../../../shared/signing/comparison.ts'
import { closeFills, compareClose, compareInvert } from '../../../shared/signing/grant/position-intent.ts'
import { compareIntent } from '../../../shared/signing/intent.ts'
import { comparePayload, type PayloadDifference } from '../../../shared/signing/message/payload.ts'
import { parseTypedData, type TypedData } from '../../../shared/signing/message/typed-data.ts'
import { decidePrepared, earliestDeadline } from '../../../shared/signing/prepared-action.ts'
import { comparePermit } from '../../../shared/signing/transactions/permit.ts'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import { type ExplainedTransaction, explainTransactions } from '../../../shared/signing/transactions/transactions.ts'
import type { ExpectedRouter, RouterDecision } from '../../../shared/signing/trust.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { endsRisk, isClosing } from '../../../shared/ticket/actions/check-action.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { Records } from '../../store/records/registry.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import { blockOf, concernOf, expectedContract, expectedRouter, holdAgainst, type NamedContract } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust, TrustedTokens } from '../../wallet/trusted-contracts/trust.ts'
import { ticketOf } from '../engine/intent-facts.ts'

/** Decimals of USDC. (The app reads the decimals of the protocol’s own token, SVC, from its contract.) */
export const usdcDecimals = 6

interface Findings {
  /** Comparison of the message to sign; null if there is none. */
  readonly compared: Compared | null
  /** The token allowance that the message grants; null if there is no message or it grants no allowance. */
  readonly spending: Spending | null
  /** The transactions to send in order, each with its comparison. */
  readonly steps: readonly ExplainedTransaction[]
  readonly router: RouterDecision | null
  /** The token contract that the action calls, or for which the wallet signs a permit; null if there is none. */
  readonly token: RouterDecision | null
  /** Contracts that the user may need to confirm. */
  readonly contracts: readonly NamedContract[]
  /** Why the wallet must not sign or send anything; null if nothing is wrong. */
  readonly blocked: IntentReason | null
}

const nothingFound: Findings = { compared: null, spending: null, steps: [], router: null, token: null, contracts: [], blocked: null }

export interface VerifyDeps {
  readonly profile: ProfileFacts
  readonly trust: Trust
  readonly records: Records
  readonly tokens: TrustedTokens
  /** Reads the decimals of tokens from the chain. */
  readonly balances: Pick<ChainBalances, 'decimals'>
  readonly transactions: Pick<ChainTransactions, 'permitNonce' | 'permitDomain'>
  readonly markets: Pick<Markets, 'known'>
  readonly clock: Clock
}

/** The contract of a decision as one that the user may need to confirm. Empty if nothing was decided. */
export const named = (decision: RouterDecision | null, confirm: NamedContract['confirm']): readonly NamedContract[] =>
  decision === null ? [] : [{ decision, confirm }]

/**
 * The token contract in a list of transactions: the contract of an approval, or else the argument `token` of a call to the router. null if the list
 * names none.
 */
function namedToken(entries: readonly TransactionEntry[]): string | null {
  for (const { to, data } of entries) {
    if (data === null) continue
    if (decodeCall('token', data) !== null) return to
    const named = decodeCall('router', data)?.leaves.find(({ path }) => path === 'token')?.value
    if (typeof named === 'string') return named
  }
  // If there are several transactions, the first one counts as the call of the token contract, even if its data cannot be decoded.
  return entries.length > 1 ? (entries[0]?.to ?? null) : null
}

/** The result of checking a preparation: whether the wallet may sign or send it, and whether it matches the ticket. */
export interface Verification extends Findings, Pick<PreparedOrder, 'status' | 'mode' | 'reason' | 'costs' | 'liquidation' | 'deadlineMs'> {
  /** The preparation itself. */
  readonly prepared: PreparedAction
  readonly way: ExecutionMethod | null
  /** True if `execution.ready`, `status` and `mode` agree that there is something to sign or send (Flow rules 1). */
  readonly ready: boolean
  /** Whether the preparation had already expired when it arrived (ORD-07). */
  readonly expired: boolean
  /** The typed data for the wallet, serialised from the compared values; null if the wallet signs nothing. */
  readonly typedData: string | null
  readonly digest: Hex | null
  /** The nonce of the message, as text. The app stores the nonce once the message is signed. */
  readonly nonce: string | null
}

export type Verify = ReturnType<typeof createVerify>

/** States of an intent whose preparation the wallet may still sign or send. */
const live: readonly IntentState[] = ['PLANNED', 'PREPARED', 'ASKED', 'SIGNED']

export function createVerify({ profile, trust, records, tokens, balances, transactions, markets, clock }: VerifyDeps) {
  const nonceKey = (wallet: string, nonce: string) => ({ profile: profile.id, wallet, nonce })

  /**
   * The facts with which the app compares a preparation. For a finished intent, the comparison uses a time just before the deadline, because the
   * preparation must not appear as expired.
   */
  const factsOf = (row: IntentRow, prepared: PreparedAction) => {
    const ticket = ticketOf(row)
    // Whether the wallet may still sign the preparation. A used permit raises the chain’s nonce, so the app can no longer compare the permit’s nonce.
    const isLive = live.includes(row.state)
    const nowMs = clock.now()
    const market = row.pairId === null ? null : markets.known(row.pairId)
    const facts = {
      wallet: row.wallet,
      formats: trust.formats(row.action),
      isLive,
      nowMs: isLive || row.deadlineMs === null || row.deadlineMs > nowMs ? nowMs : row.deadlineMs - 1,
      payload: payloadDifferences(row, ticket, prepared, market?.sizeDecimals ?? null),
      priceDecimals: market?.priceDecimals ?? null,
      sizeDecimals: market?.sizeDecimals ?? null,
      base: market?.base ?? null,
      nonceUsed: (nonce: string) => (records.nonces.read(nonceKey(row.wallet, nonce)) ?? row.ref) !== row.ref,
    }
    return { ticket, facts }
  }
  type Facts = ReturnType<typeof factsOf>

  /** Compares the transactions of a prepared action with the ticket (FLOW-03). */
  const verifyTransactions = async ({ ticket, facts }: Facts, entries: readonly TransactionEntry[]): Promise<Findings> => {
    if (isOpening(ticket)) return { ...nothingFound, blocked: { code: 'unasked_transactions' } }
    const role = 'token' in ticket ? tokenRole(ticket.token) : null
    const [router, token] = await Promise.all([
      trust.contracts.decide(entries.at(-1)?.to ?? null, endsRisk(ticket)),
      role === null ? null : tokens[role].decide(namedToken(entries)),
    ])
    const contractOf = (name: TokenRole): ExpectedRouter | null => {
      const pinned = tokens[name].pinned()
      if (name === role) return expectedRouter(token, pinned)
      return pinned === null ? null : { by: 'pin', address: pinned }
    }
    const own = contractOf('own')
    const ownDecimals = role === 'own' && own !== null ? await balances.decimals(own.address) : null
    if (role === 'own' && own !== null && ownDecimals === null) return { ...nothingFound, router, token, blocked: { code: 'token_units_unknown' } }
    const { steps, blocked } = explainTransactions(entries, {
      ...facts,
      ticket,
      router: expectedContract(router, trust.router()),
      tokens: { USDC: { contract: contractOf('USDC'), decimals: usdcDecimals }, own: { contract: own, decimals: ownDecimals } },
    })
    const concern = concernOf(router) ?? concernOf(token)
    return {
      ...nothingFound,
      ...{ steps, router, token },
      contracts: [...named(router, trust.contracts.confirm), ...(role === null ? [] : named(token, tokens[role].confirm))],
      blocked: blocked !== null ? blockedBy(blocked) : concern === null ? null : blockedBy({ code: 'contract', by: concern }),
    }
  }

  /** Compares the permit of a deposit with the ticket (FLOW-04). */
  const verifyPermit = async ({ ticket, facts }: Facts, typedData: TypedData): Promise<Findings> => {
    // A permit is allowed only for USDC deposits whose request asked for a permit (API document, Flow rules 4).
    if (isOpening(ticket) || ticket.action !== 'add_collateral' || ticket.token !== 'USDC' || !ticket.permit)
      return { ...nothingFound, blocked: { code: 'unasked_permit' } }
    const { USDC } = tokens
    const spender = typedData.leaves.find(({ path }) => path === 'spender')?.value
    const [router, token] = await Promise.all([
      trust.contracts.decide(typeof spender === 'string' ? spender : null),
      USDC.decide(typedData.domain.verifyingContract ?? null),
    ])
    const { spending, ...compared } = comparePermit(typedData, {
      ...facts,
      amountUsdc: ticket.amount,
      router: expectedContract(router, trust.router()),
      token: expectedRouter(token, USDC.pinned()),
      tokenDecimals: usdcDecimals,
      tokenDomain: token === null ? null : await transactions.permitDomain(token.candidate),
      nonce: token === null || !facts.isLive ? null : await transactions.permitNonce(token.candidate, facts.wallet),
      nonceUsed: (nonce) => facts.nonceUsed(permitNonce(nonce)),
    })
    const held = holdAgainst(holdAgainst(compared, router), token)
    return {
      ...nothingFound,
      ...{ compared: held, spending, router, token },
      contracts: [...named(router, trust.contracts.confirm), ...named(token, USDC.confirm)],
      blocked: blockOf(held),
    }
  }

  const compareIntentOf = async (row: IntentRow, { ticket, facts }: Facts, typedData: TypedData): Promise<Findings> => {
    const router = await trust.decide(typedData.domain.verifyingContract ?? null, endsRisk(ticket))
    const expected = {
      ...facts,
      router: expectedRouter(router, trust.router()),
      trusted: [...trust.contracts.others(), ...[tokens.USDC.pinned(), tokens.own.pinned()].filter((address) => address !== null)],
      // A close at market and a close at a limit write sizes in the same format.
      siblings: closes.includes(row.action) ? closes.filter((action) => action !== row.action).flatMap(trust.formats) : [],
      clientOrderId: row.clientOrderId ?? '',
    }
    const found = { ...nothingFound, router, contracts: named(router, trust.confirmRouter) }
    const compare = (): Compared | null => {
      if (isOpening(ticket)) return compareIntent(typedData, { ...expected, order: askedOrder(ticket, row.symbol, expected.clientOrderId) })
      if (isClosing(ticket)) return compareClose(typedData, { ...expected, ticket })
      return ticket.action === 'invert_position' ? compareInvert(typedData, { ...expected, ticket }) : null
    }
    const compared = compare()
    // The wallet never signs another action as a message.
    if (compared === null) return { ...found, compared, blocked: { code: 'unasked_signature' } }
    const held = holdAgainst(compared, router)
    return { ...found, compared: held, blocked: blockOf(held) }
  }

  const verify = async (row: IntentRow, prepared: PreparedAction): Promise<Verification> => {
    const { execution } = prepared
    const liquidation = simulationIn(execution.simulation)?.liquidationPrice
    const base: Verification = {
      prepared,
      way: null,
      ready: false,
      expired: false,
      status: execution.status ?? 'unknown',
      mode: execution.mode,
      reason: null,
      costs: readCosts(execution),
      liquidation: liquidation == null ? null : formatDecimal(liquidation),
      deadlineMs: earliestDeadline(prepared),
      ...nothingFound,
      typedData: null,
      digest: null,
      nonce: null,
    }
    const refused = (why: IntentReason): Pick<Verification, 'reason' | 'blocked'> => ({ reason: { why, raw: base.status }, blocked: why })
    const given = factsOf(row, prepared)
    const decision = decidePrepared(prepared, given.facts.nowMs)
    switch (decision.kind) {
      case 'not_executable':
        return { ...base, reason: decision.reason }
      case 'contradictory':
        return { ...base, ...refused({ code: 'contradictory', by: decision.by }) }
      case 'expired':
        return { ...base, expired: true, reason: { why: { code: 'preparation_over' }, raw: 'expired' } }
      case 'send': {
        const checked = await verifyTransactions(given, decision.transactions)
        const stopped = checked.steps.length === 0 && checked.blocked !== null ? refused(checked.blocked) : null
        return { ...base, ready: checked.steps.length > 0, way: 'transactions', ...stopped, ...checked }
      }
      case 'sign': {
        const typedData = parseTypedData(decision.typedData)
        if (!typedData.ok) return { ...base, ...refused({ code: 'typed_data', by: typedData.failure.problem }) }
        const nonce = recognise(typedData.value.leaves, { nonce: assumed.orderTypedData.fields.nonce }).found.get('nonce')?.[0]?.value
        const isPermit = decision.mode === 'permit_deposit'
        const findings = isPermit ? await verifyPermit(given, typedData.value) : await compareIntentOf(row, given, typedData.value)
        return {
          ...base,
          ready: true,
          way: decision.mode,
          typedData: typedData.value.json,
          digest: typedData.value.digest,
          nonce: nonce === undefined ? null : isPermit ? permitNonce(String(nonce)) : String(nonce),
          ...findings,
        }
      }
    }
  }

  return Object.assign(verify, {
    /** Verifies the journalled preparation again; null if the intent has none. */
    again: async (row: IntentRow): Promise<Verification | null> => (row.prepared === null ? null : verify(row, PreparedAction.parse(JSON.parse(row.prepared)))),
    /** Stores the nonce of a signed message, so that the wallet never signs another message with this nonce. */
    rememberNonce: (row: IntentRow, nonce: string): void => records.nonces.write(nonceKey(row.wallet, nonce), row.ref),
  })
}

const closes = ['close_position_market', 'close_position_limit']

/** The key under which the app stores a permit’s nonce. The prefix separates nonces of tokens from nonces of the router. */
const permitNonce = (nonce: string): string => `permit/${nonce}`

/**
 * Reads the network cost and trading fee in USDC, which the exchange deducts from the collateral for relayed actions (Resources, execution `costs`;
 * FLOW-08). An unreadable amount is null, never 0.
 */
export function readCosts({ costs }: Pick<Execution, 'costs'>): PreparedOrder['costs'] {
  const found = costsIn(costs)
  if (found === null) return []
  return [
    { kind: 'network', amount: found.network, unit: 'USDC' },
    { kind: 'trading_fee', amount: found.tradingFee, unit: 'USDC' },
  ]
}

/** The differences between the sent payload and the service’s normalised payload (ORD-17). */
function payloadDifferences(row: IntentRow, ticket: OrderTicket, { payload }: PreparedAction, sizeDecimals: number | null): readonly PayloadDifference[] {
  const sent = sentPayload(row.body)
  if (sent === null || payload === null) return []
  return comparePayload(sent, payload, row.wallet, isClosing(ticket) ? closeFills(ticket, sizeDecimals) : {})
}
