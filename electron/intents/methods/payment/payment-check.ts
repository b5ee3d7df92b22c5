import { isHex, numberToHex } from 'viem'
import { z } from 'zod'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import { blockedBy, type IntentReason, signingRefused } from '../../../../shared/ipc/intents/reasons.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import { Decimal } from '../../../../shared/ipc/reads/markets.ts'
import { fail, type Result } from '../../../../shared/result.ts'
import { isPhrase } from '../../../../shared/signing/confirmation-phrase.ts'
import { explainPayment, type PaymentExplanation } from '../../../../shared/signing/transactions/payment.ts'
import { type RouterDecision, sameAddress } from '../../../../shared/signing/trust.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import type { PaymentRecord } from '../../../store/records/intent-records.ts'
import { readRecord } from '../../../store/records/record.ts'
import type { Records } from '../../../store/records/registry.ts'
import type { WalletTransaction } from '../../../wallet/chain/transactions.ts'
import { confirmContracts, shownRouter, type Typed } from '../../../wallet/trusted-contracts/agreement.ts'
import type { ContractPin, Trust } from '../../../wallet/trusted-contracts/trust.ts'

export interface CheckedPayment {
  readonly explained: PaymentExplanation
  readonly target: PreparedPayment['target']
  readonly spender: PreparedPayment['spender']
  /** Contracts that the user may have to confirm: the contract that the payment calls, and the contract that gets the allowance. */
  readonly contracts: readonly { readonly pin: 'router' | 'token'; readonly decision: RouterDecision }[]
  /** The transaction for the wallet, built from checked values only. */
  readonly transaction: WalletTransaction
  /** Why the app never sends the payment; `null` if nothing is wrong. */
  readonly blocked: IntentReason | null
}

export interface PaymentCheck {
  /** Parses the payment that the service prepared and compares it with the ticket. */
  check(wallet: string, ticket: PaymentTicket, record: PaymentRecord): Promise<CheckedPayment>
  /** Checks the user’s typed texts: the phrase, and the address of each contract that is not trusted yet. Makes those contracts trusted. */
  agree(checked: CheckedPayment, typed: Typed): Result<void, Failure>
}

/** A transaction’s value in wei: 0 if the value is missing, and null if it is not a number. */
function weiOf(written: string | null): bigint | null {
  if (written === null || written === '0x') return 0n
  return isHex(written) || /^\d{1,78}$/.test(written) ? BigInt(written) : null
}

interface Deps {
  readonly trust: Trust
  readonly token: ContractPin
  readonly clock: Clock
}

export function createPaymentCheck({ trust, token, clock }: Deps): PaymentCheck {
  const isPublished = ({ publishedByConfig, publishedByMeta, candidate }: RouterDecision): boolean =>
    sameAddress(publishedByConfig, candidate) || sameAddress(publishedByMeta, candidate)
  /**
   * Whether the contract is trusted, or the user may confirm it. The user may confirm only a contract whose address the service publishes and which
   * passes the app’s checks.
   */
  const mayBe = (decision: RouterDecision | null): decision is RouterDecision =>
    decision !== null && (decision.state === 'pinned' || (decision.confirmable && isPublished(decision)))

  const roleOf = async (to: string) => {
    const [asRouter, asToken] = await Promise.all([trust.contracts.decide(to), token.decide(to)])
    if (mayBe(asRouter)) return { role: 'router', decision: asRouter } as const
    if (mayBe(asToken)) return { role: 'collateral_token', decision: asToken } as const
    return { role: 'unknown', decision: null } as const
  }

  return {
    check: async (wallet, ticket, record) => {
      const { role, decision } = await roleOf(record.to)
      const expectation = { wallet, amountUsdc: ticket.amountUsdc, role, nowMs: clock.now() }
      const transaction = { ...record, valueWei: weiOf(record.value) }
      const first = explainPayment(transaction, { ...expectation, router: trust.router() })
      // The contract that gets the allowance may be a published router that the user has not trusted yet. The user then confirms it together with
      // the payment.
      const spender = role === 'collateral_token' && first.spending !== null ? await trust.contracts.decide(first.spending.spender) : null
      const trusted = mayBe(spender) ? spender.candidate : trust.router()
      const explained = explainPayment(transaction, { ...expectation, router: trusted })
      return {
        explained,
        target: { role, address: record.to, check: shownRouter(decision) },
        spender: mayBe(spender) ? shownRouter(spender) : null,
        contracts: [
          ...(decision === null ? [] : [{ pin: role === 'router' ? ('router' as const) : ('token' as const), decision }]),
          ...(mayBe(spender) ? [{ pin: 'router' as const, decision: spender }] : []),
        ],
        transaction: { from: wallet, to: record.to, data: record.data, value: numberToHex(transaction.valueWei ?? 0n) },
        blocked: explained.verdict === 'block' ? blockedBy(explained.blocked) : null,
      }
    },
    agree: ({ explained, contracts, blocked }, { phrase, router }) => {
      if (blocked !== null) return fail(signingRefused(blocked))
      if (explained.expectedPhrase !== null && !isPhrase(phrase, explained.expectedPhrase))
        return fail({ kind: 'confirmation_required', what: 'transaction', expected: explained.expectedPhrase })
      return confirmContracts(
        contracts.map(({ pin, decision }) => ({ decision, confirm: pin === 'router' ? trust.contracts.confirm : token.confirm })),
        router,
      )
    },
  }
}

/** The value of the journal’s column `action` for payments. */
export const paymentAction = 'execution_payment'

/** The ticket of a payment, which contains what the user asked for. */
export const PaymentTicket = z.object({ keyId: z.string(), label: z.string(), amountUsdc: Decimal })
export type PaymentTicket = z.infer<typeof PaymentTicket>

export const isPayment = ({ action }: { readonly action: string }): boolean => action === paymentAction

/** An intent’s payment ticket, with the payment that the service prepared (null if it prepared none). Returns null if the ticket is damaged. */
export function paymentOf({ profileId, ref, ticket: written }: IntentRow, { payments }: Records) {
  const ticket = readRecord(PaymentTicket, written)
  return ticket === null ? null : { ticket, record: payments.read({ profile: profileId, ref }) }
}
