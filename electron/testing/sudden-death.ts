import type { Desk } from './desk.ts'

/** Thrown where the process would have died. */
export class Killed extends Error {}

/**
 * The process dies at its `n`-th write from now on, counted over the journal's operations, values and index and over the keychain: that write and all
 * later ones never happen. Gives what puts the keychain back, for the next start.
 */
export function dieAtWrite(desk: Desk, n: number): { died(): boolean; revive(): void } {
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
  const { secretOperations, values, secretIndex, webhookIndex } = desk.journal()
  Object.assign(secretOperations, { plan: guarded(secretOperations.plan), move: guarded(secretOperations.move) })
  Object.assign(values, { set: guarded(values.set) })
  for (const index of [secretIndex, webhookIndex]) Object.assign(index, { remember: guarded(index.remember), forget: guarded(index.forget) })
  const { set, delete: remove } = desk.secrets
  Object.assign(desk.secrets, { set: guarded(set), delete: guarded(remove) })
  return { died: () => dead, revive: () => Object.assign(desk.secrets, { set, delete: remove }) }
}
