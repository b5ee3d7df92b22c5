import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import type { Scope } from '../auth/scopes.ts'
import { newId } from '../auth/tokens.ts'
import { type Ask, answer, invalid, type Reply, refuse } from '../http/reply.ts'
import { marketOf } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import { misleadPrepared } from '../misbehaviour/prepared.ts'
import type { IntentRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { canonical, earlierPreparation, idempotencyKeyOf } from './idempotency.ts'
import { openPositionMessage, openPositionTypedData } from './open-position-intent.ts'
import { preflight } from './preflight.ts'
import { validateOpenPosition } from './validate-open-position.ts'

/** Limits, prepared action lifetime: 300 s for signed intents. */
const signedIntentLifetimeMs = 300_000

/** Actions of `/orders/prepare` and their scope. */
const actionScopes: Readonly<Record<string, Scope>> = {
  open_position: 'trade:prepare',
  close_position_market: 'trade:prepare',
  close_position_limit: 'trade:prepare',
  invert_position: 'trade:prepare',
  update_tpsl: 'trade:prepare',
  add_isolated_margin: 'trade:prepare',
  reduce_isolated_margin: 'trade:prepare',
  change_isolated_leverage: 'trade:prepare',
  cancel_order: 'orders:manage',
  replace_order: 'orders:manage',
  add_collateral: 'collateral:manage',
  withdraw_collateral: 'collateral:manage',
}

interface Asked {
  readonly key: KeyRow
  readonly payload: Readonly<Record<string, unknown>>
  readonly idempotencyHeader: string | string[] | undefined
}

export interface Prepare {
  /** `POST /orders/prepare`. Executes nothing. */
  handle(ask: Ask, key: KeyRow): Reply
}

export function createPrepare({ store, marks, clock, faults, router }: { store: Store; marks: Marks; clock: Clock; faults: Faults; router: Address }): Prepare {
  /** The actions that the practice exchange carries out. */
  const actions: Readonly<Record<string, (asked: Asked) => Reply>> = {
    open_position: (asked) => prepareOpenPosition(asked),
  }

  const prepareOpenPosition = ({ key, payload, idempotencyHeader }: Asked): Reply => {
    const idempotency = idempotencyKeyOf(idempotencyHeader, payload)
    if (!idempotency.ok) return idempotency.failure
    const nowMs = clock.now()
    // Idempotency rules 5: the body is validated before the key is looked up.
    const valid = validateOpenPosition(payload, { marks, nowMs })
    if (!valid.ok) return valid.failure
    const sent = canonical(payload)
    const { wallet } = key
    const earlier = earlierPreparation(store.state, {
      wallet,
      action: 'open_position',
      ...idempotency.value,
      sent,
      clientOrderId: payload.client_order_id,
      nowMs,
    })
    if (!earlier.ok) return earlier.failure
    if (earlier.value !== null) return preparedAction(earlier.value, true, faults)

    const market = marketOf(valid.value.pair_id)
    if (market === null) return invalid('payload.pair_id', 'must be the id of a market')
    const outcome = preflight(valid.value, market, wallet, { state: store.state, marks })
    const expiresAtMs = nowMs + signedIntentLifetimeMs
    const nonce = nextNonce(wallet, nowMs)
    const message = openPositionMessage(valid.value, wallet, nonce, Math.floor(expiresAtMs / 1000))
    store.state.sequence += 1
    const intent: IntentRow = {
      id: newId('dx_', 20),
      sequence: store.state.sequence,
      wallet,
      keyId: key.id,
      action: 'open_position',
      idempotencyKey: idempotency.value.key,
      sent,
      payload: valid.value,
      ...outcome,
      typedData: outcome.status === 'signature_ready' ? openPositionTypedData(message, router) : null,
      nonce: nonce.toString(),
      createdAtMs: nowMs,
      expiresAtMs,
      state: 'prepared',
      txHash: null,
    }
    store.state.intents.push(intent)
    store.commit()
    return preparedAction(intent, false, faults)
  }

  /** Never used on the router before: time-based, and above the wallet's last one. */
  const nextNonce = (wallet: Address, nowMs: number): bigint => {
    const last = BigInt(store.state.nonces[wallet] ?? '0')
    const nonce = last >= BigInt(nowMs) ? last + 1n : BigInt(nowMs)
    store.state.nonces[wallet] = nonce.toString()
    return nonce
  }

  return {
    handle: (ask, key) => {
      const { action, payload, permit } = ask.body
      if (typeof action !== 'string' || !Object.hasOwn(actionScopes, action)) return invalid('action', `must be one of ${Object.keys(actionScopes).join(', ')}`)
      const scope = actionScopes[action]
      if (scope !== undefined && !key.scopes.includes(scope))
        return refuse(403, 'SCOPE_REQUIRED', `${action} needs the scope ${scope}`, { required_scope: scope })
      if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return invalid('payload', 'must be an object')
      if (permit !== undefined && (typeof permit !== 'boolean' || action !== 'add_collateral'))
        return invalid('permit', 'is a boolean, for add_collateral only')
      const carryOut = actions[action]
      if (carryOut === undefined) return refuse(400, 'ACTION_NOT_AVAILABLE', `${action} is not available on the practice exchange yet`)
      return carryOut({ key, payload: { ...payload }, idempotencyHeader: ask.headers['idempotency-key'] })
    },
  }
}

function preparedAction(intent: IntentRow, replay: boolean, faults: Faults): Reply {
  const body = {
    success: true,
    intent_id: intent.id,
    payload: intent.payload,
    execution: {
      ready: intent.status === 'signature_ready',
      status: intent.status,
      mode: 'signed_intent',
      ...(intent.typedData !== null && { typed_data: intent.typedData }),
      transactions: [],
      ...(intent.reason !== null && { reason: intent.reason }),
      simulation: intent.simulation,
      costs: intent.costs,
      deadline: Math.floor(intent.expiresAtMs / 1000),
    },
    expires_at_ms: intent.expiresAtMs,
    idempotent_replay: replay,
  }
  return answer(misleadPrepared(body, faults))
}
