import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { PositionRecord } from '../../../shared/api/schemas/account-resources.ts'
import type { ExecutionReport, IntentRecord, RelayAnswer } from '../../../shared/api/schemas/intents.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import type { PreparedAction } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { minute } from '../../../shared/time.ts'
import { isWholeSince, readPages } from '../../reads/history/read-pages.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { Urgency } from '../../service/transport/limiter.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { type AccountTrace, traceOrder } from './account-trace.ts'
import { clientOrderIdsOf } from './delegated-rows.ts'

/** What the service lists of an intent; all null where it lists nothing. `state` as the service wrote it, in lower case. */
export interface IntentSighting {
  readonly state: string | null
  readonly txHash: string | null
  /** Whether it would have been seen, had it been listed: no list was cut, and no record was unreadable. */
  readonly whole: boolean
}

export interface OrderCalls {
  /** Sends `body` byte for byte, under the idempotency key in the header (Idempotency rules 1 and 5). */
  prepare(row: IntentRow, credential: KeyCredential, urgency: Urgency): Promise<Result<ApiAnswer<PreparedAction>, ApiFailure>>
  relay(
    request: { readonly wallet: string; readonly intentId: string; readonly signature: { reveal(): string } },
    ref: string,
    urgency: Urgency,
  ): Promise<Result<RelayAnswer, ApiFailure>>
  /** Where the service has an intent: by client order id, then among the transactions of its wallet. Fails when it could not be asked. */
  sighting(row: IntentRow): Promise<Result<IntentSighting, ApiFailure>>
  /** The intent that the service has under this client order id; null when it has none or did not answer. */
  earlier(row: IntentRow): Promise<string | null>
  /** What the wallet's trades and orders show of an intent. Fails when they could not be read. */
  trace(row: IntentRow): Promise<Result<AccountTrace, ApiFailure>>
  /** The positions of its wallet now; null: some are missing from the list. */
  positions(row: IntentRow): Promise<Result<readonly PositionRecord[] | null, ApiFailure>>
  finality(row: IntentRow, txHash: string): Promise<Result<ExecutionReport, ApiFailure>>
  /** Reports a hash that the wallet broadcast (Flow rules 5; AUTH-10: no credential). */
  receipt(
    report: { readonly wallet: string; readonly intentId: string; readonly txHash: string; readonly state: string },
    ref: string,
  ): Promise<Result<unknown, ApiFailure>>
  /** Whether the service takes deposits by permit (Flow rules 4); null: it could not be asked. */
  permitOffered(): Promise<boolean | null>
}

/** Newest first, 5 pages of 200 reach back further than nearly every intent lives. */
const maxPages = 5
const noSighting: IntentSighting = { state: null, txHash: null, whole: true }
const seen = ({ state, txHash }: IntentRecord): IntentSighting => ({ state: state?.toLowerCase() ?? null, txHash, whole: true })
/** Its clock and ours differ. */
const sinceOf = ({ createdAtMs }: IntentRow): number => createdAtMs - minute

export function createOrderCalls({ api, credentials }: { readonly api: ApiClient; readonly credentials: Pick<Credentials, 'forScope'> }): OrderCalls {
  const nothing = { params: {}, query: {}, body: undefined } as const

  /** The key of the intent's own wallet, whichever wallet is connected now. */
  const reader = async (row: IntentRow): Promise<Result<KeyCredential, ApiFailure>> => {
    const credential = await credentials.forScope(row.wallet, 'account:read')
    return credential.ok ? credential : fail({ failure: credential.failure, sent: 'no' })
  }

  /** null: the service knows no such client order id. */
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
    return ok(found === undefined ? { ...noSighting, whole: isWholeSince(read.value, sinceOf(row), ({ createdAtMs }) => createdAtMs) } : seen(found))
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
    sighting: async (row) => {
      const credential = await reader(row)
      const paging = (cursor: number | null) => ({ limit: limits.page.max, ...(cursor === null ? {} : { cursor }) })
      // Without a key of that wallet the public twin still answers for it (Unversioned public routes).
      if (!credential.ok)
        return amongTransactions(row, (cursor) =>
          api.call(endpoints.getPublicTransactions, { ...nothing, query: { wallet: row.wallet, ...paging(cursor) }, credential: null, intentRef: row.ref }),
        )
      const found = await byClientId(row, credential.value)
      const named = found.ok ? ok(found.value !== null && sameId(found.value.intentId, row.intentId) ? seen(found.value) : noSighting) : found
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
