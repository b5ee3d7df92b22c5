import type { TransactionEntry } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { type TokenRole, tokenRole } from '../../../shared/collateral-token.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { PayloadDifference } from '../../../shared/signing/message/payload.ts'
import type { ExpectedRouter, RouterDecision } from '../../../shared/signing/pins.ts'
import { decodeCall } from '../../../shared/signing/transactions/router-calls.ts'
import { type ExplainedTransaction, explainTransactions } from '../../../shared/signing/transactions/transactions.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import { concernOf, expectedContract, expectedRouter, type NamedContract } from '../../wallet/trusted-contracts/agreement.ts'
import type { Pins, TokenPins } from '../../wallet/trusted-contracts/pins.ts'

/** USDC counts in millionths. What the protocol's own token counts in, its contract says. */
export const usdcDecimals = 6

/** Transactions as compared, and whom they name. */
export interface AssessedTransactions {
  readonly steps: readonly ExplainedTransaction[]
  readonly router: RouterDecision | null
  readonly token: RouterDecision | null
  /** Contracts that the user's word may be needed for. */
  readonly contracts: readonly NamedContract[]
  /** Why none of them is sent, in a sentence; null where nothing speaks against it. */
  readonly blocked: string | null
}

interface Facts {
  readonly wallet: string
  readonly action: string
  readonly priceDecimals: number | null
  readonly payload: readonly PayloadDifference[]
  readonly nowMs: number
}

interface Deps {
  readonly pins: Pins
  readonly tokens: TokenPins
  /** Asks the chain. */
  readonly balances: Pick<ChainBalances, 'decimals'>
}

/** The token contract that a list of transactions names: the one that gives the allowance, else the argument of the call; null: none. */
function namedToken(entries: readonly TransactionEntry[]): string | null {
  for (const { to, data } of entries) {
    if (data === null) continue
    if (decodeCall('token', data) !== null) return to
    const named = decodeCall('router', data)?.leaves.find(({ path }) => path === 'token')?.value
    if (typeof named === 'string') return named
  }
  // What comes before the action is for the token, whether it can be read or not.
  return entries.length > 1 ? (entries[0]?.to ?? null) : null
}

/** Holds the transactions of a prepared action against what was asked for (FLOW-03). */
export function createAssessTransactions({ pins, tokens, balances }: Deps) {
  return async (ticket: OrderTicket, entries: readonly TransactionEntry[], facts: Facts): Promise<AssessedTransactions> => {
    if (isOpening(ticket))
      return {
        steps: [],
        router: null,
        token: null,
        contracts: [],
        blocked: 'The service wants transactions for this order. An order is signed, never sent by the wallet.',
      }
    const named = 'token' in ticket ? tokenRole(ticket.token) : null
    const [router, token] = await Promise.all([
      pins.trusted.decide(entries.at(-1)?.to ?? null, endsRisk(ticket)),
      named === null ? null : tokens[named].decide(namedToken(entries)),
    ])
    const contractOf = (name: TokenRole): ExpectedRouter | null => {
      const pinned = tokens[name].pinned()
      if (name === named) return expectedRouter(token, pinned)
      return pinned === null ? null : { by: 'pin', address: pinned }
    }
    const { wallet, action, priceDecimals, payload, nowMs } = facts
    const own = contractOf('own')
    const ownDecimals = named === 'own' && own !== null ? await balances.decimals(own.address) : null
    if (named === 'own' && own !== null && ownDecimals === null)
      return {
        steps: [],
        router,
        token,
        contracts: [],
        blocked: 'The chain did not say in what units the token counts, so its amount cannot be checked. Try again.',
      }
    const { steps, verdict, sentence } = explainTransactions(entries, {
      ticket,
      wallet,
      router: expectedContract(router, pins.router()),
      tokens: {
        USDC: { contract: contractOf('USDC'), decimals: usdcDecimals },
        own: { contract: own, decimals: ownDecimals },
      },
      priceDecimals,
      pins: pins.layouts(action),
      payload,
      nowMs,
    })
    const lines = verdict === 'block' ? (sentence ?? 'The transactions do not do what you asked for.') : null
    return {
      steps,
      router,
      token,
      contracts: [
        ...(router === null ? [] : [{ decision: router, confirm: pins.trusted.confirm }]),
        ...(token === null || named === null ? [] : [{ decision: token, confirm: tokens[named].confirm }]),
      ],
      blocked: lines ?? concernOf(router) ?? concernOf(token),
    }
  }
}
