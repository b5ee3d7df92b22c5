import type { TransactionEntry } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { blockedBy, type IntentReason } from '../../../shared/ipc/intents/reasons.ts'
import type { Spending } from '../../../shared/ipc/intents/signing.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { type TokenRole, tokenRole } from '../../../shared/positions.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import type { PayloadDifference } from '../../../shared/signing/message/payload.ts'
import type { TypedData } from '../../../shared/signing/message/typed-data.ts'
import { comparePermit } from '../../../shared/signing/transactions/permit.ts'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import { type ExplainedTransaction, explainTransactions } from '../../../shared/signing/transactions/transactions.ts'
import type { ExpectedRouter, RouterDecision } from '../../../shared/signing/trust.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { Records } from '../../store/records/registry.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import { blockOf, concernOf, expectedContract, expectedRouter, holdAgainst, type NamedContract } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust, TrustedTokens } from '../../wallet/trusted-contracts/trust.ts'

/** Decimals of USDC. (The app reads the decimals of the protocol’s own token, SVC, from its contract.) */
export const usdcDecimals = 6

export interface Findings {
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

export const nothingFound: Findings = { compared: null, spending: null, steps: [], router: null, token: null, contracts: [], blocked: null }

export interface PreparedFacts {
  readonly wallet: string
  readonly action: string
  readonly priceDecimals: number | null
  readonly payload: readonly PayloadDifference[]
  readonly nonceUsed: (nonce: string) => boolean
  /**
   * Whether the wallet may still sign the preparation. A used permit raises the chain’s nonce, so the app can no longer compare the permit’s nonce.
   */
  readonly isLive: boolean
  readonly nowMs: number
}

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

/** Compares the transactions of a prepared action with the ticket (FLOW-03). */
export function createVerifyTransactions({ trust, tokens, balances }: Pick<VerifyDeps, 'trust' | 'tokens' | 'balances'>) {
  return async (ticket: OrderTicket, entries: readonly TransactionEntry[], facts: PreparedFacts): Promise<Findings> => {
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
    const { wallet, action, priceDecimals, payload, nowMs } = facts
    const own = contractOf('own')
    const ownDecimals = role === 'own' && own !== null ? await balances.decimals(own.address) : null
    if (role === 'own' && own !== null && ownDecimals === null) return { ...nothingFound, router, token, blocked: { code: 'token_units_unknown' } }
    const { steps, blocked } = explainTransactions(entries, {
      ticket,
      wallet,
      router: expectedContract(router, trust.router()),
      tokens: {
        USDC: { contract: contractOf('USDC'), decimals: usdcDecimals },
        own: { contract: own, decimals: ownDecimals },
      },
      priceDecimals,
      formats: trust.formats(action),
      payload,
      nowMs,
    })
    const concern = concernOf(router) ?? concernOf(token)
    return {
      ...nothingFound,
      ...{ steps, router, token },
      contracts: [...named(router, trust.contracts.confirm), ...(role === null ? [] : named(token, tokens[role].confirm))],
      blocked: blocked !== null ? blockedBy(blocked) : concern === null ? null : blockedBy({ code: 'contract', by: concern }),
    }
  }
}

/** Compares the permit of a deposit with the ticket (FLOW-04). */
export function createVerifyPermit({ trust, tokens, transactions }: Pick<VerifyDeps, 'trust' | 'tokens' | 'transactions'>) {
  return async (ticket: OrderTicket, typedData: TypedData, facts: PreparedFacts): Promise<Findings> => {
    // A permit is allowed only for USDC deposits whose request asked for a permit (API document, Flow rules 4).
    if (isOpening(ticket) || ticket.action !== 'add_collateral' || ticket.token !== 'USDC' || !ticket.permit)
      return { ...nothingFound, blocked: { code: 'unasked_permit' } }
    const { USDC } = tokens
    const spender = typedData.leaves.find(({ path }) => path === 'spender')?.value
    const [router, token] = await Promise.all([
      trust.contracts.decide(typeof spender === 'string' ? spender : null),
      USDC.decide(typedData.domain.verifyingContract ?? null),
    ])
    const { wallet, action, payload, nonceUsed, isLive, nowMs } = facts
    const { spending, ...compared } = comparePermit(typedData, {
      wallet,
      amountUsdc: ticket.amount,
      router: expectedContract(router, trust.router()),
      token: expectedRouter(token, USDC.pinned()),
      tokenDecimals: usdcDecimals,
      tokenDomain: token === null ? null : await transactions.permitDomain(token.candidate),
      nonce: token === null || !isLive ? null : await transactions.permitNonce(token.candidate, wallet),
      formats: trust.formats(action),
      nowMs,
      nonceUsed,
      payload,
    })
    const held = holdAgainst(holdAgainst(compared, router), token)
    return {
      ...nothingFound,
      ...{ compared: held, spending, router, token },
      contracts: [...named(router, trust.contracts.confirm), ...named(token, USDC.confirm)],
      blocked: blockOf(held),
    }
  }
}
