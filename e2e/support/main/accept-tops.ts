import type { TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { value, type Workspace } from './workspace.ts'

/** Maximum number of service checks. Accepting suggested field names may let the next check find more: first a market, then its positions. */
const mostRounds = 5

/**
 * Simulates a user who runs the service check and accepts the first suggestion for every unknown field until no suggestion is left. Requires a
 * connected wallet with a key. Returns the accepted suggestions.
 */
export async function acceptAllTops(workspace: Pick<Workspace, 'handlers' | 'settled'>): Promise<readonly TopCandidate[]> {
  const handlers = workspace.handlers()
  const accepted: TopCandidate[] = []
  value(await handlers['serviceCheck.start']({ how: 'again', dryRuns: false, only: null }))
  for (let round = 0; round < mostRounds; round += 1) {
    await workspace.settled()
    const { tops } = value(await handlers['serviceCheck.tops']({}))
    if (tops.length === 0) break
    value(await handlers['serviceCheck.acceptTops']({ tops: tops.map(({ resource, field, path }) => ({ resource, field, path })) }))
    accepted.push(...tops)
    const { rows } = value(await handlers['serviceCheck.state']({}))
    const due = rows.filter(({ outcome }) => outcome === 'nothing_yet' || outcome === 'impossible' || outcome === 'failed').map(({ id }) => id)
    if (due.length > 0) value(await handlers['serviceCheck.start']({ how: 'resume', dryRuns: false, only: due }))
  }
  return accepted
}
