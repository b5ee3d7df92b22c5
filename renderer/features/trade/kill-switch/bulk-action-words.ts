import type { BulkActionKind, BulkActionStep, KnownBulkAction } from '../../../../shared/ipc/intents/kill-switch.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'

export const kindTitle: Readonly<Record<BulkActionKind, string>> = {
  cancel_all: tradeText.cancelAllOrders,
  close_all: tradeText.closeAllPositions,
  kill: tradeText.killSwitch,
}

export const kindVerb: Readonly<Record<BulkActionKind, string>> = {
  cancel_all: tradeText.cancelAllOrders,
  close_all: tradeText.closeAllPositions,
  kill: tradeText.stopEverything,
}

export const stepLooks: Readonly<Record<BulkActionStep['state'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  waiting: { tone: 'off', icon: 'hourglass', word: tradeText.waiting },
  asking: { tone: 'warn', icon: 'phone', word: tradeText.waitingForSignature },
  sent: { tone: 'warn', icon: 'send', word: tradeText.sent },
  unknown: { tone: 'warn', icon: 'unknown', word: tradeText.unknown },
  done: { tone: 'ok', icon: 'check', word: tradeText.done },
  gone: { tone: 'ok', icon: 'check', word: tradeText.alreadyGone },
  failed: { tone: 'danger', icon: 'x', word: tradeText.stepFailed },
  skipped: { tone: 'off', icon: 'arrow-right', word: tradeText.skipped },
}

const ended: ReadonlySet<BulkActionStep['state']> = new Set(['done', 'gone', 'skipped'])
export const isEnded = ({ state }: BulkActionStep): boolean => ended.has(state)

/** How many steps still need a wallet signature or a retry. */
export const leftToSign = ({ steps }: KnownBulkAction): number => steps.filter(({ state }) => state === 'waiting' || state === 'asking').length

export function bulkActionHead(bulkAction: KnownBulkAction): string {
  const { kind, state, steps, revocation } = bulkAction
  const answered = steps.filter(isEnded).length
  const skipped = steps.filter((step) => step.state === 'skipped').length
  if (state === 'done') return skipped === 0 ? tradeText.bulkActionDone(kindTitle[kind]) : tradeText.bulkActionSkipped(kindTitle[kind], skipped)
  if (answered < steps.length) return tradeText.bulkActionProgress(kindTitle[kind], answered, steps.length)
  if (revocation === null) return tradeText.bulkActionFinishing(kindTitle[kind])
  return revocation.state === 'running' ? tradeText.revokingKeys(revocation.total - revocation.left, revocation.total) : tradeText.closedKeysWork
}
