import type { Address } from 'viem'
import { negate, signOf, toUnits } from '../../../../shared/decimal.ts'
import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { newId } from '../../base/tokens.ts'
import type { Chain, Holdings } from '../../chain/practice-chain.ts'
import type { Alteration } from '../../dialect/alter.ts'
import type { Payload } from '../actions/payload-fields.ts'
import { type PreparedAction, preparedActions } from '../actions/prepared-actions.ts'
import { tokenDecimals } from '../actions/validate-collateral.ts'
import type { Valid } from '../actions/validation.ts'
import { type Ask, answer, invalid, type Reply, refuse } from '../http/reply.ts'
import type { Marks } from '../market/mark-prices.ts'
import { misleadPrepared } from '../misbehaviour/prepared.ts'
import { type Assess, statusOf } from '../positions/assess.ts'
import type { Ledger } from '../positions/ledger.ts'
import { intentTypedData, permitTypedData, signedIntent } from '../signing/signed-intents.ts'
import type { SpokenForm, SpokenForms } from '../signing/spoken-form.ts'
import { walletTransactions } from '../signing/wallet-transactions.ts'
import type { Instruction } from '../state/instructions.ts'
import type { IntentRow, KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { canonical, earlierPreparation, idempotencyKeyOf } from './idempotency.ts'
import { nextNonce } from './nonces.ts'
import type { Settlement } from './settlement.ts'

export interface Prepare {
  /** The alterations that `faults.alteration` has caused in prepare responses so far, by intent id. */
  readonly altered: ReadonlyMap<string, Alteration>
  /** Handles `POST /orders/prepare`. Executes nothing. */
  handle(ask: Ask, key: KeyRow): Promise<Reply>
}

interface Parts {
  readonly chain: Chain
  readonly store: Store
  readonly ledger: Ledger
  readonly assess: Assess
  readonly settlement: Settlement
  readonly marks: Marks
  readonly clock: Clock
  readonly faults: Faults
  readonly forms: SpokenForms
}

interface OnChain extends Holdings {
  readonly permitNonce: bigint
}

const nothingOnChain: OnChain = { wallet: 0n, router: 0n, allowance: 0n, permitNonce: 0n }

export function createPrepare({ chain, store, ledger, assess, settlement, marks, clock, faults, forms }: Parts): Prepare {
  const { state } = store
  const altered = new Map<string, Alteration>()

  const onChain = async (instruction: Instruction, wallet: Address): Promise<OnChain> => {
    if (instruction.kind !== 'collateral') return nothingOnChain
    const token = instruction.token === 'USDC' ? chain.usdc : chain.svc
    const [holdings, permitNonce] = await Promise.all([chain.holdings(token, wallet), chain.permitNonce(wallet)])
    return { ...holdings, permitNonce }
  }

  /**
   * Returns the reason why the chain would refuse a deposit or withdrawal: the wallet or the router has too few tokens. Returns `null` if both have
   * enough tokens.
   */
  const shortOnChain = (instruction: Instruction, holdings: OnChain): string | null => {
    if (instruction.kind !== 'collateral') return null
    const { token, amount } = instruction
    const isDeposit = signOf(amount) > 0
    const wanted = toUnits(isDeposit ? amount : negate(amount), tokenDecimals[token]) ?? 0n
    if (isDeposit) return wanted > holdings.wallet ? 'deposit_balance_insufficient' : null
    return wanted > holdings.router ? 'withdraw_balance_insufficient' : null
  }

  /** Returns what the wallet must sign or send for an action: the typed data of the intent or permit, or the transactions. */
  const executable = (row: Pick<IntentRow, 'wallet' | 'mode' | 'instruction' | 'expiresAtMs' | 'nonce'>, holdings: OnChain) => {
    const { wallet, instruction, mode } = row
    const deadline = Math.floor(row.expiresAtMs / 1000)
    const book = ledger.book(wallet)
    const none = { typedData: null, transactions: [] }
    if (mode === 'signed_intent') {
      const intent = signedIntent(instruction, { trader: wallet, nonce: BigInt(row.nonce ?? '0'), deadline, book })
      return intent === null ? none : { ...none, typedData: intentTypedData(intent, chain.router) }
    }
    if (mode === 'permit_deposit' && instruction.kind === 'collateral') {
      const value = toUnits(instruction.amount, tokenDecimals.USDC) ?? 0n
      const permit = { owner: wallet, spender: chain.router, value, nonce: holdings.permitNonce, deadline: BigInt(deadline) }
      return { ...none, typedData: permitTypedData(chain.usdc, permit) }
    }
    return { ...none, transactions: walletTransactions(instruction, { contracts: chain, wallet, book, allowance: holdings.allowance, deadline }) }
  }

  const prepare = async (action: string, rules: PreparedAction, payload: Payload, ask: Ask, key: KeyRow): Promise<Reply> => {
    const { wallet } = key
    const { permit } = ask.body
    const idempotency = idempotencyKeyOf(ask.headers['idempotency-key'], payload)
    if (!idempotency.ok) return idempotency.failure
    // Update the exchange first, so that the payload is validated against the current state of the chain.
    await settlement.catchUp().catch(() => {})
    // Validate the body before looking for an earlier request with the same key (Idempotency rules 5).
    const valid = rules.validate(payload, { book: ledger.book(wallet), marks, nowMs: clock.now() })
    if (!valid.ok) return valid.failure
    const { instruction } = valid.value
    if (permit === true && (instruction.kind !== 'collateral' || instruction.token !== 'USDC')) return invalid('permit', 'is for USDC only')
    const holdings = await onChain(instruction, wallet).catch(() => null)
    const { dialect } = faults
    const isTaught =
      dialect === null ||
      (await forms.teach(dialect).then(
        () => true,
        () => false,
      ))
    if (holdings === null || !isTaught) return refuse(503, 'NETWORK_UNAVAILABLE', 'The network does not answer', {}, { 'Retry-After': '2' })
    // Do not use `await` from here on. Otherwise, of two simultaneous requests with the same key, the second might not find the first.
    const sent = canonical(permit === undefined ? payload : { payload, permit })
    const nowMs = clock.now()
    const asked = { wallet, action, ...idempotency.value, sent, clientOrderId: payload.client_order_id, nowMs }
    const earlier = earlierPreparation(state, asked)
    if (!earlier.ok) return earlier.failure
    if (earlier.value !== null) return preparedAction(earlier.value, true)
    const intent = newIntent(valid.value, { action, rules, key, permit: permit === true, dialect, idempotencyKey: asked.key, sent, nowMs }, holdings)
    state.intents.push(intent)
    store.commit()
    return preparedAction(intent, false)
  }

  interface Asking {
    readonly action: string
    readonly rules: PreparedAction
    readonly key: KeyRow
    readonly permit: boolean
    readonly dialect: number | null
    readonly idempotencyKey: string
    readonly sent: string
    readonly nowMs: number
  }

  const newIntent = ({ payload, instruction, clientOrderId }: Valid, asking: Asking, holdings: OnChain): IntentRow => {
    const { action, rules, key, permit, dialect, idempotencyKey, sent, nowMs } = asking
    const { wallet } = key
    const mode: IntentRow['mode'] = permit ? 'permit_deposit' : rules.mode
    const { reason: foreseen, simulation, costs } = assess(wallet, instruction, { relayed: mode !== null, nowMs })
    const reason = foreseen ?? shortOnChain(instruction, holdings)
    const status = statusOf(reason, mode === null ? 'ready' : 'signature_ready')
    state.sequence += 1
    const row = {
      ...{ id: newId('dx_', 20), sequence: state.sequence, wallet, keyId: key.id, action, idempotencyKey, sent, payload, clientOrderId, instruction },
      ...{ status, mode, reason, simulation, costs, createdAtMs: nowMs, expiresAtMs: nowMs + rules.lifetimeMs },
      ...{ nonce: mode === 'signed_intent' ? nextNonce(state, wallet, nowMs).toString() : null, state: 'prepared' as const, txHash: null },
      ...(dialect !== null && { dialect }),
    }
    return { ...row, ...(reason === null ? executable(row, holdings) : { typedData: null, transactions: [] }) }
  }

  const preparedAction = (intent: IntentRow, replay: boolean): Reply => {
    const { alteration } = faults
    const told = alteration === null ? null : forms.altered(intent, alteration)
    if (alteration !== null && told !== null) altered.set(intent.id, alteration)
    const body = preparedBody(intent, told ?? forms.of(intent), replay)
    return answer(misleadPrepared(body, faults, clock.now()))
  }

  return {
    altered,
    handle: async (ask, key) => {
      const { action, payload, permit } = ask.body
      const rules = typeof action === 'string' && Object.hasOwn(preparedActions, action) ? preparedActions[action] : undefined
      if (typeof action !== 'string' || rules === undefined) return invalid('action', `must be one of ${Object.keys(preparedActions).join(', ')}`)
      const { scope } = rules
      if (!key.scopes.includes(scope)) return refuse(403, 'SCOPE_REQUIRED', `${action} needs the scope ${scope}`, { required_scope: scope })
      if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return invalid('payload', 'must be an object')
      if (permit !== undefined && (typeof permit !== 'boolean' || action !== 'add_collateral'))
        return invalid('permit', 'is a boolean, for add_collateral only')
      return prepare(action, rules, { ...payload }, ask, key)
    },
  }
}

function preparedBody(intent: IntentRow, { typedData, transactions }: SpokenForm, replay: boolean) {
  return {
    success: true,
    intent_id: intent.id,
    payload: intent.payload,
    execution: {
      ready: intent.reason === null,
      status: intent.status,
      ...(intent.mode !== null && { mode: intent.mode }),
      ...(typedData !== null && { typed_data: typedData }),
      transactions,
      ...(intent.reason !== null && { reason: intent.reason }),
      simulation: intent.simulation,
      costs: intent.costs,
      deadline: Math.floor(intent.expiresAtMs / 1000),
    },
    expires_at_ms: intent.expiresAtMs,
    idempotent_replay: replay,
  }
}
