import { ok } from '../../shared/result.ts'
import type { Handlers } from '../kernel/handlers.ts'
import { createActivity } from '../reads/activity/activity.ts'
import { createHealth } from '../reads/activity/health.ts'
import { createRequestConsole } from '../reads/activity/request-console.ts'
import type { LiveStream } from '../service/stream/live-stream.ts'
import { type AttentionDeps, createAttention } from './attention.ts'
import type { ProfileParts } from './profile-parts.ts'

export interface StandingDeps extends ProfileParts, Pick<AttentionDeps, 'draftOf' | 'more'> {
  readonly stream: Pick<LiveStream, 'state'>
}

type StandingCall = 'app.clock' | 'app.health' | 'app.attention' | 'app.acceptRebuiltJournal' | 'activity.secrets' | 'requests.list' | 'requests.get'

/** How the profile stands and what was done in it: its health, what waits for the user, the calls for secrets and every request. */
export function createStanding(deps: StandingDeps): Handlers<StandingCall> {
  const { api, journal } = deps
  const health = createHealth(deps)
  const attention = createAttention({ ...deps, health })
  return {
    ...createActivity(deps).handlers,
    ...createRequestConsole(deps).handlers,
    'app.clock': async () => ok({ offsetMs: api.clockOffsetMs() }),
    'app.health': async () => ok(await health.read()),
    'app.attention': async () => ok(await attention()),
    'app.acceptRebuiltJournal': async () => {
      journal.acceptRebuilt()
      return ok<Record<never, never>>({})
    },
  }
}
