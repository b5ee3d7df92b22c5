import type { FleetItem, FleetPlan } from './ipc/keys/fleet.ts'

/** The columns of a plan's report. English in every language, because scripts read them. */
export const reportColumns = [
  ...['plan', 'wallet', 'old key', 'old key id', 'new key', 'new key id', 'target', 'state', 'reason', 'delivered', 'delivery', 'attempts'],
  ...['verified by', 'verified', 'used', 'address', 'request id', 'revoked', 'ended', 'unfinished step', 'left keys'],
] as const

/** Whether the plan's work on a key has ended. */
export const isOver = ({ state }: Pick<FleetItem, 'state'>): boolean => state === 'done' || state === 'stopped' || state === 'skipped' || state === 'ended'

const time = (atMs: number | null | undefined): string => (atMs === null || atMs === undefined ? '' : new Date(atMs).toISOString())

function lineOf(plan: string, item: FleetItem): string[] {
  const last = item.deliveries.findLast(({ newKeyId }) => newKeyId === item.newKey?.id)
  const exit = last?.exitCode === null || last?.exitCode === undefined ? '' : ` (${last.exitCode})`
  const { proof, delivery } = item
  return [
    ...[plan, item.wallet, item.oldKey.label, item.oldKey.id, item.newKey?.label ?? '', item.newKey?.id ?? '', item.place, item.state, item.reason ?? ''],
    ...[delivery?.outcome === 'done' ? time(delivery.endedAtMs) : '', last === undefined ? '' : `${last.outcome}${exit}`, String(item.attempts)],
    ...(proof !== null
      ? [proof.how === 'gateway' ? 'moved' : proof.how, time(proof.atMs), time(proof.usedAtMs), proof.ip ?? '', proof.requestId ?? '']
      : ['', '', '', '', '']),
    ...[time(item.revokedAtMs), isOver(item) ? time(item.steps.at(-1)?.atMs) : ''],
    // The step that the user or a revocation elsewhere cut short.
    isOver(item) && item.state !== 'done' ? (item.steps.at(-2)?.state ?? 'waiting') : '',
    item.leftKeys.map(({ id, label }) => `${label} (${id})`).join(', '),
  ]
}

/** The report of a plan: a line for each key, from the records alone. It names a step that the user skipped or confirmed as such. */
export const reportLines = (plan: FleetPlan): string[][] => plan.items.map((item) => lineOf(plan.name, item))
