import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import { isSignedBy, type WireTypedData } from '../../chain/wire-typed-data.ts'
import { type Ask, type Reply, refuse } from '../http/reply.ts'
import type { AgentRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { agentGrant, newAgent } from './agent-grant.ts'
import { type Keys, keyNotActive } from './api-keys.ts'
import type { Audit } from './audit-rows.ts'
import type { DeveloperAnswers } from './developer-answers.ts'

interface Parts {
  readonly store: Store
  readonly keys: Keys
  readonly audit: Audit
  readonly answers: DeveloperAnswers
  readonly clock: Clock
  readonly router: Address
  /** Converts a grant to the signing format in which the wallet receives it, which is that of a dialect if one is set. */
  readonly spoken: (grant: WireTypedData) => WireTypedData
}

export interface Agents {
  /** `POST …/agent`: creates or returns the key's agent and the grant to sign. */
  offer(ask: Ask, key: KeyRow): Reply
  /** `POST …/agent/grant`: stores the signed grant after verifying it. */
  grant(ask: Ask, key: KeyRow): Promise<Reply>
}

export function createAgents({ store, keys, audit, answers, clock, router, spoken }: Parts): Agents {
  const subject = (ask: Ask, key: KeyRow) => ({ wallet: key.wallet, key, ip: ask.ip, requestId: ask.requestId })
  /**
   * True if the agent needs a new grant. An unsigned grant is outdated if its expiry differs from the key's expiry. A signed grant is outdated only
   * once it has expired.
   */
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
      return answers.agent(key.agent)
    },
    grant: async (ask, key) => {
      if (key.agent === null) return refuse(409, 'AGENT_REQUIRED', 'This key has no agent yet')
      const { agent } = key
      if (Number(agent.grant.message.expiresAt) * 1000 <= clock.now()) return refuse(410, 'GRANT_EXPIRED', 'This grant has expired')
      if (!(await isSignedBy(key.wallet, spoken(agent.grant), ask.body.signature)))
        return refuse(400, 'BAD_SIGNATURE', 'The signature of the grant is not the wallet’s')
      // Check the status again: another request may have revoked the key while the signature was being verified.
      const status = keys.statusOf(key)
      if (status !== 'active') return keyNotActive(status)
      agent.granted = true
      audit.change('key.agent_granted', subject(ask, key))
      store.commit()
      return answers.key(key)
    },
  }
}
