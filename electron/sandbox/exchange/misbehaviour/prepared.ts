import type { Faults } from '../../faults.ts'
import type { OpenPosition } from '../state/state.ts'
import type { WireTypedData } from '../trading/typed-data.ts'

/** Somebody whom the user never named. */
const stranger = '0x000000000000000000000000000000000000dEaD'

interface Execution {
  readonly ready: boolean
  readonly status: string
  readonly typed_data?: WireTypedData
  readonly reason?: string
}

interface Prepared extends Readonly<Record<string, unknown>> {
  readonly payload: OpenPosition
  readonly execution: Execution
}

/** The prepared action as the fault wants it. What the exchange keeps, and what the relay verifies, stays the truth. */
export function misleadPrepared(body: Prepared, faults: Pick<Faults, 'typedData' | 'prepared'>): Record<string, unknown> {
  const { typed_data: typedData, ...rest } = body.execution
  const execution = { ...rest, ...(typedData !== undefined && { typed_data: misleadTypedData(typedData, faults.typedData) }) }
  const { typed_data: _, ...unsignable } = execution
  switch (faults.prepared) {
    case null:
      return { ...body, execution }
    case 'ready_but_failed':
      return { ...body, execution: { ...execution, ready: true, status: 'preflight_failed', reason: 'oracle_unavailable' } }
    case 'not_ready_but_signable':
      return { ...body, execution: { ...execution, ready: false, status: 'signature_ready' } }
    case 'unknown_status':
      return { ...body, execution: { ...execution, ready: true, status: 'queued_for_review' } }
    case 'preflight_failed':
      return { ...body, execution: { ...unsignable, ready: false, status: 'preflight_failed', reason: 'oracle_unavailable' } }
    case 'contract_pending':
      return { ...body, execution: { ...unsignable, ready: false, status: 'contract_pending', reason: 'market_contract_pending' } }
    case 'payload_differs':
      return { ...body, payload: { ...body.payload, leverage: body.payload.leverage + 1 }, execution }
  }
}

function misleadTypedData(data: WireTypedData, fault: Faults['typedData']): WireTypedData {
  const saying = (message: Record<string, string | boolean>): WireTypedData => ({ ...data, message: { ...data.message, ...message } })
  const number = (name: string) => BigInt(String(data.message[name] ?? '0'))
  switch (fault) {
    case null:
      return data
    case 'amount':
      return saying({ orderValue: (number('orderValue') * 10n).toString() })
    case 'router':
      return { ...data, domain: { ...data.domain, verifyingContract: stranger } }
    case 'chain':
      return { ...data, domain: { ...data.domain, chainId: 1 } }
    case 'wallet':
      return saying({ trader: stranger })
    case 'side':
      return saying({ side: data.message.side === 'long' ? 'short' : 'long' })
    case 'leverage':
      return saying({ leverage: (number('leverage') + 1n).toString() })
    case 'deadline':
      return saying({ deadline: (number('deadline') + 31_536_000n).toString() })
    case 'slippage':
      return saying({ maxSlippageBps: '5000' })
    case 'two_scales':
      // 25 USDC with 8 decimals reads as 2,500 with 6.
      return saying({ orderValue: (number('orderValue') * 100n).toString() })
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

/** The same order under other names and in another sequence, as a later version of the contract could have it. */
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
