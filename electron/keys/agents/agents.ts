import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { createNamedLocks } from '../../intents/engine/intent-locks.ts'
import type { Payer, Payments } from '../../intents/ways/payment/payments.ts'
import type { Emit } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { ApiClient, SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal, Vault } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { Pins } from '../../wallet/trusted-contracts/pins.ts'
import type { KeyList } from '../calls/key-list.ts'
import { createGrantCheck } from '../issuance/grant-check.ts'
import type { GrantEnds } from '../issuance/grant-ends.ts'
import { createAgentCalls } from './agent-calls.ts'
import { type AgentParts, activeKey, listedKey } from './agent-parts.ts'
import { createExecutorBinding } from './executor.ts'
import { createGrantDrafts } from './grant-drafts.ts'
import { type AgentGrants, createAgentGrants } from './grants.ts'

export interface AgentsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly fieldMap: Pick<FieldMapBook, 'names'>
  readonly journal: Journal
  readonly vault: Vault
  readonly list: KeyList
  readonly wallet: WalletReport
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  readonly pins: Pins
  readonly chain: Chain
  readonly ends: GrantEnds
  readonly payments: Pick<Payments, 'prepare'>
  readonly clock: Clock
  readonly emit: Emit
  readonly newId: () => string
}

export interface Agents {
  /** For whoever makes a key and wants its agent granted. */
  readonly grants: Pick<AgentGrants, 'open' | 'draft' | 'ask' | 'store' | 'leave'>
  /** Resolves when nothing is being done to any grant. */
  settled(): Promise<void>
  readonly handlers: Omit<HandlersOf<'agents'>, 'agents.payment' | 'agents.payments'>
}

/** What a key may do without its wallet being asked each time: its agent, its executor, and what pays for it (KEY-11 to KEY-13). */
export function createAgents(deps: AgentsDeps): Agents {
  const { profile, api, fieldMap, journal, vault, pins, chain, ends, payments, clock } = deps
  const parts: AgentParts = { ...deps, calls: createAgentCalls({ api, fieldMap }) }
  const locks = createNamedLocks()
  const grants = createAgentGrants({
    parts,
    drafts: createGrantDrafts({ profile, journal, vault, clock }),
    ends,
    grants: createGrantCheck({ pins, clock }),
    chain,
  })
  const executors = createExecutorBinding(parts)

  const payer: Payer = {
    activeKey: async (keyId) => {
      const found = await listedKey(parts, keyId)
      return found.ok ? activeKey(found.value) : found
    },
    request: parts.calls.payment,
  }

  const grantLock = (keyId: string) => `grant:${keyId}`
  const oneAtATime: Pick<AgentGrants, 'open' | 'draft' | 'ask' | 'store' | 'leave'> = {
    open: (keyId) => locks.run(grantLock(keyId), () => grants.open(keyId)),
    draft: (keyId) => locks.run(grantLock(keyId), () => grants.draft(keyId)),
    ask: (keyId, ...typed) => locks.run(grantLock(keyId), () => grants.ask(keyId, ...typed)),
    store: (keyId, signature) => locks.run<Result<KeySummary, Failure>>(grantLock(keyId), () => grants.store(keyId, signature)),
    leave: (keyId) => locks.run(grantLock(keyId), () => grants.leave(keyId)),
  }

  return {
    grants: oneAtATime,
    settled: locks.idle,
    handlers: {
      'agents.open': ({ keyId }) => oneAtATime.open(keyId),
      'agents.draft': ({ keyId }) => oneAtATime.draft(keyId),
      'agents.ask': ({ keyId, typedPhrase, typedRouter }) => oneAtATime.ask(keyId, typedPhrase, typedRouter),
      'agents.store': ({ keyId, signature }) => oneAtATime.store(keyId, signature),
      'agents.leave': ({ keyId }) => oneAtATime.leave(keyId),
      'agents.checkExecutor': ({ keyId, executor }) => executors.check(keyId, executor),
      'agents.bindExecutor': ({ keyId, executor, before, confirmLabel }) =>
        locks.run(`executor:${keyId}`, () => executors.bind(keyId, executor, before, confirmLabel)),
      'agents.preparePayment': ({ keyId, amountUsdc }) => payments.prepare(payer, keyId, amountUsdc),
    },
  }
}
