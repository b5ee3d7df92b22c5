import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { PositionRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { DelegatedStatus, ExecutionReport, IntentRecord, RelayAnswer } from '../../../shared/api/schemas/intents.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import type { TradeRecord } from '../../../shared/api/schemas/position-history.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { fail, ok, type Result, valueOrNull } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import type { DelegatedBody } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { minute } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { findOrder } from '../../reads/account/open-orders.ts'
import { isWholeSince, readPages } from '../../reads/history/paged-rows.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { Urgency } from '../../service/transport/limiter.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { clientOrderIdsOf } from './intent-facts.ts'

/** What the service’s lists say about an intent: its state in lower case, and its transaction hash. null for each that the lists do not contain. */
export interface IntentObservation {
  readonly state: string | null
  readonly txHash: string | null
  /** Whether all lists were complete and all records readable. If false, a list may contain the intent although the app did not find it. */
  readonly whole: boolean
}

export type IntentCalls = ReturnType<typeof createIntentCalls>

type Answer<T> = Promise<Result<T, ApiFailure>>
/** The credential of a read: a key of the intent’s wallet, or null for the public routes. */
type Reader = KeyCredential | null

/** Maximum number of pages to read, newest first. Five pages of 200 entries go back further than nearly every open intent. */
const maxPages = 5
const txHashForm = /^0x[0-9a-fA-F]{64}$/
const noObservation: IntentObservation = { state: null, txHash: null, whole: true }
const seen = ({ state, txHash }: IntentRecord): IntentObservation => ({ state: state?.toLowerCase() ?? null, txHash, whole: true })
/** The start of the search for an intent: a minute before its creation, because the service’s clock may differ from this computer’s. */
const sinceOf = ({ createdAtMs }: IntentRow): number => createdAtMs - minute
const paging = (cursor: number | null) => ({ limit: limits.page.max, ...(cursor === null ? {} : { cursor }) })
const nothing = { params: {}, query: {}, body: undefined } as const

const readValue = async <T>(answer: Answer<ApiAnswer<T>>): Answer<T> => {
  const read = await answer
  return read.ok ? ok(read.value.value) : read
}
/** Whether the service answered that it does not know what the app asked for. */
export const isUnknown = ({ failure }: ApiFailure): boolean => failure.kind === 'refused' && failure.status === 404

export function createIntentCalls({ api, credentials }: { readonly api: ApiClient; readonly credentials: Pick<Credentials, 'forScope'> }) {
  /** Returns a usable key of the intent’s wallet, even if another wallet is connected now. */
  const readerOrNone = async (row: IntentRow): Promise<Reader> => valueOrNull(await credentials.forScope(row.wallet, 'account:read'))
  const withReader = async <T>(row: IntentRow, call: (credential: KeyCredential) => Answer<T>): Answer<T> => {
    const credential = await credentials.forScope(row.wallet, 'account:read')
    return credential.ok ? call(credential.value) : fail({ failure: credential.failure, sent: 'no' })
  }

  /** The service’s record for the intent’s client order id; null if the service does not know the id. */
  const byClientId = async ({ ref, clientOrderId }: IntentRow, credential: KeyCredential): Answer<IntentRecord | null> => {
    if (clientOrderId === null) return ok(null)
    const request = { ...nothing, query: { client_order_id: clientOrderId }, credential, intentRef: ref }
    const answer = await readValue(api.call(endpoints.getOrderByClientId, request))
    if (answer.ok) return ok(answer.value.intent)
    return isUnknown(answer.failure) ? ok(null) : answer
  }

  const amongTransactions = async (row: IntentRow, credential: Reader): Answer<IntentObservation> => {
    const isIt = ({ intentId }: IntentRecord) => sameId(intentId, row.intentId)
    const page = (cursor: number | null): Answer<Page<IntentRecord>> => {
      const request = { ...nothing, intentRef: row.ref }
      return readValue(
        // If the app has no key for this wallet, the public route gives the answer (Unversioned public routes).
        credential === null
          ? api.call(endpoints.getPublicTransactions, { ...request, query: { wallet: row.wallet, ...paging(cursor) }, credential })
          : api.call(endpoints.getTransactions, { ...request, query: paging(cursor), credential }),
      )
    }
    const read = await readPages(page, { most: maxPages, enough: (items) => items.some(isIt) })
    if (!read.ok) return read
    const found = read.value.items.find(isIt)
    return ok(found === undefined ? { ...noObservation, whole: isWholeSince(read.value, sinceOf(row), ({ createdAtMs }) => createdAtMs) } : seen(found))
  }

  return {
    /** Calls the prepare route with exactly the journalled `body` and with the idempotency key in the header (Idempotency rules 1 and 5). */
    prepare: ({ ref, body, idempotencyKey }: IntentRow, credential: KeyCredential, urgency: Urgency): Answer<ApiAnswer<PreparedAction>> =>
      api.call(endpoints.prepareOrder, {
        ...{ params: {}, query: {}, body: JSON.parse(body), rawBody: body, headers: { 'Idempotency-Key': idempotencyKey } },
        ...{ credential, intentRef: ref, urgency },
      }),
    relay: ({ ref, wallet }: IntentRow, intentId: string, signature: Secret, urgency: Urgency): Answer<RelayAnswer> => {
      const body = { wallet, intent_id: intentId, signature: signature.reveal() }
      return readValue(api.call(endpoints.relayIntent, { ...nothing, body, credential: null, intentRef: ref, urgency }))
    },
    /** Reports the hash of a transaction that the wallet broadcast (Flow rules 5). Needs no credential (AUTH-10). */
    receipt: ({ ref, wallet }: IntentRow, intentId: string, txHash: string, state: string): Answer<unknown> =>
      api.call(endpoints.reportReceipt, { ...nothing, body: { wallet, intent_id: intentId, tx_hash: txHash, state }, credential: null, intentRef: ref }),
    /** Whether the service accepts deposits by permit (Flow rules 4); null if the service cannot be reached. */
    permitOffered: async (): Promise<boolean | null> => {
      const answer = await api.call(endpoints.getConfig, { ...nothing, credential: null })
      return answer.ok ? answer.value.value.permit : null
    },
    /** Looks for the intent by its client order id, then in the wallet’s transactions. Fails if the service cannot be reached. */
    observation: async (row: IntentRow): Answer<IntentObservation> => {
      const credential = await readerOrNone(row)
      if (credential === null) return amongTransactions(row, null)
      const found = await byClientId(row, credential)
      const named = found.ok ? ok(found.value !== null && sameId(found.value.intentId, row.intentId) ? seen(found.value) : noObservation) : found
      if (named.ok && named.value.txHash !== null) return named
      const listed = await amongTransactions(row, credential)
      if (!listed.ok) return named.ok && named.value.state !== null ? named : listed
      return listed.value.state === null && named.ok ? ok({ ...named.value, whole: listed.value.whole }) : listed
    },
    /** The service’s intent id for the client order id; null if there is none or the service did not answer. */
    earlier: async (row: IntentRow): Promise<string | null> => {
      const credential = await readerOrNone(row)
      return credential === null ? null : (valueOrNull(await byClientId(row, credential))?.intentId ?? null)
    },
    /**
     * Looks for the intent in the wallet’s trades and orders. Uses a key of that wallet, or else the public routes. Compares ids by value. Fails if
     * the lists cannot be read.
     */
    trace: async (row: IntentRow): Answer<AccountTrace> => {
      const ids = row.way === 'executor' ? clientOrderIdsOf(row) : row.clientOrderId === null ? [] : [row.clientOrderId]
      if (ids.length === 0) return ok({ by: null, txHash: null, whole: true })
      const sinceMs = sinceOf(row)
      const credential = await readerOrNone(row)
      const isOurs = ({ clientOrderId }: { readonly clientOrderId: string | null }) => ids.some((id) => sameId(id, clientOrderId))
      const order = await findOrder(api, row.wallet, credential, isOurs, sinceMs)
      const orderId = order.ok ? (order.value.order?.id ?? null) : null
      // Some trades contain only the service’s order id and no client order id, so compare both ids.
      const isIt = (trade: TradeRecord) => isOurs(trade) || (orderId !== null && sameId(orderId, trade.orderId))
      const page = (cursor: number | null): Answer<Page<TradeRecord>> =>
        readValue(
          credential === null
            ? api.call(endpoints.getPublicTrades, { ...nothing, query: { ...paging(cursor), wallet: row.wallet }, credential })
            : api.call(endpoints.getTrades, { ...nothing, query: paging(cursor), credential }),
        )
      const trades = await readPages(page, { most: maxPages, enough: (items) => items.some(isIt) })
      const trade = trades.ok ? trades.value.items.find(isIt) : undefined
      if (trade !== undefined) return ok({ by: 'trade', txHash: trade.txHash !== null && txHashForm.test(trade.txHash) ? trade.txHash : null, whole: true })
      if (orderId !== null) return ok({ by: 'order', txHash: null, whole: true })
      // If the order list is unreadable, the order may still exist, so do not report it as missing.
      if (!order.ok) return order
      return trades.ok ? ok({ by: null, txHash: null, whole: order.value.whole && isWholeSince(trades.value, sinceMs, ({ atMs }) => atMs) }) : trades
    },
    /** The wallet's current positions; null if the service’s list is incomplete. */
    positions: async (row: IntentRow): Answer<readonly PositionRecord[] | null> => {
      const credential = await readerOrNone(row)
      const request = { ...nothing, intentRef: row.ref }
      const answer = await readValue(
        credential === null
          ? api.call(endpoints.getPublicPositions, { ...request, query: { wallet: row.wallet }, credential })
          : api.call(endpoints.getPositions, { ...request, credential }),
      )
      if (!answer.ok) return answer
      const { positions, missing } = answer.value
      return ok(missing.unreadable > 0 || missing.more ? null : positions)
    },
    /** Calls the execute route with exactly the journalled `body`, whose payload contains the idempotency key (Idempotency rules 6). */
    execute: ({ ref, body }: IntentRow, credential: KeyCredential, urgency: Urgency) =>
      api.call(endpoints.executeOrder, { params: {}, query: {}, body: JSON.parse(body), rawBody: body, credential, intentRef: ref, urgency }),
    /** Asks the service to validate the order without submitting it. */
    dryRun: (body: DelegatedBody, credential: KeyCredential) =>
      api.call(endpoints.executeOrder, { params: {}, query: {}, body: { ...body, payload: { ...body.payload } }, credential }),
    commandStatus: (row: IntentRow, commandId: string): Answer<ApiAnswer<DelegatedStatus>> =>
      withReader(row, (credential) =>
        // Build the URL from the command id. Ignore the service’s own `status_url`, because it may lead to another host.
        api.call(endpoints.getDelegatedExecution, { ...nothing, params: { command_id: commandId }, credential, intentRef: row.ref }),
      ),
    /** Whether the wallet’s list of orders contains one of these client order ids. */
    listsOrder: (row: IntentRow, clientOrderIds: readonly string[]): Answer<boolean> =>
      withReader(row, async (credential) => {
        const found = await findOrder(api, row.wallet, credential, ({ clientOrderId }) => clientOrderId !== null && clientOrderIds.includes(clientOrderId))
        return found.ok ? ok(found.value.order !== null) : found
      }),
    finality: (row: IntentRow, txHash: string): Answer<ExecutionReport> =>
      withReader(row, (credential) => {
        const request = { ...nothing, params: { tx_hash: txHash }, query: { account: row.wallet }, credential, intentRef: row.ref }
        return readValue(api.call(endpoints.getNativeExecution, request))
      }),
  }
}

/**
 * What the wallet’s trades and orders show about an order that the app looks for by its client order ids. `txHash`: the transaction hash of the
 * order’s trade; null if the service sends none.
 */
type AccountTrace = Pick<IntentObservation, 'txHash' | 'whole'> & { readonly by: 'trade' | 'order' | null }
