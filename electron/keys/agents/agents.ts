import { getAddress, isAddress } from 'viem'
import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { ExecutorChange } from '../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameAddress } from '../../../shared/signing/trust.ts'
import { firstHidden } from '../../../shared/signing/wording.ts'
import { createNamedLocks } from '../../intents/engine/engine-parts.ts'
import type { Payer, Payments } from '../../intents/methods/payment/payments.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import { heldBack } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { Trust } from '../../wallet/trusted-contracts/trust.ts'
import type { KeyRecord } from '../calls/key-calls.ts'
import { createRecordedCalls } from '../calls/key-changes.ts'
import type { GrantEnds } from '../issuance/grant-check.ts'
import type { MayLeave } from '../issuance/issuance.ts'
import { type AgentParts, activeKey, createAgentCalls, listedKey, lostForGoodMs } from './agent-parts.ts'
import { type AgentGrants, createAgentGrants } from './grants.ts'

export interface AgentsDeps extends Omit<AgentParts, 'calls'> {
  readonly api: ApiClient
  readonly fieldMap: Pick<FieldMapService, 'names'>
  readonly trust: Trust
  readonly chain: Chain
  readonly ends: GrantEnds
  readonly payments: Pick<Payments, 'prepare'>
}

export type Agents = ReturnType<typeof createAgents>

/** Manages what a key may do without the wallet: its trading agent, its executor and its execution payments (KEY-11 to KEY-13). */
export function createAgents(deps: AgentsDeps) {
  const { payments } = deps
  const parts: AgentParts = { ...deps, calls: createAgentCalls(deps) }
  const locks = createNamedLocks()
  const grants = createAgentGrants(parts, deps)
  const executors = createExecutorBinding(parts)

  const payer: Payer = { activeKey: (keyId) => activeKey(parts, keyId), request: parts.calls.payment }

  /** Runs work on the grant of one key after all earlier work on it. */
  const inTurn =
    <A extends readonly unknown[], T>(work: (keyId: string, ...rest: A) => Promise<T>) =>
    (keyId: string, ...rest: A): Promise<T> =>
      locks.run(`grant:${keyId}`, () => work(keyId, ...rest))
  const oneAtATime: AgentGrants = {
    ...{ open: inTurn(grants.open), draft: inTurn(grants.draft), ask: inTurn(grants.ask), store: inTurn(grants.store), leave: inTurn(grants.leave) },
  }

  const bindExecutor = (...[keyId, ...more]: Parameters<typeof executors.bind>) => locks.run(`executor:${keyId}`, () => executors.bind(keyId, ...more))

  const handlers: Omit<HandlersOf<'agents'>, 'agents.payment' | 'agents.payments'> = {
    'agents.open': ({ keyId }) => oneAtATime.open(keyId),
    'agents.draft': ({ keyId }) => oneAtATime.draft(keyId),
    'agents.ask': ({ keyId, typedPhrase, typedRouter }) => oneAtATime.ask(keyId, typedPhrase, typedRouter),
    'agents.store': ({ keyId, signature }) => oneAtATime.store(keyId, signature),
    'agents.leave': ({ keyId }) => oneAtATime.leave(keyId),
    'agents.checkExecutor': ({ keyId, executor }) => executors.check(keyId, executor),
    'agents.bindExecutor': ({ keyId, executor, before, confirmLabel }) => bindExecutor(keyId, executor, before, confirmLabel),
    'agents.preparePayment': ({ keyId, amountUsdc }) => payments.prepare(payer, keyId, amountUsdc),
  }
  return {
    /** The functions for grants, for code that creates a key together with its agent and grant. */
    grants: oneAtATime,
    /** Resolves when no work on a grant is running. */
    settled: locks.idle,
    /** See `BindExecutor`. */
    bindExecutor,
    handlers,
  }
}

/** Maximum length of an executor’s name in the API’s `ExecutorRequest`. */
const longest = 256

