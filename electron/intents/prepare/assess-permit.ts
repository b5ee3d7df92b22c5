import type { Spending } from '../../../shared/ipc/intents/signing.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import type { PayloadDifference } from '../../../shared/signing/message/payload.ts'
import type { TypedData } from '../../../shared/signing/message/typed-data.ts'
import type { RouterDecision } from '../../../shared/signing/pins.ts'
import { comparePermit } from '../../../shared/signing/transactions/permit.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import { blockOf, expectedContract, expectedRouter, holdAgainst, type NamedContract } from '../../wallet/trusted-contracts/agreement.ts'
import type { Pins, TokenPins } from '../../wallet/trusted-contracts/pins.ts'
import { usdcDecimals } from './assess-transactions.ts'

/** A permit as compared, and whom it names. */
interface AssessedPermit {
  readonly compared: Compared | null
  readonly spending: Spending | null
  readonly router: RouterDecision | null
  readonly token: RouterDecision | null
  readonly contracts: readonly NamedContract[]
  readonly blocked: string | null
}

interface Facts {
  readonly wallet: string
  readonly action: string
  readonly payload: readonly PayloadDifference[]
  readonly nonceUsed: (nonce: string) => boolean
  /** Whether it may still be signed: the chain's nonce counts on as soon as it was used. */
  readonly isLive: boolean
  readonly nowMs: number
}

interface Deps {
  readonly pins: Pins
  readonly tokens: TokenPins
  readonly transactions: Pick<ChainTransactions, 'permitNonce' | 'permitDomain'>
}

const nothing = { compared: null, spending: null, router: null, token: null, contracts: [] } as const

/** Holds the permit of a deposit against what was asked for (FLOW-04). */
export function createAssessPermit({ pins, tokens, transactions }: Deps) {
  return async (ticket: OrderTicket, typedData: TypedData, facts: Facts): Promise<AssessedPermit> => {
    // The document has it for a deposit of USDC that asked for one, and for nothing else (Flow rules 4).
    if (isOpening(ticket) || ticket.action !== 'add_collateral' || ticket.token !== 'USDC' || !ticket.permit)
      return { ...nothing, blocked: 'The service wants a permit to take tokens from your wallet, which nobody asked for.' }
    const { USDC } = tokens
    const spender = typedData.leaves.find(({ path }) => path === 'spender')?.value
    const [router, token] = await Promise.all([
      pins.trusted.decide(typeof spender === 'string' ? spender : null),
      USDC.decide(typedData.domain.verifyingContract ?? null),
    ])
    const { wallet, action, payload, nonceUsed, isLive, nowMs } = facts
    const { spending, ...compared } = comparePermit(typedData, {
      wallet,
      amountUsdc: ticket.amount,
      router: expectedContract(router, pins.router()),
      token: expectedRouter(token, USDC.pinned()),
      tokenDecimals: usdcDecimals,
      tokenDomain: token === null ? null : await transactions.permitDomain(token.candidate),
      nonce: token === null || !isLive ? null : await transactions.permitNonce(token.candidate, wallet),
      pins: pins.layouts(action),
      nowMs,
      nonceUsed,
      payload,
    })
    const held = holdAgainst(holdAgainst(compared, router), token)
    return {
      compared: held,
      spending,
      router,
      token,
      contracts: [
        ...(router === null ? [] : [{ decision: router, confirm: pins.trusted.confirm }]),
        ...(token === null ? [] : [{ decision: token, confirm: USDC.confirm }]),
      ],
      blocked: blockOf(held),
    }
  }
}
