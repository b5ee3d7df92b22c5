import { type Clock, day } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { newId } from '../../base/tokens.ts'
import { scopesNeeded, validateDelegated } from '../actions/delegated-actions.ts'
import { type Ask, answer, invalid, notFound, type Reply, refuse } from '../http/reply.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { CommandRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { Executor } from './command-executor.ts'
import { canonical, idempotencyKeyOf } from './idempotency.ts'
import { nextNonce } from './nonces.ts'
import { itemId, type Settlement } from './settlement.ts'

/** How long the exchange remembers an idempotency key (API document: Idempotency rules 2). */
const rememberedFor = day

export interface Delegated {
  /** Handles `POST /orders/execute`. */
  execute(ask: Ask, key: KeyRow): Promise<Reply>
  /** Handles `GET /executions/{command_id}`. */
  status(ask: Ask, key: KeyRow): Promise<Reply>
}

interface Parts {
  readonly store: Store
  readonly ledger: Ledger
  readonly executor: Executor
  readonly settlement: Settlement
  readonly marks: Marks
  readonly clock: Clock
  readonly faults: Faults
}

export function createDelegated({ store, ledger, executor, settlement, marks, clock, faults }: Parts): Delegated {
  const { state } = store

  const remembered = ({ wallet, action, idempotencyKey, nowMs }: Pick<CommandRow, 'wallet' | 'action' | 'idempotencyKey'> & { nowMs: number }) =>
    state.commands.findLast(
      (row) => row.wallet === wallet && row.action === action && row.idempotencyKey === idempotencyKey && nowMs - row.createdAtMs < rememberedFor,
    )

  return {
    execute: async (ask, key) => {
      const { action, payload, prepare_only: prepareOnly = false } = ask.body
      const missing = scopesNeeded(action, payload).find((scope) => !key.scopes.includes(scope))
      if (missing !== undefined) return refuse(403, 'SCOPE_REQUIRED', `This call needs the scope ${missing}`, { required_scope: missing })
      // Check the executor before validating the body (Flow rules 6).
      if (key.executor === null) return refuse(403, 'delegated_executor_binding_required', 'No executor is bound to this key')
      if (typeof prepareOnly !== 'boolean') return invalid('prepare_only', 'must be a boolean')
      await settlement.catchUp().catch(() => {})
      const nowMs = clock.now()
      const { wallet } = key
      const valid = validateDelegated(action, payload, { book: ledger.book(wallet), marks, nowMs })
      if (!valid.ok) return valid.failure
      // Use only the idempotency key in the payload, and ignore the header. Unlike prepare, execute requires no key (Idempotency rules 6).
      const sentPayload = typeof payload === 'object' && payload !== null ? { ...payload } : {}
      const idempotency = idempotencyKeyOf(undefined, sentPayload)
      if (!idempotency.ok && idempotency.failure.code !== 'IDEMPOTENCY_KEY_REQUIRED') return idempotency.failure
      const idempotencyKey = idempotency.ok ? idempotency.value.key : null
      const sent = canonical(sentPayload)
      const earlier = idempotencyKey === null ? undefined : remembered({ wallet, action: valid.value.action, idempotencyKey, nowMs })
      // A repeated request gets the response of the first request. If the first request was a dry run, this one submits nothing either.
      if (earlier?.sent === sent) return accepted(earlier, true, faults)
      if (earlier !== undefined) return refuse(409, 'IDEMPOTENCY_KEY_CONFLICT', 'This idempotency key was used with a different payload')
      const command: CommandRow = {
        ...{ id: newId('cmd_', 16), wallet, keyId: key.id, action: valid.value.action, idempotencyKey, sent, payload: valid.value.payload },
        ...{ executor: key.executor, prepareOnly, createdAtMs: nowMs, updatedAtMs: nowMs, reason: null, txHash: null },
        state: prepareOnly ? 'validated' : 'queued',
        items: prepareOnly
          ? []
          : valid.value.items.map(({ action: name, instruction, clientOrderId }) => ({
              ...{ action: name, instruction, clientOrderId, nonce: nextNonce(state, wallet, nowMs).toString() },
            })),
      }
      state.commands.push(command)
      // Save the command before calling the network, so that a repeated request finds it.
      store.commit()
      if (!prepareOnly) await executor.send(command)
      return accepted(command, false, faults)
    },
    status: async (ask, key) => {
      await settlement.catchUp().catch(() => {})
      const command = state.commands.find((row) => row.id === ask.params.command_id && row.wallet === key.wallet && !row.prepareOnly)
      if (command === undefined) return notFound('The command')
      const results = command.items.map((item, index) => ({ index, action: item.action, ...resultOf(command, index) }))
      return answer({
        success: true,
        execution: {
          command_id: command.id,
          action: command.action,
          ...outcomeOf(command, results),
          tx_hash: command.txHash,
          executor: command.executor,
          results,
          created_at_ms: command.createdAtMs,
          updated_at_ms: command.updatedAtMs,
        },
      })
    },
  }

  /** Reads the result of one item of a command from the ledger. If a reorganisation has removed the rows of the item, the item is pending again. */
  function resultOf(command: CommandRow, index: number): ItemResult {
    const changes = ledger.rowsOf(itemId(command.id, index)).map(({ change }) => change)
    const none = { reason: null, order_id: null, position_id: null }
    if (changes.length === 0) return { ...none, state: command.state === 'failed' ? 'failed' : 'pending', reason: command.reason }
    const order = changes.flatMap((change) => (change.kind === 'placed' ? [change.order] : []))[0]
    const refused = changes.flatMap((change) =>
      change.kind === 'refused' ? [change.reason] : change.kind === 'ended' && change.orderId === order?.id ? [change.reason] : [],
    )[0]
    const position = order === undefined ? null : ledger.book(command.wallet).positions.find(({ id }) => id === (order.closes ?? order.opens))
    return { state: refused === undefined ? 'executed' : 'failed', reason: refused ?? null, order_id: order?.id ?? null, position_id: position?.id ?? null }
  }
}

