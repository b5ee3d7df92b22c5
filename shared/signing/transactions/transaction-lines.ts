import { formatEther } from 'viem'
import type { ComparisonLine } from '../../ipc/intents/signing.ts'
import { lineIn } from '../comparison.ts'
import { addressPair } from '../message/envelope.ts'
import { sameAddress } from '../pins.ts'
import { clockText, durationText, shortAddress } from '../wording.ts'

/** A line about the transaction itself, where nothing else is said. */
export const line = lineIn('envelope')

/** Whose transaction it is. null: it does not say. */
export function walletLine(from: string | null, wallet: string): ComparisonLine {
  const part = { id: 'wallet', label: 'Your wallet', field: 'from' } as const
  if (from === null) return line({ ...part, asked: shortAddress(wallet), signed: null, verdict: 'absent' })
  return line({ ...part, ...addressPair(wallet, from), verdict: sameAddress(from, wallet) ? 'match' : 'differ' })
}

/** The ETH that goes along, in wei: nobody ever asks for any. null: it is not a number. */
export const valueLine = (wei: bigint | null): ComparisonLine =>
  line({
    id: 'value',
    label: 'ETH sent along',
    asked: '0',
    unit: 'ETH',
    signed: wei === null ? 'Not readable' : formatEther(wei),
    field: 'value',
    verdict: wei === 0n ? 'match' : 'differ',
    remark: wei === 0n ? null : { code: wei === null ? 'unreadable' : 'unasked' },
  })

/** Until when it may be sent, both in Unix ms of the service's time. null: without end. */
export function sendUntilLine(deadlineMs: number | null, nowMs: number): ComparisonLine {
  const part = { id: 'sendUntil', label: 'Send until', asked: 'A time to come', field: 'deadline' } as const
  if (deadlineMs === null) return line({ ...part, signed: null, verdict: 'absent' })
  const written = clockText(deadlineMs) ?? 'Without end'
  return deadlineMs <= nowMs
    ? line({ ...part, signed: `${written}, over`, verdict: 'differ', remark: { code: 'over' } })
    : line({ ...part, signed: `${written}, for ${durationText(deadlineMs - nowMs)}`, verdict: 'match' })
}