const sameExecutor = (a: string | null, b: string | null): boolean => a === b || sameAddress(a, b)

/**
 * Reads an executor’s name as the user typed it. Removes spaces around the name, and checksums an address. Accepts any other name, because the API
 * document does not define the form of an executor’s name.
 */
function executorFrom(written: string): Result<string, Failure> {
  const executor = written.trim()
  const bad = (issue: InputIssue) => fail<Failure>({ kind: 'bad_input', field: 'executor', issue })
  if (executor === '') return bad('executor_needed')
  if (executor.length > longest) return bad(`too_long ${longest}`)
  if (firstHidden(executor) !== null || /\s/.test(executor)) return bad('space_or_hidden')
  if (/^0x/i.test(executor) && !isAddress(executor, { strict: false })) return bad('half_an_address')
  return ok(isAddress(executor, { strict: false }) ? getAddress(executor) : executor)
}

/** Binds a key to its executor, which may execute orders for the key (KEY-12). A key has only one executor. */
function createExecutorBinding(parts: AgentParts) {
  const { journal, calls, list, clock } = parts
  const operations = journal.secretOperations
  const recorded = createRecordedCalls(parts)

  /** Compares the listed key with executor bindings whose answers were lost, to find out which of them succeeded. */
  const reconcile = (key: KeySummary): void => {
    for (const { operation } of recorded.unanswered('executor', [key])) {
      if (sameExecutor(key.executor, operation.draft)) operations.move(operation.id, 'SETTLED', { note: 'executor_listed' })
      else if (clock.now() > operation.updatedAtMs + lostForGoodMs) operations.move(operation.id, 'SETTLED', { note: 'executor_not_listed' })
    }
  }

  return {
    check: async (keyId: string, written: string): Promise<Result<ExecutorChange, Failure>> => {
      const after = executorFrom(written)
      if (!after.ok) return after
      const listed = await listedKey(parts, keyId)
      if (!listed.ok) return listed
      const { key } = listed.value
      reconcile(key)
      const before = key.executor
      const kind = before === null ? 'first' : sameExecutor(before, after.value) ? 'same' : 'different'
      return ok({ keyId, label: key.label, before, after: after.value, kind })
    },
    bind: async (keyId: string, written: string, before: string | null, confirmLabel: string, mayLeave?: MayLeave): Promise<Result<KeySummary, Failure>> => {
      const executor = executorFrom(written)
      if (!executor.ok) return executor
      const active = await activeKey(parts, keyId)
      if (!active.ok) return active
      const { session, wallet, key } = active.value
      reconcile(key)
      if (confirmLabel !== key.label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${key.label}` })
      // The user agreed to replace the executor that the window showed. If the key has another executor now, refuse.
      if (!sameExecutor(before, key.executor)) return fail({ kind: 'wrong_state', state: key.executor ?? 'none', wanted: before ?? 'none' })
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const stopped = mayLeave?.() ?? null
      if (stopped !== null) return fail(stopped)
      // If the service’s answer does not name the executor, assume that the service bound the requested executor.
      const boundIn = (record: KeyRecord | null): string => record?.executor ?? executor.value
      const bind = await recorded.call({
        operation: { kind: 'executor', label: key.label, keyId, wallet, draft: executor.value },
        send: () => calls.bindExecutor(session, keyId, executor.value),
        notes: { unanswered: `executor_unanswered ${executor.value}` },
        settled: ({ key: record }) =>
          sameExecutor(boundIn(record), executor.value) ? `executor_bound ${executor.value}` : `executor_differs ${boundIn(record)}`,
      })
      if (!bind.ok) return bind
      const { key: record } = bind.value.answer
      const bound = boundIn(record)
      if (!sameExecutor(bound, executor.value)) return fail({ kind: 'executor_differs', bound, sent: executor.value })
      list.bound(keyId, executor.value)
      return ok({ ...(record === null ? key : list.summary(record, wallet)), executor: executor.value })
    },
  }
}
