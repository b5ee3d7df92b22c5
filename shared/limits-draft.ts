import { compare } from './decimal.ts'
import { botRanges, wholeIn } from './input-limits.ts'
import type { FormIssue } from './ipc/form-issue.ts'
import type { RiskLimits } from './ipc/intents/risk-limits.ts'
import type { Side } from './ipc/intents/tickets.ts'
import type { BotMode, BotPolicy } from './ipc/keys/gateway.ts'
import { isBlank, numberIssue, typedDecimal, typedWhole } from './ticket/typed-number.ts'

/** The risk limits as the user typed them into the form. An empty field means no limit. */
export interface LimitsDraft {
  readonly orderValue: string
  readonly leverage: string
  readonly dailyLoss: string
  /** The ids of the markets in which orders may add risk; null: all markets. */
  readonly markets: readonly number[] | null
}

export interface LimitsIssues {
  readonly orderValue: FormIssue | null
  readonly leverage: FormIssue | null
  readonly dailyLoss: FormIssue | null
  readonly markets: FormIssue | null
}

export const draftOf = ({ orderValueUsdc, leverage, dailyLossUsdc, markets }: RiskLimits): LimitsDraft => ({
  orderValue: orderValueUsdc ?? '',
  leverage: leverage?.toString() ?? '',
  dailyLoss: dailyLossUsdc ?? '',
  markets,
})

const amountIssue = (typed: string): FormIssue | null => {
  if (isBlank(typed)) return null
  const amount = typedDecimal(typed)
  if (amount === null) return numberIssue(typed, ['typeLimit'])
  return compare(amount, '0') > 0 ? null : ['limitAboveZero']
}

export const issuesOf = ({ orderValue, leverage, dailyLoss, markets }: LimitsDraft): LimitsIssues => ({
  orderValue: amountIssue(orderValue),
  leverage: isBlank(leverage) || (typedWhole(leverage) ?? 0) >= 1 ? null : ['typeMaxLeverage'],
  dailyLoss: amountIssue(dailyLoss),
  markets: markets?.length === 0 ? ['chooseMarkets'] : null,
})

/** Converts the typed limits to numbers; null if any of them is invalid. */
export function limitsOf(draft: LimitsDraft): RiskLimits | null {
  if (Object.values(issuesOf(draft)).some((issue) => issue !== null)) return null
  const amount = (typed: string): string | null => (isBlank(typed) ? null : typedDecimal(typed))
  return {
    orderValueUsdc: amount(draft.orderValue),
    leverage: typedWhole(draft.leverage),
    dailyLossUsdc: amount(draft.dailyLoss),
    markets: draft.markets === null ? null : [...draft.markets].sort((a, b) => a - b),
  }
}

export const noLimits: RiskLimits = { orderValueUsdc: null, leverage: null, dailyLossUsdc: null, markets: null }

export type LimitName = keyof RiskLimits

/** Returns the names of the limits that a change raises or removes. The user must confirm these by typing a phrase. */
export function loosened(before: RiskLimits, after: RiskLimits): readonly LimitName[] {
  const above = (was: string | null, is: string | null): boolean => was !== null && (is === null || compare(is, was) > 0)
  const limits: LimitName[] = []
  if (above(before.orderValueUsdc, after.orderValueUsdc)) limits.push('orderValueUsdc')
  if (before.leverage !== null && (after.leverage === null || after.leverage > before.leverage)) limits.push('leverage')
  if (above(before.dailyLossUsdc, after.dailyLossUsdc)) limits.push('dailyLossUsdc')
  const { markets: allowed } = before
  if (allowed !== null && (after.markets === null || after.markets.some((id) => !allowed.includes(id)))) limits.push('markets')
  return limits
}

/** A bot's policy as the user typed it. An empty field means no limit. */
export interface PolicyDraft extends LimitsDraft {
  readonly mode: BotMode
  readonly sides: 'both' | Side
  readonly openNotional: string
  readonly ordersPerMinute: string
  /** Times as HH:MM in UTC. */
  readonly from: string
  readonly to: string
  readonly silenceSeconds: string
  readonly silenceDoes: NonNullable<BotPolicy['silence']>['does']
}

export interface PolicyIssues extends LimitsIssues {
  readonly openNotional: FormIssue | null
  readonly ordersPerMinute: FormIssue | null
  readonly hours: FormIssue | null
  readonly silence: FormIssue | null
}

const minutesOfDay = 1_440

export const noPolicy: Omit<BotPolicy, 'mode'> = { limits: noLimits, sides: null, openNotionalUsdc: null, ordersPerMinute: null, hours: null, silence: null }

/** Reads HH:MM as minutes since midnight; null if the text is no time of day. */
export function minuteOfTime(typed: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(typed.trim()) ?? []
  const at = Number(hours) * 60 + Number(minutes)
  return hours !== undefined && Number(minutes) < 60 && at < minutesOfDay ? at : null
}

export const timeOfMinute = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Reads two times such as `08:00-17:30`; null if they are the same or not two times. */
export function hoursOf(typed: string): BotPolicy['hours'] {
  const [from, to, ...more] = typed.split('-').map(minuteOfTime)
  return from == null || to == null || from === to || more.length > 0 ? null : { fromMinute: from, toMinute: to }
}

