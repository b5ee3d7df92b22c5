import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type StepNote, said } from '../../../shared/ipc/intents/reasons.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { heldBack, type IntentRow } from '../../store/journal/journal.ts'
import { createWalletRequests, type Declined, type WalletRequest } from '../../wallet/requests/wallet-requests.ts'
import type { Typed } from '../../wallet/trusted-contracts/agreement.ts'
import type { EngineParts } from './engine-parts.ts'
import { endsRiskOf } from './intent-facts.ts'

/**
 * Checks the phrases that the user typed, and returns the request for the wallet. Fails if the chain, a contract or a risk limit does not allow the
 * request.
 */
type Ask = (typed: Typed) => ReturnType<WalletRequest['read']>

/** The steps of asking the wallet. Each execution method has its own implementation. Only one step runs at a time for an intent. */
export interface WalletMethod {
  readonly askable: readonly IntentState[]
  /** Whether requests to the same wallet run one after another. So the checks of a request take all earlier requests into account. */
  readonly isSerial?: true
  /**
   * Parses the prepared action from the journal and compares it with the ticket. Fails if the request must not be sent to the wallet; null if nothing
   * was prepared.
   */
  verify(row: IntentRow): Promise<Result<Ask, Failure> | null>
  /** The reason to record if the deadline passes before the app sends the request to the wallet. */
  overReason(row: IntentRow): IntentReason
  /** Called when the app has sent the request to the phone. */
  left(row: IntentRow, topic: string, walletRequestId: string): unknown
  /** Handles the wallet’s answer: a signature, or the hash of a transaction that the wallet sent. */
  take(row: IntentRow, answer: string): Promise<Result<IntentRow, Failure>>
  declined(row: IntentRow, why: Declined, note: StepNote): Promise<IntentRow>
}

/** Ends an intent whose deadline has passed. The app then requests, signs and sends nothing more for this intent (ORD-12). */
export async function endOver(
  { repository, clock }: Pick<EngineParts, 'repository' | 'clock'>,
  { ref, deadlineMs }: IntentRow,
  what: 'intent' | 'signature',
  reason: IntentReason,
): Promise<Failure> {
  await repository.move(ref, 'EXPIRED', { reason }, noteOf(reason))
  return { kind: 'expired', what, atMs: deadlineMs ?? clock.now() }
}

export const isInTime = ({ deadlineMs }: IntentRow, clock: Clock): boolean => deadlineMs !== null && clock.now() < deadlineMs

/**
 * Handles the requests of an intent to its own wallet and the wallet’s answers, even if the app has switched to another wallet. `methodOf` returns
 * null if the intent needs no wallet.
 */
export function createConversation(
  deps: Pick<EngineParts, 'journal' | 'repository' | 'locks' | 'wallet' | 'chain' | 'clock'>,
  methodOf: (row: IntentRow) => WalletMethod | null,
) {
  const { journal, repository, locks, clock } = deps
  const requests = createWalletRequests(deps)

  const find = (ref: string): Result<{ readonly row: IntentRow; readonly method: WalletMethod }, Failure> => {
    const row = repository.find(ref)
    if (!row.ok) return row
    const method = methodOf(row.value)
    return method === null ? fail({ kind: 'not_found', what: 'intent' }) : ok({ row: row.value, method })
  }
  const inTurn = <T>(ref: string, work: (row: IntentRow, method: WalletMethod) => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> =>
    locks.run(ref, async () => {
      const found = find(ref)
      return found.ok ? work(found.value.row, found.value.method) : found
    })

  const read = async (row: IntentRow, method: WalletMethod, typed: Typed): ReturnType<WalletRequest['read']> => {
    const { state } = row
    if (!journal.takesNewRisk() && !endsRiskOf(row)) return fail(heldBack(journal))
    if (state === 'EXPIRED') return fail({ kind: 'expired', what: 'intent', atMs: row.deadlineMs ?? row.updatedAtMs })
    const checked = await method.verify(row)
    if (checked?.ok === false) return checked
    if (checked === null || !method.askable.includes(state)) return fail({ kind: 'wrong_state', state, wanted: 'PREPARED' })
    return isInTime(row, clock) ? checked.value(typed) : fail(await endOver(deps, row, 'intent', method.overReason(row)))
  }

  return {
    ask: async (ref: string, typed: Typed): Promise<Result<SignRequest, Failure>> => {
      const found = find(ref)
      if (!found.ok) return found
      const asking = () =>
        inTurn(ref, (row, method) =>
          requests.ask({
            wallet: row.wallet,
            expiresAtMs: row.deadlineMs ?? 0,
            read: () => read(row, method, typed),
            over: () => endOver(deps, row, 'intent', method.overReason(row)),
          }),
        )
      return found.value.method.isSerial ? locks.run(`wallet:${found.value.row.wallet}`, asking) : asking()
    },
    asked: async (ref: string, topic: string, requestId: string): Promise<Result<Record<never, never>, Failure>> => {
      const found = find(ref)
      if (!found.ok) return found
      await found.value.method.left(found.value.row, topic, requestId)
      return ok({})
    },
    answered: (ref: string, answer: string): Promise<Result<Intent, Failure>> =>
      inTurn(ref, async (row, method) => repository.shown(await method.take(row, answer))),
    declined: (ref: string, why: Declined, detail: string | null): Promise<Result<Intent, Failure>> =>
      inTurn(ref, async (row, method) => ok(repository.view(await method.declined(row, why, said(detail ?? why))))),
  }
}
