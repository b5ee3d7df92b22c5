import type { KnownSweep, SweepKind, SweepStep } from '../../../../shared/ipc/intents/kill-switch.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'

export const kindTitle: Readonly<Record<SweepKind, string>> = {
  cancel_all: 'Cancel all orders',
  close_all: 'Close all positions',
  kill: 'Kill switch',
}

/** On the button that starts it. */
export const kindVerb: Readonly<Record<SweepKind, string>> = { cancel_all: 'Cancel them all', close_all: 'Close them all', kill: 'Stop everything' }

export const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

export const stepLooks: Readonly<Record<SweepStep['state'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: 'Waiting' },
  asking: { tone: 'warn', icon: 'phone', word: 'To be signed' },
  sent: { tone: 'warn', icon: 'send', word: 'On its way' },
  unknown: { tone: 'warn', icon: 'unknown', word: 'Unknown' },
  done: { tone: 'ok', icon: 'check', word: 'Done' },
  gone: { tone: 'ok', icon: 'check', word: 'Already gone' },
  failed: { tone: 'danger', icon: 'x', word: 'Failed' },
  skipped: { tone: 'off', icon: 'arrow-right', word: 'Skipped' },
}

const ended: ReadonlySet<SweepStep['state']> = new Set(['done', 'gone', 'skipped'])
export const isEnded = ({ state }: SweepStep): boolean => ended.has(state)

/** Steps that take a signature of the wallet, or a try again. */
export const leftToSign = ({ steps }: KnownSweep): number => steps.filter(({ state }) => state === 'waiting' || state === 'asking').length

/** Where it stands, as one line. */
export function sweepHead(sweep: KnownSweep): string {
  const { kind, state, steps, revocation } = sweep
  const answered = steps.filter(isEnded).length
  const skipped = steps.filter((step) => step.state === 'skipped').length
  if (state === 'done') return skipped === 0 ? `${kindTitle[kind]}: done` : `${kindTitle[kind]}: ended, ${skipped} skipped`
  if (answered < steps.length) return `${kindTitle[kind]}: ${answered} of ${steps.length} done`
  if (revocation === null) return `${kindTitle[kind]}: finishing`
  return revocation.state === 'running'
    ? `Revoking keys, ${revocation.total - revocation.left} of ${revocation.total}`
    : 'Everything is closed; the keys still work'
}
