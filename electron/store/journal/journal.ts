import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, IntentState, RequestRecord, TransactionState } from '../../../shared/ipc/intents/orders.ts'
import type { IntentReason, StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { ReceiptState } from '../../../shared/ipc/intents/signing.ts'
import type { OperationNote, SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import type { AuditFilter, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import type { Exchange, RequestFilter } from '../../../shared/ipc/reads/requests.ts'
import type { Records, SealedRecords } from '../records/registry.ts'

export interface ExchangeNote {
  /** The request id of the call's first attempt, which identifies the call. */
  readonly callId: string
  /**
   * Returns the request and the answer, with secrets removed. Removing secrets takes as long as parsing, so it happens only when this function is
   * called. Until then, at most `heldCharacters` of the answer are kept.
   * `null` if the call belongs to no known wallet.
   */
  readonly exchange: (() => Exchange) | null
}

/** An intent with everything that the journal stores about it. */
export interface IntentRow extends Intent {
  readonly profileId: string
  readonly idempotencyKey: string
  readonly clientOrderId: string | null
  readonly body: string
  /**
   * The order or action as the user entered it, as JSON. The app compares the service's answers with this text, and uses it again to prepare the
   * order at a new price.
   */
  readonly ticket: string
  readonly typedData: string | null
  /** The response to the prepare request as the service sent it, as JSON text. */
  readonly prepared: string | null
  readonly topic: string | null
  readonly walletRequestId: string | null
  readonly blockNumber: number | null
}

type PlannedFields = 'ref' | 'profileId' | 'wallet' | 'action' | 'title' | 'idempotencyKey' | 'body' | 'ticket'
type OrderFields = 'pairId' | 'symbol' | 'side' | 'clientOrderId'
/** An intent, stored before any request is sent. A retry sends `body` again byte for byte. The fields of an order are null by default. */
export interface PlannedIntent extends Readonly<Pick<IntentRow, PlannedFields>>, Readonly<Partial<Pick<IntentRow, OrderFields>>> {
  /** The execution method, if it is `executor`. Absent if the app learns the method only from the preparation (ORD-11). */
  readonly way?: 'executor'
}

/** The fields of an intent that a transition may change. */
export const changeableOfIntent = [
  ...['intentId', 'reason', 'txHash', 'confirmations', 'finality', 'deadlineMs', 'typedData', 'prepared', 'way'],
  ...['commandId', 'topic', 'walletRequestId', 'blockNumber'],
] as const satisfies readonly (keyof IntentRow)[]
/** An absent field keeps its value. */
export type IntentChange = Readonly<Partial<Pick<IntentRow, (typeof changeableOfIntent)[number]>>>

/** Stores intents and their timelines. Throws if an intent must not move from its state to the new state, which would be a bug. */
export interface IntentLog {
  plan(intent: PlannedIntent): IntentRow
  move(ref: string, to: IntentState, change?: IntentChange, note?: StepNote): IntentRow
  /** Changes fields of an intent but not its state, for example the number of confirmations. */
  update(ref: string, change: IntentChange): IntentRow
  /** Adds a note to an intent's timeline without changing its state. */
  remark(ref: string, note: StepNote, change: IntentChange): IntentRow
  get(ref: string): IntentRow | null
  byIntentId(profileId: string, intentId: string): IntentRow | null
  list(
    profileId: string,
    page: { readonly wallet: string | null; readonly beforeMs: number | null; readonly limit: number; readonly action?: string },
  ): { readonly intents: IntentRow[]; readonly total: number }
  /** Returns every intent that is not in a terminal state. */
  open(profileId: string): IntentRow[]
  timeline(ref: string): { readonly state: IntentState; readonly atMs: number; readonly note: StepNote | null }[]
}

/** A transaction that the wallet will send. `data` and `value` are hexadecimal. */
export interface PlannedTransaction {
  readonly kind: string | null
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly deadlineMs: number | null
}

export interface TransactionRow extends PlannedTransaction {
  readonly ref: string
  /** The position of this transaction in the sending order, from 0. */
  readonly position: number
  readonly state: TransactionState
  readonly txHash: string | null
  readonly confirmations: number | null
  readonly reason: IntentReason | null
  readonly topic: string | null
  readonly walletRequestId: string | null
  /**
   * The newest block of the chain, and the wallet's transaction count, at the time when the app first asked the wallet to send. A search for the
   * transaction starts at this block.
   */
  readonly blockNumber: number | null
  readonly nonce: number | null
  readonly askedAtMs: number | null
  /** State of the receipt, with which the app reports this transaction to the service; `null` if the wallet has not sent the transaction yet. */
  readonly receipt: ReceiptState | null
  readonly updatedAtMs: number
}

/** The fields of a transaction that may change. */
export const changeableOfTransaction = [
  ...['state', 'txHash', 'confirmations', 'reason', 'topic', 'walletRequestId', 'blockNumber', 'nonce', 'askedAtMs', 'receipt'],
] as const satisfies readonly (keyof TransactionRow)[]
/** An absent field keeps its value. */
export type TransactionChange = Readonly<Partial<Pick<TransactionRow, (typeof changeableOfTransaction)[number]>>>

/** Stores the transactions that the wallet itself sends for an intent, one row per transaction. */
export interface TransactionLog {
  plan(ref: string, transactions: readonly PlannedTransaction[]): void
  change(ref: string, position: number, change: TransactionChange): void
  /** The transactions of an intent in sending order. Empty if the wallet signs the intent and sends no transaction. */
  of(ref: string): TransactionRow[]
  /**
   * IDs of the profile's intents that still need work, because a transaction may be pending or its report to the service is due. Also includes
   * intents that have ended.
   */
  open(profileId: string): string[]
}

export interface SecretOperationRow extends SecretOperation {
  readonly profileId: string
  readonly wallet: string
  readonly keyIdsBefore: readonly string[]
  /** True if `keyIdsBefore` is complete. If false, a key may be older than the operation although the list lacks its ID. */
  readonly keyIdsWhole: boolean
  /** A short random marker in the label of the new key. It identifies the key in the service's list. */
  readonly marker: string
  readonly draft: string | null
}

type OfCreation = 'keyIdsBefore' | 'keyIdsWhole' | 'marker' | 'draft'
/** An operation with a secret, stored before any request is sent. Only the creation of a key or webhook needs all fields. */
export type PlannedOperation = Omit<SecretOperationRow, 'state' | 'atMs' | 'updatedAtMs' | 'note' | OfCreation> & Partial<Pick<SecretOperationRow, OfCreation>>

export interface SecretOperationLog {
  /**
   * Records an operation with a secret (such as the creation of a key) before it is sent. By default, `keyIdsBefore` and `marker` are empty, `draft` is
   * null and `keyIdsWhole` is true.
   */
  plan(operation: PlannedOperation): SecretOperationRow
  move(id: string, to: SecretOperation['state'], change?: { readonly keyId?: string | null; readonly note?: OperationNote | null }): SecretOperationRow
  get(id: string): SecretOperationRow | null
  /** Lists operations, newest first: all of them, or those of one wallet or some keys. */
  list(profileId: string, limit: number, of?: { readonly wallet: string } | { readonly keyIds: readonly string[] }): SecretOperationRow[]
  /** Returns operations without a result. The app never sent those in the state PLANNED; those in SENT or UNKNOWN still need an answer. */
  unsettled(profileId: string): SecretOperationRow[]
}

export interface SecretIndex {
  remember(entry: { readonly profileId: string; readonly wallet: string; readonly keyId: string; readonly account: string; readonly label: string }): void
  forget(profileId: string, keyId: string): void
  list(profileId: string): { readonly wallet: string; readonly keyId: string; readonly account: string; readonly label: string; readonly atMs: number }[]
}

export interface RequestLog {
  /**
   * Records a request. `wallet` is the wallet whose credential the request used, or that the request is about; null if it belongs to no wallet.
   * Removes secrets from the request and its answer before writing them.
   */
  add(profileId: string, record: RequestRecord, wallet?: string | null, note?: ExchangeNote): void
  /**
   * Lists requests. With `of`, omits the requests of other wallets. A request without credential and intent belongs to no wallet and is never
   * omitted.
   */
  list(profileId: string, limit: number, of?: { readonly wallet: string | null }): RequestRecord[]
  /**
   * Lists a page of the requests that `list` returns for `of`, newest first. `upTo` is the `newest` value of the first page. Requests that are newer
   * than this are omitted, so that they do not shift later pages. `null` starts at the newest request.
   */
  page(
    profileId: string,
    filter: RequestFilter,
    page: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
    of: { readonly wallet: string | null },
  ): { readonly rows: RequestRecord[]; readonly total: number; readonly newest: number; readonly newer: number }
  /**
   * Finds one attempt by the ID with which it was sent, together with all attempts of the same call. `null` if the request belongs to another wallet
   * than `of`.
   */
  find(
    profileId: string,
    id: string,
    of: { readonly wallet: string | null },
  ): { readonly record: RequestRecord; readonly tries: RequestRecord[]; readonly exchange: Exchange | null } | null
  ofIntent(ref: string): RequestRecord[]
}

/** The profile and wallet whose audit rows to read or write. No call can read the rows of another wallet (Authentication 3). */
export interface AuditScope {
  readonly profileId: string
  readonly wallet: string
}

/** An `AuditRow` that always has a time. If the source gives no time, `atMs` is the time when the app read the row, and `timed` is `false`. */
export interface AuditLogRow extends Omit<AuditRow, 'atMs' | 'matches'> {
  readonly atMs: number
  readonly timed: boolean
}

/** Stores the rows of the service's audit log and the app's own events. Contains no secrets. */
export interface AuditLog {
  /** Adds rows. For rows that already exist, updates the fields that may change: title, key, label, outcome, detail. */
  put(scope: AuditScope, rows: readonly AuditLogRow[]): void
  has(scope: AuditScope, id: string): boolean
  /**
   * Replaces the service's rows in the time span of `rows`, and the service's rows without a time. Older rows stay. If a row's ID is already stored,
   * keeps its stored origin, which is this app or another client.
   */
  replace(scope: AuditScope, rows: readonly AuditLogRow[]): void
  list(scope: AuditScope, filter: AuditFilter, page: { readonly offset: number; readonly limit: number }): (AuditLogRow & { readonly matches: string | null })[]
  count(scope: AuditScope, filter: AuditFilter): number
  /** True if this app sent the request with this id. */
  madeHere(profileId: string, requestId: string): boolean
  /** Returns the ID of the newest request to an endpoint within a time span whose path contains `pathPart`; `null` if there is none. */
  requestOf(profileId: string, call: { readonly endpoint: string; readonly pathPart: string; readonly fromMs: number; readonly toMs: number }): string | null
  /** Returns the time (Unix ms) of the oldest stored request. */
  requestsSinceMs(profileId: string): number | null
}

/**
 * Records that are encrypted on disk: the sign-in session, stored signatures, WalletConnect's data, RPC URLs and URLs of the user's own endpoints.
 * The encryption is AES-256-GCM. Its key is in the keychain; the name of the record is the associated data.
 */
export type Vault = SealedRecords

export type JournalState = 'ready' | 'rebuilt' | 'memory_only'

/** Why the journal file refuses writes. New entries are then lost when the app ends. `newer`: a newer version of the app wrote the file. */
export type JournalTrouble = 'no_space' | 'read_only' | 'newer'

/** The journal: an SQLite file (WAL, `synchronous=FULL`, exclusive). A write is on disk when its call returns. */
export interface Journal {
  readonly intents: IntentLog
  readonly transactions: TransactionLog
  readonly secretOperations: SecretOperationLog
  readonly secretIndex: SecretIndex
  /** The index of the signing secrets of webhooks, in the form of `secretIndex`. `keyId` is the webhook's ID. */
  readonly webhookIndex: SecretIndex
  readonly requests: RequestLog
  /** Small records by name. They contain no secrets. */
  readonly records: Records
  readonly audit: AuditLog
  /**
   * `rebuilt`: entries were lost, because the file was corrupt and was replaced, or because the file lacks entries that it must contain.
   * `memory_only`: the file refuses writes; `trouble` says why.
   */
  state(): JournalState
  trouble(): JournalTrouble | null
  /**
   * Returns the IDs of unreadable entries, which all lists omit. The app sets an unreadable record aside when it finds one. Its ID is therefore
   * returned only in the first run of the app that calls this method.
   */
  unreadable(): readonly string[]
  /** True if the app may start an action that adds risk now. False while the disk is full, and until the user accepts a rebuilt journal. */
  takesNewRisk(): boolean
  acceptRebuilt(): void
  /** Commits either all writes of `work` or none. `work` may run twice, and may do nothing but write to the journal. */
  together<T>(work: () => T): T
  close(): void
}

const issues = { no_space: 'disk_full', read_only: 'read_only', newer: 'newer' } as const satisfies Record<JournalTrouble, string>

/** Describes the journal’s problem as a failure. An action that adds risk is refused with this failure. */
export function heldBack(journal: Pick<Journal, 'trouble'>): Failure {
  const trouble = journal.trouble()
  return trouble === null ? { kind: 'held_back', why: 'journal_rebuilt', intentRef: null } : { kind: 'journal', issue: issues[trouble] }
}
