import { formatDecimal } from '../../../shared/decimal.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { exactTime } from '../../kit/time/time-text.ts'

const listedText = (listed: OrderEvidence['listed']): string =>
  listed === null
    ? 'The service gave it no id.'
    : !listed.read
      ? 'It was not found among what the app could read of the service’s list.'
      : listed.state === null
        ? 'The service does not list it.'
        : `The service lists it as “${listed.state}”.`

const shownText: Readonly<Record<OrderEvidence['shownAs'], string>> = {
  trade: 'Your trades show it.',
  order: 'Your orders show it.',
  nothing: 'Neither your trades nor your orders show it.',
  unread: 'It was not found among what the app could read of your trades and orders.',
}

function positionsText(positions: OrderEvidence['positions'], { symbol, side }: Pick<Intent, 'symbol' | 'side'>): string | null {
  const market = `${symbol ?? 'this market'}${side === null ? '' : `, ${side}`}`
  if (positions === null) return null
  if (positions.length === 0) return `You hold no position in ${market}.`
  return `You hold ${positions.map((one) => `${one.side} ${one.size === null ? 'of unknown size' : formatDecimal(one.size)}`).join(' and ')} in ${symbol ?? 'this market'}.`
}

/** What is known of an UNKNOWN order, one fact a line. */
export function evidenceLines(evidence: OrderEvidence, intent: Pick<Intent, 'symbol' | 'side'>, nowMs: number): readonly string[] {
  const { usableUntilMs } = evidence
  const positions = positionsText(evidence.positions, intent)
  return [
    listedText(evidence.listed),
    shownText[evidence.shownAs],
    ...(positions === null ? [] : [positions]),
    usableUntilMs === null
      ? 'What you signed has no end: it may still be executed.'
      : usableUntilMs > nowMs
        ? `It may still be executed until ${exactTime(usableUntilMs)}.`
        : `It could be executed until ${exactTime(usableUntilMs)}.`,
    evidence.passed ? 'New orders may pass it.' : 'It holds back new orders of the same kind. Cancelling, closing and TP/SL are never held back.',
  ]
}
