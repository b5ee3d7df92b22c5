import { getAddress, isAddress } from 'viem'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ExecutorChange } from '../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameAddress } from '../../../shared/signing/pins.ts'
import { firstHidden } from '../../../shared/signing/wording.ts'
import type { InputIssue } from '../../../shared/text/input-issue-text.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import { heldBack, type SecretOperationRow } from '../../store/journal/journal.ts'
import { type AgentParts, activeKey, listedKey, lostForGoodMs } from './agent-parts.ts'

/** Binds a key to the one executor that may carry out its delegated orders (KEY-12). */
export interface ExecutorBinding {
  check(keyId: string, written: string): Promise<Result<ExecutorChange, Failure>>
  bind(keyId: string, written: string, before: string | null, confirmLabel: string): Promise<Result<KeySummary, Failure>>
  /** Ends bindings whose answer was lost, as far as the service's list tells. */
  settle(keys: readonly KeySummary[]): void
}

/** As `ExecutorRequest` takes it. */
const longest = 256

const sameExecutor = (a: string | null, b: string | null): boolean => a === b || sameAddress(a, b)

/** A name or an address: without surrounding space, an address checksummed. What an executor may be called is not shown. */
function executorFrom(written: string): Result<string, Failure> {
  const executor = written.trim()
  const bad = (issue: InputIssue) => fail<Failure>({ kind: 'bad_input', field: 'executor', issue })
  if (executor === '') return bad('executor_needed')
  if (executor.length > longest) return bad(`too_long ${longest}`)
  if (firstHidden(executor) !== null || /\s/.test(executor)) return bad('space_or_hidden')
  if (/^0x/i.test(executor) && !isAddress(executor, { strict: false })) return bad('half_an_address')
  return ok(isAddress(executor, { strict: false }) ? getAddress(executor) : executor)
}

export function createExecutorBinding(parts: AgentParts): ExecutorBinding {
  const { profile, journal, calls, list, newId } = parts
  const operations = journal.secretOperations

  const settleOne = (operation: SecretOperationRow, bound: string | null): void => {
    if (sameExecutor(bound, operation.draft)) operations.move(operation.id, 'SETTLED', { note: 'executor_listed' })
    else if (parts.clock.now() > operation.updatedAtMs + lostForGoodMs) operations.move(operation.id, 'SETTLED', { note: 'executor_not_listed' })
  }
  const settle: ExecutorBinding['settle'] = (keys) => {
    for (const operation of operations.unsettled(profile.id)) {
      const key = keys.find(({ id }) => id === operation.keyId)
      if (operation.kind === 'executor' && operation.state === 'UNKNOWN' && key !== undefined) settleOne(operation, key.executor)
    }
  }

  return {
    settle,
    check: async (keyId, written) => {
      const after = executorFrom(written)
      if (!after.ok) return after
      const listed = await listedKey(parts, keyId)
      if (!listed.ok) return listed
      const { key } = listed.value
      settle([key])
      const before = key.executor
      const kind = before === null ? 'first' : sameExecutor(before, after.value) ? 'same' : 'different'
      return ok({ keyId, label: key.label, before, after: after.value, kind })
    },
    bind: async (keyId, written, before, confirmLabel) => {
      const executor = executorFrom(written)
      if (!executor.ok) return executor
      const listed = await listedKey(parts, keyId)
      if (!listed.ok) return listed
      const active = activeKey(listed.value)
      if (!active.ok) return active
      const { session, wallet, key } = active.value
      settle([key])
      if (confirmLabel !== key.label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${key.label}` })
      // The user agreed to replace what the screen showed, and nothing else.
      if (!sameExecutor(before, key.executor)) return fail({ kind: 'wrong_state', state: key.executor ?? 'none', wanted: before ?? 'none' })
      if (!journal.takesNewRisk()) return fail(heldBack(journal))
      const { id } = operations.plan({
        id: newId(),
        kind: 'executor',
        label: key.label,
        keyId,
        profileId: profile.id,
        wallet,
        keyIdsBefore: [],
        marker: '',
        draft: executor.value,
      })
      operations.move(id, 'SENT')
      const answer = await calls.bindExecutor(session, keyId, executor.value)
      if (!answer.ok) {
        const unknown = outcomeOf(answer.failure) === 'unknown'
        operations.move(id, unknown ? 'UNKNOWN' : 'FAILED', {
          note: unknown ? `executor_unanswered ${executor.value}` : answer.failure.failure.kind,
        })
        return fail(answer.failure.failure)
      }
      const { key: record } = answer.value
      // A success that names no executor binds the one that was sent.
      const bound = record?.executor ?? executor.value
      operations.move(id, 'SETTLED', {
        note: sameExecutor(bound, executor.value) ? `executor_bound ${executor.value}` : `executor_differs ${bound}`,
      })
      if (!sameExecutor(bound, executor.value)) return fail({ kind: 'executor_differs', bound, sent: executor.value })
      list.bound(keyId, executor.value)
      return ok({ ...(record === null ? key : list.summary(record, wallet)), executor: executor.value })
    },
  }
}
