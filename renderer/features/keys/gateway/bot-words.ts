import type { Scope } from '../../../../shared/api/scopes.ts'
import { formatDecimal } from '../../../../shared/decimal.ts'
import { botRanges, wholeIn } from '../../../../shared/input-limits.ts'
import type { BotMode, BotPolicy, BotRow, BotState } from '../../../../shared/ipc/keys/gateway.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { type PolicyPart, timeOfMinute } from '../../../../shared/limits-draft.ts'
import { isLiveKey } from '../../../../shared/live-key.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'

export const modeWords: Readonly<Record<BotMode, { readonly word: string; readonly detail: string }>> = {
  observe: { word: keysText.observeMode, detail: keysText.observeModeDetail },
  dry_run: { word: keysText.dryRunMode, detail: keysText.dryRunModeDetail },
  live: { word: keysText.liveMode, detail: keysText.liveModeDetail },
}

export const stateWords: Readonly<Record<BotState, { readonly tone: StateTone; readonly icon: IconName; readonly word: string; readonly detail: string }>> = {
  running: { tone: 'ok', icon: 'check', word: keysText.botRunning, detail: keysText.botRunningDetail },
  paused: { tone: 'warn', icon: 'pause', word: keysText.botPaused, detail: keysText.botPausedDetail },
  expired: { tone: 'off', icon: 'hourglass', word: keysText.botTokenEnded, detail: keysText.botTokenEndedDetail },
  no_key: { tone: 'danger', icon: 'nokey', word: keysText.botHasNoKey, detail: keysText.botHasNoKeyDetail },
}

/** Why the gateway refuses calls, by code without its prefix. Codes about the form of a request share one word. */
const refusalWords: Readonly<Record<string, string>> = {
  PAUSED: keysText.refusedPaused,
  SCOPE: keysText.refusedScope,
  OBSERVES: keysText.refusedObserves,
  DRY_RUN: keysText.refusedDryRun,
  LIMIT: keysText.refusedLimit,
  NOT_OWN: keysText.refusedNotOwn,
  INTENT: keysText.refusedIntent,
  BODY: keysText.refusedBody,
  HELD_BACK: keysText.refusedHeldBack,
  NO_KEY: keysText.refusedNoKey,
  BUSY: keysText.refusedBusy,
  WAITING: keysText.refusedBusy,
  UNREACHABLE: keysText.refusedUnreachable,
  NO_ANSWER: keysText.refusedNoAnswer,
  KEY_REUSED: keysText.refusedKeyReused,
  KEY_IN_ANSWER: keysText.refusedKeyInAnswer,
  TOKEN_EXPIRED: keysText.botTokenEnded,
  FAILED: keysText.refusedInside,
}

interface Refused {
  readonly count: number
  /** The reason of most refusals; null if there was none. */
  readonly most: string | null
  /** Every reason with its count, most frequent first. */
  readonly all: string
}

/** Sums up the refused calls of a bot in words. */
export function refusedWords(refused: BotRow['refused']): Refused {
  const byWord = new Map<string, number>()
  for (const { code, count } of refused) {
    const word = refusalWords[code] ?? keysText.refusedRequest
    byWord.set(word, (byWord.get(word) ?? 0) + count)
  }
  const sorted = [...byWord].sort(([, a], [, b]) => b - a)
  return {
    count: sorted.reduce((sum, [, count]) => sum + count, 0),
    most: sorted[0]?.[0] ?? null,
    all: sorted.map(([word, count]) => `${word}: ${count}`).join('\n'),
  }
}

export const partNames: Readonly<Record<PolicyPart, string>> = {
  mode: keysText.botMode,
  markets: settingsText.markets,
  sides: keysText.botSides,
  orderValueUsdc: settingsText.maxOrderSize,
  leverage: settingsText.maxLeverage,
  openNotionalUsdc: keysText.botOpenValue,
  ordersPerMinute: keysText.botOrderRate,
  dailyLossUsdc: settingsText.maxDailyLoss,
  hours: keysText.botHours,
  silence: keysText.botSilence,
}

const usdc = (amount: string | null): string | null => (amount === null ? null : `${formatDecimal(amount)} USDC`)

/** One part of a policy in words. `symbolOf`: the name of a market; null if it is unknown. */
export function partWords(part: PolicyPart, policy: BotPolicy, symbolOf: (pairId: number) => string | null): string {
  const { limits, sides, openNotionalUsdc, ordersPerMinute, hours, silence } = policy
  const words = (): string | null => {
    switch (part) {
      case 'mode':
        return modeWords[policy.mode].word
      case 'markets':
        return limits.markets === null ? settingsText.all : kitText.listed(limits.markets.map((id) => symbolOf(id) ?? settingsText.marketNumber(id)))
      case 'sides':
        return sides === null || sides.length > 1 ? keysText.bothSides : sides[0] === 'long' ? keysText.longOnly : keysText.shortOnly
      case 'orderValueUsdc':
        return usdc(limits.orderValueUsdc)
      case 'leverage':
        return limits.leverage === null ? null : keysText.leverageTimes(limits.leverage)
      case 'openNotionalUsdc':
        return usdc(openNotionalUsdc)
      case 'ordersPerMinute':
        return ordersPerMinute === null ? null : keysText.perMinute(ordersPerMinute)
      case 'dailyLossUsdc':
        return usdc(limits.dailyLossUsdc)
      case 'hours':
        return hours === null ? null : `${timeOfMinute(hours.fromMinute)}–${timeOfMinute(hours.toMinute)}`
      case 'silence':
        return silence === null
          ? null
          : keysText.silenceRule(silence.afterSeconds, silence.does === 'cancel' ? keysText.silenceCancels : keysText.silenceCloses)
    }
  }
  return words() ?? keysText.noBotLimit
}

/** Whether a bot may use this key: the key works, and its secret is on this computer. */
export const isForBots = (key: Pick<KeySummary, 'secret' | 'status'>): boolean => isLiveKey(key) && (key.secret === 'keychain' || key.secret === 'memory')

/** The scopes that a new bot gets at first: those of its key, without the one that moves money. */
export const firstScopes = (scopes: readonly Scope[]): readonly Scope[] => scopes.filter((scope) => scope !== 'collateral:manage')

/** Reads after how many days a token ends. null: never. undefined: the text is no such number. */
export function tokenDays(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  return wholeIn(typed, botRanges.tokenDays) ?? undefined
}