interface ItemResult {
  readonly state: 'pending' | 'executed' | 'failed'
  readonly reason: string | null
  readonly order_id: string | null
  readonly position_id: string | null
}

function outcomeOf(command: CommandRow, results: readonly ItemResult[]): { state: string; reason: string | null } {
  const { state, reason } = command
  if (state !== 'included') return { state, reason }
  if (results.some((each) => each.state === 'pending')) return { state: 'submitted', reason: null }
  const failed = results.filter((each) => each.state === 'failed')
  if (failed.length === 0) return { state: 'executed', reason: null }
  return { state: failed.length === results.length ? 'failed' : 'partially_executed', reason: failed[0]?.reason ?? null }
}

/** Returns the response of the first call. For a repeated call, only `idempotent_replay` differs. */
function accepted(command: CommandRow, replay: boolean, faults: Faults): Reply {
  const { prepareOnly } = command
  const body = {
    success: true,
    prepare_only: prepareOnly,
    delegated: {
      command_id: prepareOnly ? null : command.id,
      tx_hash: command.txHash,
      state: prepareOnly ? 'validated' : command.txHash === null ? 'queued' : 'submitted',
      executor: command.executor,
    },
    status_url: prepareOnly ? null : `/api/dex/v1/executions/${command.id}`,
    action: command.action,
    payload: command.payload,
    idempotent_replay: replay,
  }
  return answer(misleadDelegated(body, faults.delegated), 202)
}

interface Accepted extends Readonly<Record<string, unknown>> {
  readonly delegated: Readonly<Record<string, unknown>>
}

/** Alters the response to `/orders/execute` according to the `delegated` fault. */
function misleadDelegated(body: Accepted, fault: Faults['delegated']): Record<string, unknown> {
  switch (fault) {
    case null:
      return body
    case 'foreign_status_url':
      return { ...body, status_url: 'https://svc-dex.example.org/api/dex/v1/executions/elsewhere' }
    case 'no_command_id':
      return { ...body, delegated: { ...body.delegated, command_id: null } }
  }
}
