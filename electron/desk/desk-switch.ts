import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { ExpectedFailure } from '../ipc/expected-failure.ts'
import type { ActiveProfile, DeskSwitch } from '../profiles/profiles.ts'
import { createQueue } from '../secrets/queue.ts'

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
