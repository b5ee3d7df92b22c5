import type { Failure } from '../../../shared/ipc/failure.ts'
import { accountQueries, intentQueries, movedQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import { type Fill, Intent, type IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type StepNote, sameReason } from '../../../shared/ipc/intents/reasons.ts'
import { causesTrades } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { Secret } from '../../kernel/secret.ts'
import type { IntentChange, IntentRow, Journal, Vault } from '../../store/journal/journal.ts'
import { terminalIntentStates } from '../../store/journal/tables/states.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

/** States in which an intent may have changed the account. */
const changesAccount: ReadonlySet<IntentState> = new Set<IntentState>(['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED', 'UNKNOWN'])

/** The severity of the notice about an intent’s new state; null if the state needs no notice. */
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

export type IntentRepository = ReturnType<typeof createIntentRepository>

interface IntentRepositoryDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly vault: Vault
  readonly emit: Emit
  /** Whether the window shows the data of this wallet now. */
  readonly isShown: (wallet: string) => boolean
  /** Waits a few seconds for what a final order traded. null: unknown. undefined: it traded nothing so far. */
  readonly fillOf: (row: IntentRow) => Promise<Fill | null | undefined>
}

export function createIntentRepository({ profile, journal, vault, emit, isShown, fillOf }: IntentRepositoryDeps) {
  const signatureKey = (ref: string) => ({ profile: profile.id, ref })

  /** Returns an intent of this profile. Fails with `not_found`. */
  const find = (ref: string): Result<IntentRow, Failure> => {
    const row = journal.intents.get(ref)
    return row === null || row.profileId !== profile.id ? fail({ kind: 'not_found', what: 'intent' }) : ok(row)
  }

  /** The fields of an intent that windows receive. */
  const view = (row: IntentRow): Intent => {
    const fill = row.state === 'FINAL' && causesTrades(row.action) ? journal.records.fills.read({ profile: profile.id, ref: row.ref }) : null
    return Intent.parse(fill === null ? row : { ...row, fill })
  }

  const dropSignature = (ref: string): Promise<void> => vault.signatures.delete(signatureKey(ref))

  /** Changes fields of an intent without changing its state. */
  const change = (ref: string, fields: IntentChange): IntentRow => {
    const row = journal.intents.update(ref, fields)
    emit({ type: 'invalidate', queries: intentQueries })
    return row
  }

  /** The notices that wait for the fill of their order. */
  const waiting = new Set<Promise<void>>()

  const notify = (row: IntentRow, fill?: Fill | null): void => {
    // No notice appears about an intent of another wallet. The user sees the new state after switching to that wallet (Authentication 3).
    const severity = isShown(row.wallet) ? severityOf(row) : null
    const { ref, title, state, reason } = row
    const notice = { code: 'intent', title, state, reason, ...(fill === undefined ? {} : { fill }) } as const
    if (severity !== null) emit({ type: 'notice', severity, notice, to: `/activity/${ref}`, system: 'away' })
  }

  /** Notifies the user of a final order once its fill is known, or once the app stops waiting for the fill. */
  const notifyWithFill = async (row: IntentRow): Promise<void> => {
    const fill = await fillOf(row).catch(() => null)
    // If the chain reverted the order meanwhile, that has its own notice.
    if (journal.intents.get(row.ref)?.state !== 'FINAL') return
    if (fill != null) {
      journal.records.fills.write({ profile: profile.id, ref: row.ref }, fill)
      emit({ type: 'invalidate', queries: intentQueries })
    }
    notify(row, fill)
  }

  return {
    find,
    /** Returns an intent of this profile and wallet. Fails with `not_found`, or with `wrong_wallet` if the intent belongs to another wallet. */
    findOf: (ref: string, wallet: string): Result<IntentRow, Failure> => {
      const row = find(ref)
      if (row.ok && row.value.wallet !== wallet) return fail({ kind: 'wrong_wallet', wallet, expected: row.value.wallet })
      return row
    },
    /**
     * Moves an intent to another state and notifies the window. If the new state is terminal, deletes the stored signature. `also` makes further
     * journal writes in the same database transaction, so that either all writes succeed or none.
     */
    move: async (ref: string, to: IntentState, change?: IntentChange, note?: StepNote, also = () => {}): Promise<IntentRow> => {
      const row = journal.together(() => {
        also()
        // After a reorganisation, the order may have traded something else, or nothing.
        if (to === 'FINAL') journal.records.fills.delete({ profile: profile.id, ref })
        return journal.intents.move(ref, to, change, note)
      })
      if (terminalIntentStates.includes(to)) await dropSignature(ref)
      emit({ type: 'invalidate', queries: changesAccount.has(to) ? [...movedQueries, ...accountQueries] : movedQueries })
      if (to !== 'FINAL' || !isShown(row.wallet) || !causesTrades(row.action)) notify(row)
      else {
        const notified = notifyWithFill(row)
          // The order itself must not fail if its notice does, for example because the profile was closed meanwhile.
          .catch(() => undefined)
          .finally(() => waiting.delete(notified))
        waiting.add(notified)
      }
      return row
    },
    change,
    /** Changes the reason why an intent waits, without changing its state. */
    // Write a reason only if it has changed, because the app looks up an UNKNOWN intent every few seconds.
    note: (row: IntentRow, reason: IntentReason): IntentRow => (sameReason(row.reason, reason) ? row : change(row.ref, { reason })),
    /** Adds a remark to the timeline of a finished intent: the reason why its state does not change. Adds each reason only once. */
    remark: (given: IntentRow, reason: IntentReason): IntentRow => {
      if (sameReason(given.reason, reason)) return given
      const row = journal.intents.remark(given.ref, noteOf(reason), { reason })
      emit({ type: 'invalidate', queries: intentQueries })
      return row
    },
    /** Encrypts and stores the signature. Anyone who has the signature can use it until the deadline. */
    keepSignature: (ref: string, signature: string): Promise<void> => vault.signatures.write(signatureKey(ref), new Secret(signature)),
    dropSignature,
    /** Deletes signatures of finished intents. The app may have stopped after finishing an intent and before deleting its signature. */
    dropEnded: async (): Promise<void> => {
      for (const { key } of await vault.signatures.list({ profile: profile.id })) {
        const row = journal.intents.get(key.ref)
        if (row !== null && terminalIntentStates.includes(row.state)) await vault.signatures.delete(key)
      }
    },
    /** Resolves when no notice waits for the fill of its order. */
    settled: async (): Promise<void> => {
      await Promise.all(waiting)
    },
    signatureOf: (ref: string): Promise<Secret | null> => vault.signatures.read(signatureKey(ref)),
    view,
  }
}

export type Shown = ReturnType<typeof createShown>

/** Reads the intents of the wallet that the window shows. */
export function createShown({ wallet, repository }: { readonly wallet: Pick<WalletReport, 'shown'>; readonly repository: Pick<IntentRepository, 'findOf'> }) {
  return {
    /** Returns `read` of the shown wallet, or `none` if the window shows no wallet. */
    of: <T>(none: T, read: (address: string) => T): Result<T, Failure> => {
      const whose = wallet.shown()
      return whose.ok ? ok(whose.value === null ? none : read(whose.value)) : whose
    },
    /** Returns an intent of the shown wallet. Fails with `not_found` or `wrong_wallet`. */
    find: (ref: string, what: 'intent' | 'payment' = 'intent'): Result<IntentRow, Failure> => {
      const whose = wallet.shown()
      if (!whose.ok) return whose
      return whose.value === null ? fail({ kind: 'not_found', what }) : repository.findOf(ref, whose.value)
    },
  }
}
