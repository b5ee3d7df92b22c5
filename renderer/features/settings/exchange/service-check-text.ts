import type { CheckedField, CheckOutcome, CheckRow, ServiceCheckState } from '../../../../shared/ipc/host/service-check.ts'
import { countsOf, countsText } from '../../../../shared/service-check.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'

interface OutcomeText {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
}

const outcomes: Readonly<Record<CheckOutcome, OutcomeText>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: 'Waiting' },
  read: { tone: 'ok', icon: 'check', word: 'Read' },
  partly: { tone: 'warn', icon: 'unknown', word: 'Partly read' },
  not: { tone: 'danger', icon: 'x', word: 'Not readable' },
  empty: { tone: 'off', icon: 'inbox', word: 'Nothing to read yet' },
  nothing_yet: { tone: 'off', icon: 'inbox', word: 'Nothing to read yet' },
  impossible: { tone: 'off', icon: 'inbox', word: 'Nothing to prepare it with' },
  no_scope: { tone: 'off', icon: 'key', word: 'Not allowed by your keys’ scopes' },
  signed_out: { tone: 'off', icon: 'user', word: 'Takes a sign-in' },
  failed: { tone: 'danger', icon: 'x', word: 'Failed' },
  refused_as_expected: { tone: 'ok', icon: 'check', word: 'Refused, as expected' },
  acted: { tone: 'danger', icon: 'warn', word: 'Answered with a command' },
}
export const outcomeText = (outcome: CheckOutcome): OutcomeText => outcomes[outcome]

const needing: ReadonlySet<CheckOutcome> = new Set(['partly', 'not', 'failed', 'acted'])
export const needsAttention = ({ outcome }: CheckRow): boolean => needing.has(outcome)

export const rowName = ({ kind, route, action }: CheckRow): string => {
  switch (kind) {
    case 'read':
      return route
    case 'preview':
      return `${route} · ${action}`
    case 'prepare':
      return `Prepare ${action}`
    case 'dry_run':
      return `Dry run of ${action}`
  }
}

/** The result in one line. */
export function resultText({ phase, rows, done }: ServiceCheckState): string {
  if (phase === 'none') return 'Not checked yet.'
  if (phase === 'running') return `Checking ${done} of ${rows.length}.`
  const result = `${countsText(countsOf(rows))}.`
  return phase === 'stopped' ? `Stopped after ${done} of ${rows.length}: ${result}` : result
}

export function fieldText({ state, reason, documented }: CheckedField): string {
  const fixed = documented ? ' The document shows it, so it cannot be moved.' : ''
  if (state === 'missing') return `Not found in the answer.${fixed}`
  switch (reason) {
    case 'unit':
      return `The service does not name its unit.${fixed}`
    case 'scale':
      return `It may carry decimals that the service does not name.${fixed}`
    case 'conflict':
      return `Two places say different things.${fixed}`
    default:
      return `The value has another form.${fixed}`
  }
}

const amounts = ['usdc', 'base'] as const
const ratios = ['percent', 'fraction', 'bps'] as const
/** Units that a field may be said to have. A price is in USDC by itself. */
export function unitsOf({ unit }: CheckedField): readonly string[] {
  switch (unit) {
    case 'usdc':
    case 'base':
      return amounts
    case 'percent':
    case 'hourly':
      return ratios
    default:
      return []
  }
}
