import { type Clock, day } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { newId } from '../auth/tokens.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import type { Marks } from '../market/marks.ts'
import { misleadDelegated } from '../misbehaviour/delegated.ts'
import type { CommandRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { scopesNeeded, validateDelegated } from './delegated-actions.ts'
import { canonical, idempotencyKeyOf } from './idempotency.ts'

/** Idempotency rules 2. */
const rememberedFor = day

export interface Delegated {
  /** `POST /orders/execute`. */
  execute(ask: Ask, key: KeyRow): Reply
  /** `GET /executions/{command_id}`. */
  status(ask: Ask, key: KeyRow): Reply
}

export function createDelegated({ store, marks, clock, faults }: { store: Store; marks: Marks; clock: Clock; faults: Faults }): Delegated {
  const { state } = store

  /** The practice router takes no delegated action yet: what was accepted ends there, and says so. */
  const outcome = (prepareOnly: boolean): Pick<CommandRow, 'state' | 'reason'> =>
    prepareOnly ? { state: 'validated', reason: null } : { state: 'failed', reason: 'contract_pending' }

  const remembered = ({ wallet, action, idempotencyKey, nowMs }: Pick<CommandRow, 'wallet' | 'action' | 'idempotencyKey'> & { nowMs: number }) =>
    state.commands.findLast(
      (row) => row.wallet === wallet && row.action === action && row.idempotencyKey === idempotencyKey && nowMs - row.createdAtMs < rememberedFor,
    )

  return {
    execute: (ask, key) => {
      const { action, payload, prepare_only: prepareOnly = false } = ask.body
      const missing = scopesNeeded(action, payload).find((scope) => !key.scopes.includes(scope))
      if (missing !== undefined) return refuse(403, 'SCOPE_REQUIRED', `This call needs the scope ${missing}`, { required_scope: missing })
      // Flow rules 6, whatever the body is.
      if (key.executor === null) return refuse(403, 'delegated_executor_binding_required', 'No executor is bound to this key')
      if (typeof prepareOnly !== 'boolean') return invalid('prepare_only', 'must be a boolean')
      const nowMs = clock.now()
      const valid = validateDelegated(action, payload, { marks, nowMs })
      if (!valid.ok) return valid.failure
      // Idempotency rules 6: the header is not read. A key is required of prepare only.
      const sentPayload = typeof payload === 'object' && payload !== null ? { ...payload } : {}
      const idempotency = idempotencyKeyOf(undefined, sentPayload)
      if (!idempotency.ok && idempotency.failure.code !== 'IDEMPOTENCY_KEY_REQUIRED') return idempotency.failure
      const idempotencyKey = idempotency.ok ? idempotency.value.key : null
      const sent = canonical(sentPayload)
      const earlier = idempotencyKey === null ? undefined : remembered({ wallet: key.wallet, action: valid.value.action, idempotencyKey, nowMs })
      // Also when the first was a dry run: the original response is replayed, and nothing is submitted.
      if (earlier?.sent === sent) return accepted(earlier, true, faults)
      if (earlier !== undefined) return refuse(409, 'IDEMPOTENCY_KEY_CONFLICT', 'This idempotency key was used with a different payload')
      const command: CommandRow = {
        id: newId('cmd_', 16),
        wallet: key.wallet,
        keyId: key.id,
        action: valid.value.action,
        idempotencyKey,
        sent,
        payload: valid.value.payload,
        executor: key.executor,
        prepareOnly,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        ...outcome(prepareOnly),
        txHash: null,
      }
      state.commands.push(command)
      store.commit()
      return accepted(command, false, faults)
    },
    status: (ask, key) => {
      const command = state.commands.find((row) => row.id === ask.params.command_id && row.wallet === key.wallet && !row.prepareOnly)
      if (command === undefined) return notFound('The command')
      return answer({
        success: true,
        execution: {
          command_id: command.id,
          action: command.action,
          state: command.state,
          tx_hash: command.txHash,
          reason: command.reason,
          executor: command.executor,
          created_at_ms: command.createdAtMs,
          updated_at_ms: command.updatedAtMs,
        },
      })
    },
  }
}

/** The original response, word for word but for `idempotent_replay`. */
function accepted(command: CommandRow, replay: boolean, faults: Faults): Reply {
  const { prepareOnly } = command
  const body = {
    success: true,
    prepare_only: prepareOnly,
    delegated: {
      command_id: prepareOnly ? null : command.id,
      tx_hash: null,
      state: prepareOnly ? 'validated' : 'queued',
      executor: command.executor,
    },
    status_url: prepareOnly ? null : `/api/dex/v1/executions/${command.id}`,
    action: command.action,
    payload: command.payload,
    idempotent_replay: replay,
  }
  return answer(misleadDelegated(body, faults.delegated), 202)
}
