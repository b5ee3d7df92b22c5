import { type Address, encodeFunctionData } from 'viem'
import { signOf, toUnits } from '../../../../shared/decimal.ts'
import { type Clock, minute } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { type Ask, answer, invalid, type Reply, refuse } from '../http/reply.ts'
import { misleadGrant } from '../misbehaviour/grant.ts'
import { isDecimalText } from '../money.ts'
import type { AgentRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { isSignedBy } from '../trading/typed-data.ts'
import { agentGrant, newAgent } from './agent-grant.ts'
import type { Audit } from './audit.ts'
import type { Keys } from './keys.ts'

interface Parts {
  readonly store: Store
  readonly keys: Keys
  readonly audit: Audit
  readonly clock: Clock
  readonly faults: Faults
  readonly router: Address
  readonly usdc: Address
}

export interface Agents {
  /** `POST …/agent`: creates or returns the key's agent and the grant to sign. */
  offer(ask: Ask, key: KeyRow): Reply
  /** `POST …/agent/grant`: stores the signed grant after verifying it. */
  grant(ask: Ask, key: KeyRow): Promise<Reply>
  /** `POST …/execution-payment`: a transaction for the wallet to sign, nothing more. */
  payment(ask: Ask, key: KeyRow): Reply
}

const approveAbi = [
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const

const paymentLifetime = 3 * minute

export function createAgents({ store, keys, audit, clock, faults, router, usdc }: Parts): Agents {
  const subject = (ask: Ask, key: KeyRow) => ({ wallet: key.wallet, key, ip: ask.ip, requestId: ask.requestId })
  /** An unsigned grant follows the key's expiry; a signed one stands until it has expired. */
  const isOutdated = ({ grant, granted }: AgentRow, key: KeyRow) => {
    const { expiresAt } = grant.message
    return granted ? Number(expiresAt) * 1000 <= clock.now() : expiresAt !== String(Math.floor(key.expiresAtMs / 1000))
  }
  return {
    offer: (ask, key) => {
      const grantFor = (agent: Address) => agentGrant({ wallet: key.wallet, agent, router, keyExpiresAtMs: key.expiresAtMs })
      if (key.agent === null) {
        const address = newAgent()
        key.agent = { address, grant: grantFor(address), granted: false }
        audit.change('key.agent_created', subject(ask, key))
      } else if (isOutdated(key.agent, key)) {
        key.agent = { address: key.agent.address, grant: grantFor(key.agent.address), granted: false }
      }
      store.commit()
      const { address, granted, grant } = key.agent
      return answer({ success: true, agent: { address, granted }, grant: { typed_data: misleadGrant(grant, faults.grant, clock.now()) } })
    },
    grant: async (ask, key) => {
      if (key.agent === null) return refuse(409, 'AGENT_REQUIRED', 'This key has no agent yet')
      const { agent } = key
      if (Number(agent.grant.message.expiresAt) * 1000 <= clock.now()) return refuse(410, 'GRANT_EXPIRED', 'This grant has expired')
      if (!(await isSignedBy(key.wallet, agent.grant, ask.body.signature)))
        return refuse(400, 'BAD_SIGNATURE', 'The signature of the grant is not the wallet’s')
      if (keys.statusOf(key) === 'revoked') return refuse(409, 'KEY_NOT_ACTIVE', 'This key was revoked')
      agent.granted = true
      audit.change('key.agent_granted', subject(ask, key))
      store.commit()
      return answer({ success: true, key: keys.record(key) })
    },
    payment: (ask, key) => {
      const amount = ask.body.amount_usdc
      const units = isDecimalText(amount) && signOf(amount) > 0 ? toUnits(amount, 6) : null
      if (units === null) return invalid('amount_usdc', 'must be a positive decimal string with at most 6 decimals')
      audit.change('key.payment_prepared', subject(ask, key))
      store.commit()
      return answer({
        success: true,
        amount_usdc: amount,
        transaction: {
          kind: 'approval',
          from: key.wallet,
          to: usdc,
          data: encodeFunctionData({ abi: approveAbi, functionName: 'approve', args: [router, units] }),
          value: '0x0',
          deadline: Math.floor((clock.now() + paymentLifetime) / 1000),
        },
      })
    },
  }
}
