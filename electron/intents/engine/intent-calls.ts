import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { AnswerOf } from '../../../shared/api/reader/answer.ts'
import type { PositionRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { DelegatedExecution, DelegatedStatus, ExecutionReport, IntentRecord, RelayAnswer } from '../../../shared/api/schemas/intents.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import type { TradeRecord } from '../../../shared/api/schemas/position-history.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import type { DelegatedBody } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { minute } from '../../../shared/time.ts'
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

type Accepted = ApiAnswer<AnswerOf<typeof DelegatedExecution>>

export interface IntentCalls {
  /** Calls the prepare route with exactly the journalled `body` and with the idempotency key in the header (Idempotency rules 1 and 5). */
  prepare(row: IntentRow, credential: KeyCredential, urgency: Urgency): Promise<Result<ApiAnswer<PreparedAction>, ApiFailure>>
  relay(
    request: { readonly wallet: string; readonly intentId: string; readonly signature: { reveal(): string } },
    ref: string,
    urgency: Urgency,
  ): Promise<Result<RelayAnswer, ApiFailure>>
  /** Looks for the intent by its client order id, then in the wallet’s transactions. Fails if the service cannot be reached. */
  observation(row: IntentRow): Promise<Result<IntentObservation, ApiFailure>>
  /** The service’s intent id for the client order id; null if there is none or the service did not answer. */
  earlier(row: IntentRow): Promise<string | null>
  /** Looks for the intent in the wallet’s trades and orders. Fails if these cannot be read. */
  trace(row: IntentRow): Promise<Result<AccountTrace, ApiFailure>>
  /** The wallet's current positions; null if the service’s list is incomplete. */
  positions(row: IntentRow): Promise<Result<readonly PositionRecord[] | null, ApiFailure>>
  finality(row: IntentRow, txHash: string): Promise<Result<ExecutionReport, ApiFailure>>
  /** Reports the hash of a transaction that the wallet broadcast (Flow rules 5). Needs no credential (AUTH-10). */
  receipt(
    report: { readonly wallet: string; readonly intentId: string; readonly txHash: string; readonly state: string },
    ref: string,
  ): Promise<Result<unknown, ApiFailure>>
  /** Calls the execute route with exactly the journalled `body`, whose payload contains the idempotency key (Idempotency rules 6). */
  execute(row: IntentRow, credential: KeyCredential, urgency: Urgency): Promise<Result<Accepted, ApiFailure>>
  /** Asks the service to validate the order without submitting it. */
  dryRun(body: DelegatedBody, credential: KeyCredential): Promise<Result<Accepted, ApiFailure>>
  commandStatus(row: IntentRow, commandId: string): Promise<Result<ApiAnswer<DelegatedStatus>, ApiFailure>>
  /** Whether the wallet’s list of orders contains one of these client order ids. */
  listsOrder(row: IntentRow, clientOrderIds: readonly string[]): Promise<Result<boolean, ApiFailure>>
  /** Whether the service accepts deposits by permit (Flow rules 4); null if the service cannot be reached. */
  permitOffered(): Promise<boolean | null>
}

/** Maximum number of pages to read, newest first. Five pages of 200 entries go back further than nearly every open intent. */
const maxPages = 5
const noObservation: IntentObservation = { state: null, txHash: null, whole: true }
const seen = ({ state, txHash }: IntentRecord): IntentObservation => ({ state: state?.toLowerCase() ?? null, txHash, whole: true })
/** The start of the search for an intent: a minute before its creation, because the service’s clock may differ from this computer’s. */
const sinceOf = ({ createdAtMs }: IntentRow): number => createdAtMs - minute

export function createIntentCalls({ api, credentials }: { readonly api: ApiClient; readonly credentials: Pick<Credentials, 'forScope'> }): IntentCalls {
  const nothing = { params: {}, query: {}, body: undefined } as const

  /** Returns a usable key of the intent’s wallet, even if another wallet is connected now. */
  const reader = async (row: IntentRow): Promise<Result<KeyCredential, ApiFailure>> => {
    const credential = await credentials.forScope(row.wallet, 'account:read')
    return credential.ok ? credential : fail({ failure: credential.failure, sent: 'no' })
  }

  /** The service’s record for the intent’s client order id; null if the service does not know the id. */
  const byClientId = async (row: IntentRow, credential: KeyCredential): Promise<Result<IntentRecord | null, ApiFailure>> => {
    if (row.clientOrderId === null) return ok(null)
    const answer = await api.call(endpoints.getOrderByClientId, { ...nothing, query: { client_order_id: row.clientOrderId }, credential, intentRef: row.ref })
    if (answer.ok) return ok(answer.value.value.intent)
    const { failure } = answer.failure
    return failure.kind === 'refused' && failure.status === 404 ? ok(null) : answer
  }

  const amongTransactions = async (row: IntentRow, page: (cursor: number | null) => Promise<Result<ApiAnswer<Page<IntentRecord>>, ApiFailure>>) => {
    const isIt = ({ intentId }: IntentRecord) => sameId(intentId, row.intentId)
    const read = await readPages(
      async (cursor) => {
        const answer = await page(cursor)
        return answer.ok ? ok(answer.value.value) : answer
      },
      { most: maxPages, enough: (items) => items.some(isIt) },
    )
    if (!read.ok) return read
    const found = read.value.items.find(isIt)
    return ok(found === undefined ? { ...noObservation, whole: isWholeSince(read.value, sinceOf(row), ({ createdAtMs }) => createdAtMs) } : seen(found))
  }

  return {
    prepare: (row, credential, urgency) =>
      api.call(endpoints.prepareOrder, {
        params: {},
        query: {},
        body: JSON.parse(row.body),
        rawBody: row.body,
        headers: { 'Idempotency-Key': row.idempotencyKey },
        credential,
        intentRef: row.ref,
        urgency,
      }),
    relay: async ({ wallet, intentId, signature }, ref, urgency) => {
      const answer = await api.call(endpoints.relayIntent, {
        ...nothing,
        body: { wallet, intent_id: intentId, signature: signature.reveal() },
        credential: null,
        intentRef: ref,
        urgency,
      })
      return answer.ok ? ok(answer.value.value) : answer
    },
    receipt: ({ wallet, intentId, txHash, state }, ref) =>
      api.call(endpoints.reportReceipt, { ...nothing, body: { wallet, intent_id: intentId, tx_hash: txHash, state }, credential: null, intentRef: ref }),
    permitOffered: async () => {
      const answer = await api.call(endpoints.getConfig, { ...nothing, credential: null })
      return answer.ok ? answer.value.value.permit : null
    },
    observation: async (row) => {
      const credential = await reader(row)
      const paging = (cursor: number | null) => ({ limit: limits.page.max, ...(cursor === null ? {} : { cursor }) })
      // If the app has no key for this wallet, the public route gives the answer (Unversioned public routes).
      if (!credential.ok)
        return amongTransactions(row, (cursor) =>
          api.call(endpoints.getPublicTransactions, { ...nothing, query: { wallet: row.wallet, ...paging(cursor) }, credential: null, intentRef: row.ref }),
        )
      const found = await byClientId(row, credential.value)
      const named = found.ok ? ok(found.value !== null && sameId(found.value.intentId, row.intentId) ? seen(found.value) : noObservation) : found
      if (named.ok && named.value.txHash !== null) return named
      const listed = await amongTransactions(row, (cursor) =>
        api.call(endpoints.getTransactions, { ...nothing, query: paging(cursor), credential: credential.value, intentRef: row.ref }),
      )
      if (!listed.ok) return named.ok && named.value.state !== null ? named : listed
      return listed.value.state === null && named.ok ? ok({ ...named.value, whole: listed.value.whole }) : listed
    },
    earlier: async (row) => {
      const credential = await reader(row)
      const found = credential.ok ? await byClientId(row, credential.value) : null
      return found?.ok === true ? (found.value?.intentId ?? null) : null
    },
    trace: async (row) => {
      const credential = await reader(row)
      const ids = row.way === 'executor' ? clientOrderIdsOf(row) : row.clientOrderId === null ? [] : [row.clientOrderId]
      return traceOrder(api, row.wallet, credential.ok ? credential.value : null, { clientOrderIds: ids, sinceMs: sinceOf(row) })
    },
    positions: async (row) => {
      const credential = await reader(row)
      const answer = credential.ok
        ? await api.call(endpoints.getPositions, { ...nothing, credential: credential.value, intentRef: row.ref })
        : await api.call(endpoints.getPublicPositions, { ...nothing, query: { wallet: row.wallet }, credential: null, intentRef: row.ref })
      if (!answer.ok) return answer
      const { positions, missing } = answer.value.value
      return ok(missing.unreadable > 0 || missing.more ? null : positions)
    },
    execute: (row, credential, urgency) =>
      api.call(endpoints.executeOrder, { params: {}, query: {}, body: JSON.parse(row.body), rawBody: row.body, credential, intentRef: row.ref, urgency }),
    dryRun: (body, credential) => api.call(endpoints.executeOrder, { params: {}, query: {}, body: { ...body, payload: { ...body.payload } }, credential }),
    commandStatus: async (row, commandId) => {
      const credential = await reader(row)
      if (!credential.ok) return credential
      // Build the URL from the command id. Ignore the service’s own `status_url`, because it may lead to another host.
      return api.call(endpoints.getDelegatedExecution, { ...nothing, params: { command_id: commandId }, credential: credential.value, intentRef: row.ref })
    },
    listsOrder: async (row, clientOrderIds) => {
      const credential = await reader(row)
      if (!credential.ok) return credential
      const found = await findOrder(api, row.wallet, credential.value, ({ clientOrderId }) => clientOrderId !== null && clientOrderIds.includes(clientOrderId))
      return found.ok ? ok(found.value.order !== null) : found
    },
    finality: async (row, txHash) => {
      const credential = await reader(row)
      if (!credential.ok) return credential
      const answer = await api.call(endpoints.getNativeExecution, {
        ...nothing,
        params: { tx_hash: txHash },
        query: { account: row.wallet },
        credential: credential.value,
        intentRef: row.ref,
      })
      return answer.ok ? ok(answer.value.value) : answer
    },
  }
}

/** What the wallet’s trades and orders show about an order that the app looks for by its client order ids. */
interface AccountTrace {
  readonly by: 'trade' | 'order' | null
  /** Transaction hash of the order’s trade; null if the service sends none. */
  readonly txHash: string | null
  /** Whether all lists were complete and all records readable. If false, a list may contain the order although the app did not find it. */
  readonly whole: boolean
}

/** Maximum number of pages of trades to read. Five pages of 200 go back further than any open intent. */
const mostTradePages = 5
const txHashForm = /^0x[0-9a-fA-F]{64}$/

/**
 * Searches the wallet’s trades and orders since `sinceMs` (Unix ms) for an order. Uses a key of that wallet, or else the public routes. Compares ids
 * by value.
 */
async function traceOrder(
  api: ApiClient,
  wallet: string,
  credential: KeyCredential | null,
  { clientOrderIds, sinceMs }: { readonly clientOrderIds: readonly string[]; readonly sinceMs: number },
): Promise<Result<AccountTrace, ApiFailure>> {
  if (clientOrderIds.length === 0) return ok({ by: null, txHash: null, whole: true })
  const order = await findOrder(api, wallet, credential, ({ clientOrderId }) => clientOrderIds.some((id) => sameId(id, clientOrderId)), sinceMs)
  const orderId = order.ok ? (order.value.order?.id ?? null) : null
  // Some trades contain only the service’s order id and no client order id, so compare both ids.
  const isIt = (trade: TradeRecord) => clientOrderIds.some((id) => sameId(id, trade.clientOrderId)) || (orderId !== null && sameId(orderId, trade.orderId))
  const trades = await readPages<TradeRecord, ApiFailure>(
    async (cursor) => {
      const page = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
      const nothing = { params: {}, body: undefined } as const
      const answer =
        credential === null
          ? await api.call(endpoints.getPublicTrades, { ...nothing, query: { ...page, wallet }, credential })
          : await api.call(endpoints.getTrades, { ...nothing, query: page, credential })
      return answer.ok ? ok(answer.value.value) : answer
    },
    { most: mostTradePages, enough: (items) => items.some(isIt) },
  )
  const trade = trades.ok ? trades.value.items.find(isIt) : undefined
  if (trade !== undefined) return ok({ by: 'trade', txHash: trade.txHash !== null && txHashForm.test(trade.txHash) ? trade.txHash : null, whole: true })
  if (orderId !== null) return ok({ by: 'order', txHash: null, whole: true })
  // If the order list is unreadable, the order may still exist, so do not report it as missing.
  if (!order.ok) return order
  return trades.ok ? ok({ by: null, txHash: null, whole: order.value.whole && isWholeSince(trades.value, sinceMs, ({ atMs }) => atMs) }) : trades
}
