import type { Failure } from '../../shared/ipc/failure.ts'
import type { PracticeDescriptor } from '../../shared/practice.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { createQueue } from '../kernel/deadline.ts'
import { ExpectedFailure } from '../kernel/failures.ts'

/** The facts about a profile that its services need when they are built. */
export type ActiveProfile =
  | { readonly kind: 'practice'; readonly id: string; readonly descriptor: PracticeDescriptor; readonly secondHostUrl?: string | null }
  | { readonly kind: 'live'; readonly id: string; readonly name: string; readonly hostUrl: string; readonly secondHostUrl?: string | null }

/** The services of the active profile; at most one set exists. */
export interface WorkspaceSwitch {
  /** Closes the previous profile's services, then builds this profile's. */
  open(profile: ActiveProfile): Promise<Result<void, Failure>>
  close(): Promise<void>
}

interface ProfileWorkspace {
  close(): Promise<void>
}

interface CurrentWorkspace<D extends ProfileWorkspace> extends WorkspaceSwitch {
  /** `null` when no profile is open or one is being switched. */
  current(): D | null
  /** Like `current`, but if a switch is running, waits for it. */
  settled(): Promise<D | null>
}

/** Keeps at most one set of services. It builds the next set only after the previous set has closed, because both sets would open the same files. */
export function createWorkspaceSwitch<D extends ProfileWorkspace>(build: (profile: ActiveProfile) => Promise<D>): CurrentWorkspace<D> {
  const queue = createQueue()
  let workspace: D | null = null

  const end = async () => {
    const last = workspace
    workspace = null
    await last?.close()
  }

  return {
    open: (profile) =>
      queue(async (): Promise<Result<void, Failure>> => {
        await end()
        try {
          workspace = await build(profile)
          return ok(undefined)
        } catch (error) {
          if (error instanceof ExpectedFailure) return fail(error.failure)
          throw error
        }
      }),
    close: () => queue(end),
    current: () => workspace,
    settled: () => queue(async () => workspace),
  }
}
