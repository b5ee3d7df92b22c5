import type { Hex } from 'viem'
import { assumed } from '../../shared/api/assumptions.ts'
import { PreparedAction } from '../../shared/api/schemas/prepared-action.ts'
import type { PreparedOrder, Way } from '../../shared/ipc/orders.ts'
import { type Compared, recognise } from '../../shared/signing/comparison.ts'
import type { RouterDecision } from '../../shared/signing/pins.ts'
import { decidePrepared, earliestDeadline } from '../../shared/signing/prepared-action.ts'
import { parseTypedData, type TypedData } from '../../shared/signing/typed-data.ts'
import type { Clock } from '../../shared/time.ts'
import type { IntentRow, Values } from '../journal/journal.ts'
import type { Markets } from '../markets/markets.ts'
import { blockOf, expectedRouter, holdAgainst } from '../pins/agreement.ts'
import type { Pins } from '../pins/pins.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import { compareSigned, payloadDifferences, ticketOf } from './compare-signed.ts'
import { readCosts, readSimulation } from './costs.ts'

/** What a preparation comes to: whether anything may be signed, and whether it says what the ticket said. */
export interface Assessment extends Pick<PreparedOrder, 'status' | 'mode' | 'reason' | 'costs' | 'simulation' | 'deadlineMs'> {
  readonly way: Way | null
  /** `execution.ready`, `status` and `mode` agree that an intent is to be signed (Flow rules 1). */
  readonly ready: boolean
  /** It was over when it came (ORD-07). */
  readonly expired: boolean
  readonly compared: Compared | null
  readonly router: RouterDecision | null
  /** Exactly what the wallet is handed, serialised anew from what was compared. */
  readonly typedData: string | null
  readonly digest: Hex | null
  /** The nonce of the message as text, to be remembered once it was signed. */
  readonly nonce: string | null
  /** Why it must not be signed, in a sentence; null where nothing speaks against it. */
  readonly blocked: string | null
}

export interface AssessDeps {
  readonly profile: ProfileFacts
  readonly pins: Pins
  readonly values: Values
  readonly markets: Pick<Markets, 'known'>
  readonly clock: Clock
}

export interface Assess {
  (row: IntentRow, prepared: PreparedAction): Promise<Assessment>
  /** The preparation as it was journalled; null where the intent has none. */
  again(row: IntentRow): Promise<Assessment | null>
  /** A nonce is signed once. */
  rememberNonce(row: IntentRow, nonce: string): void
}

export function createAssess({ profile, pins, values, markets, clock }: AssessDeps): Assess {
  const nonceName = (wallet: string, nonce: string) => `nonce/${profile.id}/${wallet}/${nonce}`

  const compare = async (row: IntentRow, prepared: PreparedAction, typedData: TypedData): Promise<Pick<Assessment, 'compared' | 'router' | 'blocked'>> => {
    const router = await pins.decide(typedData.domain.verifyingContract ?? null)
    const ticket = ticketOf(row)
    const market = row.pairId === null ? null : markets.known(row.pairId)
    const sizeDecimals = market?.sizeDecimals ?? null
    const envelope = {
      wallet: row.wallet,
      router: expectedRouter(router, pins.router()),
      pins: pins.layouts(row.action),
      nowMs: clock.now(),
      nonceUsed: (nonce: string) => (values.get(nonceName(row.wallet, nonce)) ?? row.ref) !== row.ref,
      payload: payloadDifferences(row, ticket, prepared, sizeDecimals),
      priceDecimals: market?.priceDecimals ?? null,
    }
    const compared = compareSigned(typedData, row, ticket, { ...envelope, sizeDecimals, base: market?.base ?? null })
    if (compared === null) return { compared, router, blocked: 'The service wants a signature for what it was never asked to have signed.' }
    const held = holdAgainst(compared, router)
    return { compared: held, router, blocked: blockOf(held) }
  }

  const assess = async (row: IntentRow, prepared: PreparedAction): Promise<Assessment> => {
    const { execution } = prepared
    const base: Assessment = {
      way: null,
      ready: false,
      expired: false,
      status: execution.status ?? 'unknown',
      mode: execution.mode,
      reason: null,
      costs: [...readCosts(execution.costs)],
      simulation: [...readSimulation(execution.simulation)],
      deadlineMs: earliestDeadline(prepared),
      compared: null,
      router: null,
      typedData: null,
      digest: null,
      nonce: null,
      blocked: null,
    }
    const decision = decidePrepared(prepared, clock.now())
    switch (decision.kind) {
      case 'not_executable':
        return { ...base, reason: decision.reason }
      case 'contradictory':
        return { ...base, reason: { text: decision.sentence, raw: base.status }, blocked: decision.sentence }
      case 'expired':
        return { ...base, expired: true, reason: { text: 'This order was prepared before and its time is over. Prepare it anew.', raw: 'expired' } }
      case 'send':
        return {
          ...base,
          reason: { text: 'The service wants transactions for this order. An order is signed, never sent by the wallet.', raw: base.status },
          blocked: 'The service wants transactions for this order.',
        }
      case 'sign': {
        if (decision.mode !== 'signed_intent') {
          const sentence = `The service wants a signature in the mode ${decision.mode}, which is not for orders.`
          return { ...base, reason: { text: sentence, raw: decision.mode }, blocked: sentence }
        }
        const typedData = parseTypedData(decision.typedData)
        if (!typedData.ok) return { ...base, reason: { text: typedData.failure.sentence, raw: base.status }, blocked: typedData.failure.sentence }
        const nonce = recognise(typedData.value.leaves, { nonce: assumed.orderTypedData.fields.nonce }).found.get('nonce')?.[0]?.value
        return {
          ...base,
          ready: true,
          way: decision.mode,
          typedData: typedData.value.json,
          digest: typedData.value.digest,
          nonce: nonce === undefined ? null : String(nonce),
          ...(await compare(row, prepared, typedData.value)),
        }
      }
    }
  }

  return Object.assign(assess, {
    again: async (row: IntentRow) => (row.prepared === null ? null : assess(row, PreparedAction.parse(JSON.parse(row.prepared)))),
    rememberNonce: (row: IntentRow, nonce: string) => values.set(nonceName(row.wallet, nonce), row.ref),
  })
}
