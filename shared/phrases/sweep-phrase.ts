import type { SweepKind } from '../ipc/intents/sweeps.ts'

/** What the user types before it starts. The same however many there are: they change while it is read. */
export const sweepPhrases: Readonly<Record<SweepKind, string>> = { cancel_all: 'cancel all', close_all: 'close all', kill: 'stop everything' }
