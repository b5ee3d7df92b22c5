import { formatEther } from 'viem'
import { limits } from '../../api/limits.ts'
import { formatDecimal, fromUnits, toUnits } from '../../decimal.ts'
import type { ComparisonLine } from '../../ipc/intents/comparison-lines.ts'
import type { Spending } from '../../ipc/intents/signing.ts'
import type { PreparedPayment } from '../../ipc/keys/agents.ts'
import { unreadablePhrase } from '../../phrases.ts'
import { lineIn } from '../comparison.ts'
import { addressPair, chainLine, checksummed } from '../message/envelope.ts'
import { sameAddress } from '../trust.ts'
import { isCalendarTime } from '../wording.ts'
import { decodeCall } from './router-calls.ts'

/** The requested payment, and the contracts that the app expects in its transaction. */
export interface PaymentExpectation {
  readonly wallet: string
  readonly amountUsdc: string
  /** Which known contract the transaction calls, judging by the trusted contracts and the published contracts. */
  readonly role: PreparedPayment['target']['role']
  /** The only allowed spender in an approval; null if the user trusts no router and the service publishes none. */
  readonly router: string | null
  readonly nowMs: number
}

export interface PaymentTransaction {
  /** The service's label for the transaction, `approval` or `action`; null if there is none. */
  readonly kind: string | null
  readonly from: string | null
  readonly to: string
  readonly data: string
  readonly valueWei: bigint | null
  readonly chainId: number | null
  readonly deadlineMs: number | null
  /** The amount that the service states beside the transaction; null if it states none. */
  readonly amountUsdc: string | null
}

export type PaymentExplanation = Pick<PreparedPayment, 'call' | 'lines' | 'verdict' | 'blocked' | 'expectedPhrase' | 'spending'>

const contracts = { router: 'router', collateral_token: 'collateral', unknown: 'no_collateral' } as const

function amountLine(expectation: PaymentExpectation, call: KnownCall | null): ComparisonLine {
  const asked = toUnits(expectation.amountUsdc, usdcDecimals)
  const part = {
    id: 'amount',
    unit: 'USDC',
    field: 'data',
    group: 'order',
    asked: asked === null ? expectation.amountUsdc : usdc(asked),
  } as const
  if (call === null) return line({ ...part, signed: null, verdict: 'unmatched', remark: { code: 'unread_amount' } })
  const same = call.units === asked
  const endless = call.units >= unlimitedFrom
  return line({
    ...part,
    signed: endless ? { code: 'no_limit' } : usdc(call.units),
    verdict: same ? 'match' : 'differ',
    remark: same ? null : { code: 'other_amount', endless },
  })
}

function functionLine({ role }: PaymentExpectation, { kind, data }: PaymentTransaction, call: KnownCall | null): ComparisonLine {
  const part = { id: 'function', field: 'data', group: 'order', asked: { code: 'payment' } } as const
  const signed = { code: 'calldata', selector: data.slice(0, 10) } as const
  if (call !== null) {
    const contradicts = kind === 'approval' && call.name !== 'approve'
    return line({
      ...part,
      signed: call.signature,
      verdict: contradicts ? 'differ' : 'match',
      remark: contradicts ? { code: 'called', kind: 'approval' } : null,
    })
  }
  // A token call that the app cannot decode could transfer tokens to anyone, so block it.
  return role === 'collateral_token'
    ? line({ ...part, signed, verdict: 'differ', remark: { code: 'unread_token_call' } })
    : line({ ...part, signed, verdict: 'unmatched', remark: { code: 'unread_call' } })
}

function linesOf(expectation: PaymentExpectation, transaction: PaymentTransaction, call: KnownCall | null): ComparisonLine[] {
  const { wallet, router, role, nowMs } = expectation
  const { from, to, valueWei, chainId, amountUsdc, deadlineMs } = transaction
  const lines = [functionLine(expectation, transaction, call), amountLine(expectation, call)]
  if (call?.spender != null)
    lines.push(
      line({
        id: 'spender',
        asked: router === null ? { code: 'router' } : router,
        signed: call.spender,
        field: 'data',
        group: 'order',
        verdict: sameAddress(call.spender, router) ? 'match' : 'differ',
        remark: router === null ? { code: 'router_not_pinned' } : null,
      }),
    )
  if (amountUsdc !== null && call !== null && toUnits(amountUsdc, usdcDecimals) !== call.units)
    lines.push(
      line({
        id: 'statedAmount',
        asked: usdc(call.units),
        signed: amountUsdc,
        unit: 'USDC',
        verdict: 'differ',
        field: 'amount_usdc',
      }),
    )
  lines.push(
    line({
      id: 'contract',
      asked: { code: 'router_or_collateral' },
      signed: { code: 'contract', is: contracts[role], address: checksummed(to) },
      field: 'to',
      verdict: role === 'unknown' ? 'differ' : 'match',
      remark: role === 'unknown' ? { code: 'unknown_contract', address: to } : null,
    }),
    walletLine(from, wallet),
    valueLine(valueWei),
  )
  if (chainId !== null && chainId !== limits.chainId) lines.push(chainLine(BigInt(chainId), 'chain_id'))
  lines.push(sendUntilLine(deadlineMs, nowMs))
  return lines
}

