import { second } from '../../../shared/time.ts'

/** A request lives 10 s at most; nothing of it arrives later than this after it was given up. */
export const settledAfterMs = 15 * second