export function policyDraftOf({ mode, limits, sides, openNotionalUsdc, ordersPerMinute, hours, silence }: BotPolicy): PolicyDraft {
  const [only, ...more] = sides ?? []
  return {
    ...draftOf(limits),
    mode,
    sides: only === undefined || more.some((side) => side !== only) ? 'both' : only,
    openNotional: openNotionalUsdc ?? '',
    ordersPerMinute: ordersPerMinute?.toString() ?? '',
    from: hours === null ? '' : timeOfMinute(hours.fromMinute),
    to: hours === null ? '' : timeOfMinute(hours.toMinute),
    silenceSeconds: silence?.afterSeconds.toString() ?? '',
    silenceDoes: silence?.does ?? 'cancel',
  }
}

export function policyIssuesOf(draft: PolicyDraft): PolicyIssues {
  const { ordersPerMinute, from, to, silenceSeconds } = draft
  const isHours = (isBlank(from) && isBlank(to)) || hoursOf(`${from}-${to}`) !== null
  return {
    ...issuesOf(draft),
    openNotional: amountIssue(draft.openNotional),
    ordersPerMinute: isBlank(ordersPerMinute) || wholeIn(ordersPerMinute, botRanges.ordersPerMinute) !== null ? null : ['typeOrdersPerMinute'],
    hours: isHours ? null : ['typeHours'],
    silence: isBlank(silenceSeconds) || wholeIn(silenceSeconds, botRanges.silenceSeconds) !== null ? null : ['typeSilence'],
  }
}

/** Converts a typed policy; null if any field is invalid. */
export function policyOf(draft: PolicyDraft): BotPolicy | null {
  if (Object.values(policyIssuesOf(draft)).some((issue) => issue !== null)) return null
  const limits = limitsOf(draft)
  if (limits === null) return null
  const afterSeconds = wholeIn(draft.silenceSeconds, botRanges.silenceSeconds)
  return {
    mode: draft.mode,
    limits,
    sides: draft.sides === 'both' ? null : [draft.sides],
    openNotionalUsdc: isBlank(draft.openNotional) ? null : typedDecimal(draft.openNotional),
    ordersPerMinute: wholeIn(draft.ordersPerMinute, botRanges.ordersPerMinute),
    hours: hoursOf(`${draft.from}-${draft.to}`),
    silence: afterSeconds === null ? null : { afterSeconds, does: draft.silenceDoes },
  }
}

/** The parts of a bot's policy, in the order in which the app shows them. */
export const policyParts = [
  'mode',
  'markets',
  'sides',
  'orderValueUsdc',
  'leverage',
  'openNotionalUsdc',
  'ordersPerMinute',
  'dailyLossUsdc',
  'hours',
  'silence',
] as const
export type PolicyPart = (typeof policyParts)[number]

const modeRank: Readonly<Record<BotMode, number>> = { observe: 0, dry_run: 1, live: 2 }
const bothSides: readonly Side[] = ['long', 'short']

/** The minutes of the day in which a bot may add risk. */
const minutesIn = ({ fromMinute, toMinute }: NonNullable<BotPolicy['hours']>): ReadonlySet<number> =>
  new Set(
    Array.from({ length: minutesOfDay }, (_, at) => at).filter((at) =>
      fromMinute <= toMinute ? at >= fromMinute && at < toMinute : at >= fromMinute || at < toMinute,
    ),
  )

/** Returns the parts of a bot's policy that a change widens: a mode that may do more, and each limit that is raised or removed. */
export function widened(before: BotPolicy, after: BotPolicy): readonly PolicyPart[] {
  const above = (was: string | number | null, is: string | number | null) => was !== null && (is === null || compare(String(is), String(was)) > 0)
  const limits = loosened(before.limits, after.limits)
  const isWider: Readonly<Record<Exclude<PolicyPart, LimitName>, boolean>> = {
    mode: modeRank[after.mode] > modeRank[before.mode],
    sides: (after.sides ?? bothSides).some((side) => !(before.sides ?? bothSides).includes(side)),
    openNotionalUsdc: above(before.openNotionalUsdc, after.openNotionalUsdc),
    ordersPerMinute: above(before.ordersPerMinute, after.ordersPerMinute),
    hours: before.hours !== null && (after.hours === null || !minutesIn(after.hours).isSubsetOf(minutesIn(before.hours))),
    silence:
      before.silence !== null &&
      (above(before.silence.afterSeconds, after.silence?.afterSeconds ?? null) ||
        (before.silence.does === 'cancel_and_close' && after.silence?.does !== 'cancel_and_close')),
  }
  return policyParts.filter((part) => (isLimitName(part) ? limits.includes(part) : isWider[part]))
}

const isLimitName = (part: PolicyPart): part is LimitName => part in noLimits

/** How many limits a policy sets. */
export const limitCount = ({ limits, sides, openNotionalUsdc, ordersPerMinute, hours, silence }: BotPolicy): number =>
  [...Object.values(limits), sides, openNotionalUsdc, ordersPerMinute, hours, silence].filter((limit) => limit !== null).length
