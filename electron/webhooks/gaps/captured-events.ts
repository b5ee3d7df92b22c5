import { second } from '../../../shared/time.ts'
import { isCorrection as isCorrectionType } from '../../../shared/webhooks/samples.ts'
import type { LabRecord } from '../lab/lab-record.ts'
import type { SentEvent } from './expected.ts'
import { dataOf, marksIn } from './marks.ts'

export interface Captured extends SentEvent {
  /** A correction took it back: it does not count for how things ended. */
  readonly isRevoked: boolean
  /** Is a correction itself. */
  readonly isCorrection: boolean
  /** Of a correction: the event that it names. null: it names none, or it is no correction. */
  readonly revokedId: string | null
}

export const capturedOf = ({ captures }: LabRecord): Captured[] =>
  captures.events().map(({ id, type, createdAt, delivery, revokes, revokedBy }) => ({
    ...{ id, type, atMs: createdAt * second, revokedId: revokes?.id ?? null, isRevoked: revokedBy.length > 0 },
    isCorrection: revokes !== null || isCorrectionType(type),
    ...marksIn(dataOf(delivery.body)),
  }))

/** From when on nothing that came is gone again, Unix ms; null: nothing went. */
export function keptFrom({ captures }: LabRecord): number | null {
  if (captures.counts().droppedEvents === 0) return null
  return captures.events().reduce((first, { attempts }) => Math.min(first, attempts[0]?.atMs ?? first), Number.POSITIVE_INFINITY)
}