const allowPhrase = (amountUsdc: string): string => `allow ${amountUsdc} USDC`
const payPhrase = (amountUsdc: string): string => `pay ${amountUsdc} USDC`

/**
 * Decodes the transaction of an execution payment and compares it with the request (KEY-13, FLOW-03). Any difference blocks the transaction.
 * Otherwise the user must still type a phrase, because the transaction moves funds, grants an allowance, or cannot be decoded.
 */
export function explainPayment(transaction: PaymentTransaction, expectation: PaymentExpectation): PaymentExplanation {
  const call = knownCall(expectation.role, transaction.data)
  const lines = linesOf(expectation, transaction, call)
  const differing = lines.find(({ verdict }) => verdict === 'differ')
  const { amountUsdc } = expectation
  const phrase = call === null ? unreadablePhrase : call.name === 'approve' ? allowPhrase(amountUsdc) : payPhrase(amountUsdc)
  return {
    call: call === null ? null : callOf(call),
    lines,
    verdict: differing === undefined ? 'confirm' : 'block',
    blocked: differing === undefined ? null : { code: 'line', of: 'transaction', line: differing },
    expectedPhrase: differing === undefined ? phrase : null,
    spending:
      call?.spender == null
        ? null
        : {
            asset: transaction.to,
            spender: call.spender,
            amountUsdc: call.units >= unlimitedFrom ? null : fromUnits(call.units, usdcDecimals),
          },
  }
}

type Role = PreparedPayment['target']['role']

/** USDC has 6 decimals, so amounts in contract calls are integers in millionths. */
const usdcDecimals = 6

interface KnownCall {
  readonly name: 'approve' | 'deposit'
  readonly signature: string
  readonly spender: string | null
  readonly units: bigint
}

/** Decodes calldata as one of the two calls that a payment may make; null for any other call. */
function knownCall(role: Role, data: string): KnownCall | null {
  const call = role === 'unknown' ? null : decodeCall(role === 'router' ? 'router' : 'token', data)
  if (call === null || (call.name !== 'approve' && call.name !== 'deposit')) return null
  const argument = (name: string) => call.leaves.find(({ path }) => path === name)?.value
  const [spender, units] = [argument('spender'), argument('amount')]
  if (typeof units !== 'bigint') return null
  return { name: call.name, signature: call.signature, spender: typeof spender === 'string' ? spender : null, units }
}

const usdc = (units: bigint): string => formatDecimal(fromUnits(units, usdcDecimals), { minDecimals: 2 })

/** An approval of at least this amount counts as unlimited, because it exceeds all existing USDC. */
export const unlimitedFrom = 2n ** 96n

const callOf = (known: KnownCall): NonNullable<PreparedPayment['call']> => ({
  signature: known.signature,
  arguments: [
    ...(known.spender === null ? [] : [{ name: 'spender', type: 'address', value: known.spender }]),
    { name: 'amount', type: 'uint256', value: known.units.toString() },
  ],
})

export const spendingOf = (token: Spending['token'], spender: string, units: bigint, decimals: number, untilMs: number | null): Spending => ({
  ...{ token, spender, untilMs },
  amount: units >= unlimitedFrom ? null : fromUnits(units, decimals),
})

/** Creates a comparison line about the transaction itself instead of its call. The line's unit, field and remark are null by default. */
export const line = lineIn('envelope')

/** The comparison line for the sender. `from` null: the transaction does not state the sender. */
export function walletLine(from: string | null, wallet: string): ComparisonLine {
  const part = { id: 'wallet', field: 'from' } as const
  if (from === null) return line({ ...part, asked: checksummed(wallet), signed: null, verdict: 'absent' })
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
