import type { SqliteJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { raw } from '../../../electron/store/records/raw.ts'
import type { Workspace } from './workspace.ts'

/** Thrown at a write to simulate that the process dies before this write. */
export class Killed extends Error {}

/**
 * Simulates that the process dies after `n` more writes to the journal (key operations, stored values, secret indexes) or the keychain. All later
 * writes fail. `revive`: makes the keychain work again for the next start.
 */
export function dieAtWrite(workspace: Workspace, n: number): { died(): boolean; revive(): void } {
  let left = n
  let dead = false
  const guarded =
    <A extends unknown[], R>(write: (...input: A) => R) =>
    (...input: A): R => {
      if (!dead) left -= 1
      dead ||= left < 0
      if (dead) throw new Killed()
      return write(...input)
    }
  const { secretOperations, secretIndex, webhookIndex, ...journal } = workspace.journal()
  const { values } = journal[raw]
  Object.assign(secretOperations, { plan: guarded(secretOperations.plan), move: guarded(secretOperations.move) })
  Object.assign(values, { set: guarded(values.set) })
  for (const index of [secretIndex, webhookIndex]) Object.assign(index, { remember: guarded(index.remember), forget: guarded(index.forget) })
  const { set, delete: remove } = workspace.secrets
  Object.assign(workspace.secrets, { set: guarded(set), delete: guarded(remove) })
  return { died: () => dead, revive: () => Object.assign(workspace.secrets, { set, delete: remove }) }
}

/** Calls `tell` with a description before each write of an intent, a transaction or a stored value. If `tell` throws, the write does not happen. */
export function tellWrites({ intents, transactions, [raw]: { values } }: SqliteJournal, tell: (what: string) => void): void {
  const before =
    <Input extends unknown[]>(write: (...input: Input) => unknown, what: NoInfer<(...input: Input) => string | null>) =>
    (...input: Input): unknown => {
      const name = what(...input)
      if (name !== null) tell(name)
      return write(...input)
    }
  Object.assign(intents, {
    plan: before(intents.plan, () => 'plan'),
    move: before(intents.move, (_ref, to) => `to ${to}`),
    update: before(intents.update, () => 'update'),
  })
  Object.assign(transactions, {
    plan: before(transactions.plan, (_ref, planned) => (planned.length === 0 ? null : 'plan transactions')),
    change: before(transactions.change, (_ref, _position, { state }) => `transaction ${state ?? 'fields'}`),
  })
  // The journal stores a test value to check the disk. That write has nothing to do with orders, so it is not reported.
  Object.assign(values, { set: before(values.set, (name) => (name.includes('/') ? `value ${name.split('/')[0]}` : null)) })
}
