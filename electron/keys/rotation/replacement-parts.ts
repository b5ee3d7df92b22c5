import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import type { KeyWork } from '../keys.ts'
import type { ReplacementStore, StoredReplacement } from './stored-replacement.ts'

/**
 * Binds a key to an executor: `before` is what is bound now, `confirmLabel` the key's label. Repeating is safe. As `ExecutorBinding.bind`
 * of the agents' side has it.
 */
export type BindExecutor = (keyId: string, executor: string, before: string | null, confirmLabel: string) => Promise<Result<unknown, Failure>>

/** What the steps of a replacement work with. */
export interface ReplacementParts extends KeyWork {
  readonly bindExecutor: BindExecutor
  readonly store: ReplacementStore
  readonly conclude: (replacement: StoredReplacement) => StoredReplacement
}
