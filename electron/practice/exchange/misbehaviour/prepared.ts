import type { Faults } from '../../base/faults.ts'
import type { WireTypedData } from '../../chain/wire-typed-data.ts'
import type { WireTransaction } from '../state/state.ts'
import { misleadPayment } from './payment.ts'

const stranger = '0x000000000000000000000000000000000000dEaD'

interface Execution {
  readonly ready: boolean
  readonly status: string
  readonly typed_data?: WireTypedData
  readonly transactions: readonly WireTransaction[]
  readonly reason?: string
}

interface Prepared extends Readonly<Record<string, unknown>> {
  readonly payload: object
  readonly execution: Execution
}

/**
 * Alters the prepared action in a response according to the faults. The exchange stores the unaltered action, and the relay verifies signatures
 * against it.
 */
export function misleadPrepared(body: Prepared, faults: Pick<Faults, 'typedData' | 'transaction' | 'prepared'>, nowMs: number): Record<string, unknown> {
  const { typed_data: typedData, transactions: honest, ...rest } = body.execution
  const transactions = honest.map((transaction) => misleadPayment(transaction, faults.transaction, nowMs))
  const execution = { ...rest, transactions, ...(typedData !== undefined && { typed_data: misleadTypedData(typedData, faults.typedData) }) }
  const { typed_data: _, ...signless } = execution
  const unsignable = { ...signless, transactions: [] }
  switch (faults.prepared) {
    case null:
      return { ...body, execution }
    case 'ready_but_failed':
      return { ...body, execution: { ...execution, ready: true, status: 'preflight_failed', reason: 'oracle_unavailable' } }
    case 'not_ready_but_signable':
      return { ...body, execution: { ...execution, ready: false, status: body.execution.status } }
    case 'unknown_status':
      return { ...body, execution: { ...execution, ready: true, status: 'queued_for_review' } }
    case 'preflight_failed':
      return { ...body, execution: { ...unsignable, ready: false, status: 'preflight_failed', reason: 'oracle_unavailable' } }
    case 'contract_pending':
      return { ...body, execution: { ...unsignable, ready: false, status: 'contract_pending', reason: 'market_contract_pending' } }
    case 'payload_differs':
      return { ...body, payload: otherPayload(body.payload), execution }
  }
}

/**
 * Changes the payload into a request that the user did not make. Changes the leverage or the amount if the payload contains one; otherwise changes
 * the order or the position.
 */
function otherPayload(payload: object): object {
  const [name, value] =
    Object.entries(payload).find(([each]) => each === 'leverage') ??
    Object.entries(payload).find(([each]) => /^(amount|amount_usdc|size|order_value_usdc)$/.test(each)) ??
    []
  if (name === undefined) return { ...payload, order_id: 'ord_1', position_id: 'pos_1' }
  return { ...payload, [name]: typeof value === 'number' ? value + 1 : `1${String(value)}` }
}

function misleadTypedData(data: WireTypedData, fault: Faults['typedData']): WireTypedData {
  const saying = (message: Record<string, string | boolean>): WireTypedData => {
    const own = Object.entries(message).filter(([name]) => name in data.message)
    return { ...data, message: { ...data.message, ...Object.fromEntries(own) } }
  }
  const number = (name: string) => BigInt(String(data.message[name] ?? '0'))
  const times = (factor: bigint) => {
    const amounts = ['orderValue', 'size', 'value'].map((name) => [name, (number(name) * factor).toString()] as const)
    return saying(Object.fromEntries(amounts))
  }
  switch (fault) {
    case null:
      return data
    case 'amount':
      return times(10n)
    case 'router':
      // A permit names the router as its spender, so replace the spender too.
      return { ...saying({ spender: stranger }), domain: { ...data.domain, verifyingContract: stranger } }
    case 'chain':
      return { ...data, domain: { ...data.domain, chainId: 1 } }
    case 'wallet':
      return saying({ trader: stranger, owner: stranger })
    case 'side':
      return saying({ side: data.message.side === 'long' ? 'short' : 'long' })
    case 'leverage':
      return saying({ leverage: (number('leverage') + 1n).toString() })
    case 'deadline':
      return saying({ deadline: (number('deadline') + 31_536_000n).toString() })
    case 'slippage':
      return saying({ maxSlippageBps: '5000' })
    case 'two_scales':
      // Multiply as if the amount had 8 decimals instead of 6, so that 25 USDC become 2,500 USDC.
      return times(100n)
    case 'extra_field':
      return withField(data, 'referrer', stranger)
    case 'new_layout':
      return newLayout(data)
  }
}

function withField(data: WireTypedData, name: string, value: string): WireTypedData {
  const fields = data.types[data.primaryType] ?? []
  return {
    ...data,
    types: { ...data.types, [data.primaryType]: [...fields, { name, type: 'address' }] },
    message: { ...data.message, [name]: value },
  }
}

/** Renames and reorders the fields of the order to sign, as a later version of the contract might. The values stay the same. */
function newLayout(data: WireTypedData): WireTypedData {
  const renamed: Readonly<Record<string, string>> = {
    trader: 'account',
    pairId: 'market',
    orderValue: 'notional',
    maxSlippageBps: 'slippage',
    deadline: 'validUntil',
  }
  const name = (old: string) => renamed[old] ?? old
  const fields = (data.types[data.primaryType] ?? []).map((field) => ({ ...field, name: name(field.name) }))
  return {
    ...data,
    types: { EIP712Domain: data.types.EIP712Domain ?? [], OpenOrder: fields.toReversed() },
    primaryType: 'OpenOrder',
    message: Object.fromEntries(Object.entries(data.message).map(([old, value]) => [name(old), value])),
  }
}
