import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'

export type TrackStepId = 'plan' | 'key' | 'agent' | 'probe' | 'handover' | 'revoke'

export interface TrackStep {
  readonly id: TrackStepId
  /** The step's state. `left`: the replacement was abandoned before this step. */
  readonly state: 'done' | 'now' | 'stuck' | 'next' | 'left'
  readonly atMs: number | null
}

type Now = Replacement['now']
type ReachedState = Exclude<Now['state'], 'done' | 'abandoned' | 'stuck'>

/** The steps of a replacement in order. If the agent is granted only after the key was created, the grant is a separate step. */
export const stepsOf = (agent: Replacement['plan']['agent']): readonly TrackStepId[] =>
  agent === 'after_key' ? ['plan', 'key', 'agent', 'probe', 'handover', 'revoke'] : ['plan', 'key', 'probe', 'handover', 'revoke']

/** The step to show as active while the replacement is in `state`. */
function stepAt(state: ReachedState, { newKey, plan }: Replacement): TrackStepId {
  switch (state) {
    case 'planned':
      return 'key'
    case 'granting':
      return plan.agent === 'after_key' && newKey !== null ? 'agent' : 'key'
    case 'created':
      return 'probe'
    case 'probed':
      return 'handover'
    case 'handed_over':
    case 'revoking':
      return 'revoke'
  }
}

const reached: ReadonlySet<string> = new Set<ReachedState>(['planned', 'granting', 'created', 'probed', 'handed_over', 'revoking'])
const isReached = (state: string): state is ReachedState => reached.has(state)

/** The state that a replacement must reach so that this step counts as done. */
const doneBy = (id: TrackStepId, agent: Replacement['plan']['agent']): string =>
  ({ plan: 'planned', key: agent === 'after_key' ? 'granting' : 'created', agent: 'created', probe: 'probed', handover: 'handed_over', revoke: 'done' })[id]

/** The step in progress; `null` once the replacement has ended. */
export function currentStep(replacement: Replacement): TrackStepId | null {
  const { now } = replacement
  if (now.state === 'done' || now.state === 'abandoned') return null
  return stepAt(now.state === 'stuck' ? now.at : now.state, replacement)
}

/** The last step that a replacement reached before it was abandoned. */
function lastStep(replacement: Replacement): TrackStepId {
  const last = replacement.steps.findLast(({ state }) => isReached(state))?.state
  return last !== undefined && isReached(last) ? stepAt(last, replacement) : 'key'
}

export function trackOf(replacement: Replacement): readonly TrackStep[] {
  const { now, plan, steps } = replacement
  const ids = stepsOf(plan.agent)
  const at = now.state === 'done' ? ids.length : ids.indexOf(currentStep(replacement) ?? lastStep(replacement))
  return ids.map((id, index) => ({
    id,
    state: index < at ? 'done' : now.state === 'abandoned' ? 'left' : index > at ? 'next' : now.state === 'stuck' ? 'stuck' : 'now',
    atMs: index < at ? (steps.find(({ state }) => state === doneBy(id, plan.agent))?.atMs ?? null) : null,
  }))
}

export const isOver = ({ now }: Replacement): boolean => now.state === 'done' || now.state === 'abandoned'

/**
 * The replacement to show for a key: a running one in which the key is the old or the new key. If none is running, the last finished replacement of
 * the key.
 */
export function replacementOf(list: readonly Replacement[], keyId: string): Replacement | null {
  const open = list.find((one) => !isOver(one) && (one.oldKey.id === keyId || one.newKey?.id === keyId))
  return open ?? list.find((one) => one.oldKey.id === keyId && one.now.state === 'done') ?? null
}

/** Whether the replacement needs the user: it is due, running or stuck. A replacement that waits for its start day does not. */
export const wantsUser = (replacement: Replacement): boolean => !isOver(replacement) && (replacement.now.state !== 'planned' || replacement.due)
