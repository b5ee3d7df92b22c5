import type { Failure } from '../../shared/ipc/failure.ts'
import type { PracticeDescriptor } from '../../shared/practice.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import { createQueue } from '../kernel/queue.ts'

/** What a profile is when its services are built. */
export type ActiveProfile =
  | { readonly kind: 'practice'; readonly id: string; readonly descriptor: PracticeDescriptor; readonly secondHostUrl?: string | null }
  | { readonly kind: 'live'; readonly id: string; readonly name: string; readonly hostUrl: string; readonly secondHostUrl?: string | null }

/** The services of the active profile, of which there is at most one set. */
export interface DeskSwitch {
  /** Ends the services of the profile before, builds those of this one. */
  open(profile: ActiveProfile): Promise<Result<void, Failure>>
  /** Ends them. */
  close(): Promise<void>
}

/** The services of one profile. */
export interface ProfileDesk {
  close(): Promise<void>
}

export interface CurrentDesk<D extends ProfileDesk> extends DeskSwitch {
  /** null while there is none, or one is being exchanged for another. */
  current(): D | null
  /** As `current`, after an exchange under way has ended. */
  settled(): Promise<D | null>
}

/** At most one set of services, and none is built before the one before has ended: both would open the same files. */
export function createDeskSwitch<D extends ProfileDesk>(build: (profile: ActiveProfile) => Promise<D>): CurrentDesk<D> {
  const queue = createQueue()
  let desk: D | null = null

  const end = async () => {
    const last = desk
    desk = null
    await last?.close()
  }

  return {
    open: (profile) =>
      queue(async (): Promise<Result<void, Failure>> => {
        await end()
        try {
          desk = await build(profile)
          return ok(undefined)
        } catch (error) {
          if (error instanceof ExpectedFailure) return fail(error.failure)
          throw error
        }
      }),
    close: () => queue(end),
    current: () => desk,
    settled: () => queue(async () => desk),
  }
}
