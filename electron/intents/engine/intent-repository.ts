import type { Failure } from '../../../shared/ipc/failure.ts'
import { accountQueries, intentQueries, movedQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import { Intent, type IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type StepNote, sameReason } from '../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { IntentChange, IntentRow, Journal, Vault } from '../../store/journal/journal.ts'
import { terminalIntentStates } from '../../store/journal/tables/states.ts'

/** States in which an intent may have changed the account; an unsent intent changes nothing. */
const changesAccount: ReadonlySet<IntentState> = new Set<IntentState>(['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED', 'UNKNOWN'])

/** The severity of the notice that the app shows on every page about an intent’s new state; null for states that need no notice. */
function severityOf({ state, reason }: IntentRow): 'ok' | 'warn' | 'danger' | null {
  switch (state) {
    case 'FINAL':
      return reason === null ? 'ok' : 'warn'
    case 'REVERTED':
      return 'danger'
    case 'UNKNOWN':
      return 'warn'
    default:
      return null
  }
}

export interface IntentRepository {
  /** Returns an intent of this profile. Fails with `not_found`. */
  find(ref: string): Result<IntentRow, Failure>
  /** Returns an intent of this profile and wallet. Fails with `not_found`, or with `wrong_wallet` if the intent belongs to another wallet. */
  findOf(ref: string, wallet: string): Result<IntentRow, Failure>
  /**
   * Moves the intent, notifies the window, and erases the stored signature if the new state is terminal. Journal writes in `also` are committed with
   * the move or not at all.
   */
  move(ref: string, to: IntentState, change?: IntentChange, note?: StepNote, also?: () => void): Promise<IntentRow>
  /** Changes fields without moving the intent. */
  change(ref: string, change: IntentChange): IntentRow
  /** Changes the reason why the intent waits, without moving it. */
  note(row: IntentRow, reason: IntentReason): IntentRow
  /** Adds news about a finished intent to its timeline, with the reason why the intent’s state doesn’t change. Adds the same reason only once. */
  remark(row: IntentRow, reason: IntentReason): IntentRow
  /** Stores the signature encrypted: anyone who has it can use it until the deadline. */
  keepSignature(ref: string, signature: string): Promise<void>
  signatureOf(ref: string): Promise<Secret | null>
  dropSignature(ref: string): Promise<void>
  /** Erases signatures of finished intents. The app may have stopped between finishing an intent and erasing its signature. */
  dropEnded(): Promise<void>
  /** The part of a row that the window may see. */
  view(row: IntentRow): Intent
}

interface IntentRepositoryDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly vault: Vault
  readonly emit: Emit
  /** Whether the screens show this wallet's data. */
  readonly isShown: (wallet: string) => boolean
}

export function createIntentRepository({ profile, journal, vault, emit, isShown }: IntentRepositoryDeps): IntentRepository {
  const signatureKey = (ref: string) => ({ profile: profile.id, ref })

  const find = (ref: string): Result<IntentRow, Failure> => {
    const row = journal.intents.get(ref)
    return row === null || row.profileId !== profile.id ? fail({ kind: 'not_found', what: 'intent' }) : ok(row)
  }

  const dropSignature = (ref: string): Promise<void> => vault.signatures.delete(signatureKey(ref))

  const change = (ref: string, fields: IntentChange): IntentRow => {
    const row = journal.intents.update(ref, fields)
    emit({ type: 'invalidate', queries: intentQueries })
    return row
  }

  return {
    find,
    findOf: (ref, wallet) => {
      const row = find(ref)
      if (row.ok && row.value.wallet !== wallet) return fail({ kind: 'wrong_wallet', wallet, expected: row.value.wallet })
      return row
    },
    move: async (ref, to, change, note, also = () => {}) => {
      const row = journal.together(() => {
        also()
        return journal.intents.move(ref, to, change, note)
      })
      if (terminalIntentStates.includes(to)) await dropSignature(ref)
      emit({ type: 'invalidate', queries: changesAccount.has(to) ? [...movedQueries, ...accountQueries] : movedQueries })
      // The screens of one wallet show no notice about another wallet's intent; its state appears when the user shows that wallet (Authentication 3).
      const severity = isShown(row.wallet) ? severityOf(row) : null
      const { title, state, reason } = row
      if (severity !== null) emit({ type: 'notice', severity, notice: { code: 'intent', title, state, reason }, to: `/activity/${ref}`, system: 'away' })
      return row
    },
    change,
    // Write nothing if the reason is unchanged: the app looks up an UNKNOWN intent every few seconds.
    note: (row, reason) => (sameReason(row.reason, reason) ? row : change(row.ref, { reason })),
    remark: (given, reason) => {
      if (sameReason(given.reason, reason)) return given
      const row = journal.intents.remark(given.ref, noteOf(reason), { reason })
      emit({ type: 'invalidate', queries: intentQueries })
      return row
    },
    keepSignature: (ref, signature) => vault.signatures.write(signatureKey(ref), new Secret(signature)),
    dropSignature,
    dropEnded: async () => {
      for (const { key } of await vault.signatures.list({ profile: profile.id })) {
        const row = journal.intents.get(key.ref)
        if (row !== null && terminalIntentStates.includes(row.state)) await vault.signatures.delete(key)
      }
    },
    signatureOf: (ref) => vault.signatures.read(signatureKey(ref)),
    view: (row) => Intent.parse(row),
  }
}
