import { formatEther } from 'viem'
import type { ComparisonLine } from '../../ipc/intents/comparison-lines.ts'
import { lineIn } from '../comparison.ts'
import { addressPair } from '../message/envelope.ts'
import { sameAddress } from '../trust.ts'
import { isCalendarTime, shortAddress } from '../wording.ts'

/** Creates a comparison line about the transaction itself instead of its call. The line's unit, field and remark are null by default. */
export const line = lineIn('envelope')

/** The comparison line for the sender. `from` null: the transaction does not state the sender. */
export function walletLine(from: string | null, wallet: string): ComparisonLine {
  const part = { id: 'wallet', field: 'from' } as const
  if (from === null) return line({ ...part, asked: shortAddress(wallet), signed: null, verdict: 'absent' })
  return line({ ...part, ...addressPair(wallet, from), verdict: sameAddress(from, wallet) ? 'match' : 'differ' })
}

/** The comparison line for the ETH amount in the transaction. It must be 0, because the app never requests ETH. `wei` null: not a number. */
export const valueLine = (wei: bigint | null): ComparisonLine =>
  line({
    id: 'value',
    asked: '0',
    unit: 'ETH',
    signed: wei === null ? { code: 'unreadable' } : formatEther(wei),
    field: 'value',
    verdict: wei === 0n ? 'match' : 'differ',
    remark: wei === 0n ? null : { code: wei === null ? 'unreadable' : 'unasked' },
  })

/**
 * The comparison line for the time until which the transaction may be sent. Both times are Unix ms of the service's clock. `deadlineMs` null: no
 * limit.
 */
export function sendUntilLine(deadlineMs: number | null, nowMs: number): ComparisonLine {
  const part = { id: 'sendUntil', asked: { code: 'time_to_come' }, field: 'deadline' } as const
  if (deadlineMs === null) return line({ ...part, signed: null, verdict: 'absent' })
  if (!isCalendarTime(deadlineMs)) return line({ ...part, signed: { code: 'without_end' }, verdict: 'match' })
  return deadlineMs <= nowMs
    ? line({ ...part, signed: { code: 'until_time', atMs: deadlineMs, leftMs: null }, verdict: 'differ', remark: { code: 'over' } })
    : line({ ...part, signed: { code: 'until_time', atMs: deadlineMs, leftMs: deadlineMs - nowMs }, verdict: 'match' })
}
