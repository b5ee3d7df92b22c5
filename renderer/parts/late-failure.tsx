import { late } from '../kit/layout/late.tsx'

/** A `FailureNote` for the first screens. Failure texts load only when something fails, so that the window opens sooner. */
export const LateFailureNote = late(async () => (await import('./failure-note.tsx')).FailureNote)

/** A `FailurePanel` for the first screens. Loads its texts only when something fails, like `LateFailureNote`. */
export const LateFailurePanel = late(async () => (await import('./failure-note.tsx')).FailurePanel)

/** A `FailureLine` for the first screens. Loads its texts only when something fails, like `LateFailureNote`. */
export const LateFailureLine = late(async () => (await import('./failure-note.tsx')).FailureLine)
