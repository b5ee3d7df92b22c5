import { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { CheckedMessage, CheckedSigning } from '../../../shared/ipc/host/service-check.ts'
import { signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { phraseOf } from '../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Compared } from '../../../shared/signing/comparison.ts'
import { earliestDeadline } from '../../../shared/signing/prepared-action.ts'
import { pairOf, sideOf } from '../../../shared/ticket/actions/check-action.ts'
import type { Verification, Verify } from '../../intents/prepare/verification.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { agreeTo, blockOf, shownRouter } from '../../wallet/trusted-contracts/agreement.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'
import type { StoredStep } from './stored-check.ts'

interface Prepared {
  readonly id: string
  readonly action: string
  readonly wallet: string
  readonly asked: NonNullable<StoredStep['asked']>
  /** The service's answer, as the check stored it. */
  readonly json: unknown
  readonly atMs: number
}

export interface SigningCheck {
  /** Compares the messages that the wallet would sign with what the check asked for. null if the preparation can't be read. */
  show(prepared: Prepared): Promise<CheckedSigning | null>
  /** Confirms the signing formats and the contracts of the messages with these digests: all or none. */
  pin(prepared: Prepared, digests: readonly string[], typed: string | null): Promise<Result<void, Failure>>
}

/** Judges the messages of a preparation like those of an order, but without an intent, because the check never signs them. */
export function createSigningCheck({
  profile,
  verify,
  trust,
}: {
  readonly profile: ProfileFacts
  readonly verify: Verify
  readonly trust: Trust
}): SigningCheck {
  const checked = async ({ id, action, wallet, asked, json, atMs }: Prepared): Promise<Verification | null> => {
    const reading = PreparedAction.read(json)
    if (!reading.ok) return null
    const prepared = reading.value
    const ticket = OrderTicket.parse(JSON.parse(asked.ticket))
    const row: IntentRow = {
      ...{ ref: `service-check/${id}`, profileId: profile.id, wallet, action, title: { code: 'as_written', text: action } },
      ...{ intentId: prepared.intentId, pairId: pairOf(ticket), symbol: asked.symbol, side: sideOf(ticket), way: null },
      // The verification needs an intent. Pass a cancelled intent, so that the verification ignores the deadline: the check never signs the
      // preparation.
      ...{ state: 'CANCELLED', deadlineMs: earliestDeadline(prepared), createdAtMs: atMs, updatedAtMs: atMs },
      ...{ reason: null, txHash: null, commandId: null, confirmations: null, finality: null, unsentSignature: false },
      ...{ idempotencyKey: '', clientOrderId: asked.clientOrderId, body: asked.body, ticket: asked.ticket },
      ...{ typedData: null, prepared: null, topic: null, walletRequestId: null, blockNumber: null },
    }
    return verify(row, prepared)
  }

  const comparedOf = ({ compared, steps }: Verification): readonly { readonly compared: Compared; readonly signature: string | null }[] => [
    ...(compared === null ? [] : [{ compared, signature: null }]),
    ...steps.map((step) => ({ compared: step.compared, signature: step.signature ?? '' })),
  ]

  return {
    show: async (prepared) => {
      const found = await checked(prepared)
      if (found === null) return null
      const messages = comparedOf(found).map(({ compared: { comparison }, signature }): CheckedMessage => {
        const { verdict, digest, lines, asks, blocked } = comparison
        return { verdict, signature, digest, lines, asks, blocked }
      })
      const contracts = found.contracts.flatMap(({ decision }) => (decision.state === 'pinned' ? [] : (shownRouter(decision) ?? [])))
      const verdicts = messages.map(({ verdict }) => verdict)
      const verdict =
        found.blocked !== null || verdicts.includes('block')
          ? 'block'
          : messages.length === 0
            ? 'unsigned'
            : verdicts.includes('confirm') || contracts.length > 0
              ? 'confirm'
              : 'pass'
      const why = found.blocked ?? found.reason?.why ?? null
      return { verdict, messages, contracts, reason: why }
    },
    pin: async (prepared, digests, typed) => {
      const found = await checked(prepared)
      if (found === null) return fail({ kind: 'not_found', what: 'preparation' })
      const messages = comparedOf(found)
      const blocked = found.blocked ?? messages.map(({ compared }) => blockOf(compared)).find((why) => why !== null) ?? null
      if (blocked !== null) return fail(signingRefused(blocked))
      // If a message changed after the page showed it, the user has not confirmed the change.
      const all = messages.map(({ compared }) => compared.comparison.digest)
      if (all.length === 0 || all.join() !== digests.join()) return fail({ kind: 'wrong_state', state: 'changed', wanted: 'shown' })
      // Judge every message before confirming any format.
      const agreements = messages.map(({ compared }) => {
        const { asks } = compared.comparison
        // The page shows every field with its meaning. So a click confirms a new format, without the phrase that signing would require. Any other
        // required phrase must still be typed.
        return { compared, phrase: asks?.kind === 'format' ? phraseOf(asks) : typed }
      })
      const dry: Pick<Trust, 'addFormat'> = { addFormat: () => {} }
      for (const { compared, phrase } of agreements) {
        const agreed = agreeTo(dry, prepared.action, { compared, contracts: [] }, { phrase, router: null })
        if (!agreed.ok) return agreed
      }
      const [first, ...more] = agreements
      if (first === undefined) return ok(undefined)
      // A click counts as the "yes" for a new contract that the service publishes. To replace a trusted contract, the user must type the new address.
      const router = found.contracts.some(({ decision }) => decision.state === 'changed') ? typed : 'yes'
      const agreed = agreeTo(trust, prepared.action, { compared: first.compared, contracts: found.contracts }, { phrase: first.phrase, router })
      if (!agreed.ok) return agreed
      for (const { compared } of more) trust.addFormat(prepared.action, compared.pin)
      return ok(undefined)
    },
  }
}
