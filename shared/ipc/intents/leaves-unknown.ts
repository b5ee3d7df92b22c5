import type { Failure } from '../failure.ts'

/** Whether a change may have happened although nobody can tell what came of it: such a failure is looked up and never repeated by itself. */
export const leavesUnknown = (failure: Failure): failure is Extract<Failure, { kind: 'outcome_unknown' | 'unreadable' }> =>
  failure.kind === 'outcome_unknown' || failure.kind === 'unreadable'
