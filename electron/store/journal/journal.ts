import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Intent, IntentState, RequestRecord, TransactionState } from '../../../shared/ipc/intents/orders.ts'
import type { IntentReason, StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { ReceiptState } from '../../../shared/ipc/intents/signing.ts'
import type { OperationNote, SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import type { AuditFilter, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import type { Exchange, RequestFilter } from '../../../shared/ipc/reads/requests.ts'
import type { Records, SealedRecords } from '../records/registry.ts'

/** One attempt of a call, beside its line in the request log. */
export interface ExchangeNote {
  /** The id of the call's first attempt. */
  readonly callId: string
  /**
   * What was sent and answered, secrets cut out. Searching costs as much as parsing, so it is done when it is asked for; until then
   * the note holds at most `heldCharacters` of the answer. null: nobody can say whose it is.
   */
  readonly exchange: (() => Exchange) | null
}

/** What is written before anything leaves. `body` is sent again byte for byte on a retry. */
export interface PlannedIntent {
  readonly ref: string
  readonly profileId: string
  readonly wallet: string
  readonly action: string
  readonly title: string
  readonly pairId: number | null
  readonly symbol: string | null
  readonly side: 'long' | 'short' | null
  readonly idempotencyKey: string
  readonly clientOrderId: string | null
  readonly body: string
  /** The ticket as JSON, for comparison and re-pricing. */
  readonly ticket: string
  /** Absent: its preparation tells (ORD-11). */
  readonly way?: 'executor'
}

/** Fields that may change with a transition. Absent ones stay. */
export interface IntentChange {
  readonly intentId?: string | null
  readonly reason?: IntentReason | null
  readonly txHash?: string | null
  readonly confirmations?: number | null
  readonly finality?: string | null
  readonly deadlineMs?: number | null
  readonly typedData?: string | null
  readonly prepared?: string | null
  readonly way?: Intent['way']
  readonly commandId?: string | null
  readonly topic?: string | null
  readonly walletRequestId?: string | null
  readonly blockNumber?: number | null
}

export interface IntentRow extends Intent {
  readonly profileId: string
  readonly idempotencyKey: string
  readonly clientOrderId: string | null
  readonly body: string
  readonly ticket: string
  readonly typedData: string | null
  /** The answer of prepare as received, as JSON text. */
  readonly prepared: string | null
  readonly topic: string | null
  readonly walletRequestId: string | null
  readonly blockNumber: number | null
}

/** `from` states that a transition may start in; a transition from another one throws, since it would be a bug. */
export interface IntentLog {
  plan(intent: PlannedIntent): IntentRow
  move(ref: string, to: IntentState, change?: IntentChange, note?: StepNote): IntentRow
  /** Changes fields without changing the state, for example confirmations. */
  update(ref: string, change: IntentChange): IntentRow
  /** Writes into the timeline what was heard of it, without changing its state. */
  remark(ref: string, note: StepNote, change: IntentChange): IntentRow
  get(ref: string): IntentRow | null
  byIntentId(profileId: string, intentId: string): IntentRow | null
  list(
    profileId: string,
    page: { readonly wallet: string | null; readonly beforeMs: number | null; readonly limit: number /** Absent: all. */; readonly action?: string },
  ): { readonly intents: IntentRow[]; readonly total: number }
  /** Everything that is not in a terminal state. */
  open(profileId: string): IntentRow[]
  timeline(ref: string): { readonly state: IntentState; readonly atMs: number; readonly note: StepNote | null }[]
}

/** What the wallet is to send. `data` and `value` are hexadecimal. */
export interface PlannedTransaction {
  /** As the service calls it. */
  readonly kind: string | null
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly deadlineMs: number | null
}

/** Fields of a transaction that may change. Absent ones stay. */
export interface TransactionChange {
  readonly state?: TransactionState
  readonly txHash?: string | null
  readonly confirmations?: number | null
  readonly reason?: IntentReason | null
  readonly topic?: string | null
  readonly walletRequestId?: string | null
  /** The head, and how many transactions of the wallet stood on the chain, when it was first asked: from there on it is searched for. */
  readonly blockNumber?: number | null
  readonly nonce?: number | null
  readonly askedAtMs?: number | null
  /** null: nothing was broadcast yet. */
  readonly receipt?: ReceiptState | null
}

export interface TransactionRow extends PlannedTransaction, Required<TransactionChange> {
  readonly ref: string
  /** From 0, in the order in which they are sent. */
  readonly position: number
  readonly updatedAtMs: number
}

/** A row for each transaction of an intent that the wallet sends itself. */
export interface TransactionLog {
  plan(ref: string, transactions: readonly PlannedTransaction[]): void
  change(ref: string, position: number, change: TransactionChange): void
  /** In their order; none where the intent is signed. */
  of(ref: string): TransactionRow[]
  /** Intents of the profile with a transaction that may be under way, or whose report is due, whatever became of the intent. */
  open(profileId: string): string[]
}

export interface SecretOperationRow extends SecretOperation {
  readonly profileId: string
  readonly wallet: string
  /** Ids of the wallet's keys before the call (KEY-16). */
  readonly keyIdsBefore: readonly string[]
  /** Whether they are all of them: false where the list could not be read or was full. Then an id that is not among them may be an old one. */
  readonly keyIdsWhole: boolean
  /** A short random mark that the label carries in the service's list. */
  readonly marker: string
  readonly draft: string | null
}

export interface SecretOperationLog {
  /** `keyIdsWhole` left out: true. */
  plan(operation: Omit<SecretOperationRow, 'state' | 'atMs' | 'updatedAtMs' | 'note' | 'keyIdsWhole'> & { readonly keyIdsWhole?: boolean }): SecretOperationRow
  move(id: string, to: SecretOperation['state'], change?: { readonly keyId?: string | null; readonly note?: OperationNote | null }): SecretOperationRow
  get(id: string): SecretOperationRow | null
  /** `of` leaves only those of one wallet. */
  list(profileId: string, limit: number, of?: { readonly wallet: string }): SecretOperationRow[]
  /** PLANNED ones were never sent; SENT and UNKNOWN ones need an answer. */
  unsettled(profileId: string): SecretOperationRow[]
}

/** Which secrets this computer holds, without the secrets. */
export interface SecretIndex {
  remember(entry: { readonly profileId: string; readonly wallet: string; readonly keyId: string; readonly account: string; readonly label: string }): void
  forget(profileId: string, keyId: string): void
  list(profileId: string): { readonly wallet: string; readonly keyId: string; readonly account: string; readonly label: string; readonly atMs: number }[]
}

export interface RequestLog {
  /** `wallet`: whose credential it went with, or whom it is about; null: nobody's. What was sent and answered is searched for secrets before it is written. */
  add(profileId: string, record: RequestRecord, wallet?: string | null, note?: ExchangeNote): void
  /** `of` leaves out those of every other wallet; what went without a credential and belongs to no intent is nobody's, and stays. */
  list(profileId: string, limit: number, of?: { readonly wallet: string | null }): RequestRecord[]
  /** Newest first, of those that `list` gives for `of`. `upTo`: the mark of an earlier page, which later rows do not move; null: the newest. */
  page(
    profileId: string,
    filter: RequestFilter,
    page: { readonly upTo: number | null; readonly offset: number; readonly limit: number },
    of: { readonly wallet: string | null },
  ): { readonly rows: RequestRecord[]; readonly total: number; readonly newest: number; readonly newer: number }
  /** One attempt by the id that it was sent with, and all attempts of its call. null: there is none that `of` may see. */
  find(
    profileId: string,
    id: string,
    of: { readonly wallet: string | null },
  ): { readonly record: RequestRecord; readonly tries: RequestRecord[]; readonly exchange: Exchange | null } | null
  ofIntent(ref: string): RequestRecord[]
}

/** Whose rows: no call reads those of another wallet (Authentication 3). */
export interface AuditScope {
  readonly profileId: string
  readonly wallet: string
}

/** As `AuditRow`, with a time in any case: that of reading where the source named none (`timed` false). */
export interface AuditLogRow extends Omit<AuditRow, 'atMs' | 'matches'> {
  readonly atMs: number
  readonly timed: boolean
}

/** The service's audit log as it was read, and the app's own events. Nothing secret. */
export interface AuditLog {
  /** Adds rows, or renews what may change of those that are there: title, key, label, outcome, detail. */
  put(scope: AuditScope, rows: readonly AuditLogRow[]): void
  has(scope: AuditScope, id: string): boolean
  /** Replaces the service's rows of the same time span, and those without a time. Older rows stay; a row with the same id keeps its origin. */
  replace(scope: AuditScope, rows: readonly AuditLogRow[]): void
  /** Newest first, from the place `offset` on. `matches`: the row of the other source with the same request id. */
  list(scope: AuditScope, filter: AuditFilter, page: { readonly offset: number; readonly limit: number }): (AuditLogRow & { readonly matches: string | null })[]
  count(scope: AuditScope, filter: AuditFilter): number
  /** Whether a request of this app had the id. */
  madeHere(profileId: string, requestId: string): boolean
  /** The id of the newest request to an endpoint between two times, whose path holds `pathPart`. */
  requestOf(profileId: string, call: { readonly endpoint: string; readonly pathPart: string; readonly fromMs: number; readonly toMs: number }): string | null
  /** The time of the oldest request that is still kept. */
  requestsSinceMs(profileId: string): number | null
}

/**
 * Records that are encrypted (AES-256-GCM, key in the keychain, name as associated data): the sign-in session, stored
 * signatures, WalletConnect's store, RPC URLs, addresses of the user's own endpoints.
 */
export type Vault = SealedRecords

export type JournalState = 'ready' | 'rebuilt' | 'memory_only'

/** Why the file takes no writes: what is written lasts as long as this run. newer: a newer version of the app wrote it. */
export type JournalTrouble = 'no_space' | 'read_only' | 'newer'

/** SQLite, WAL, synchronous=FULL, exclusive. Writes are on disk when the call returns. */
export interface Journal {
  readonly intents: IntentLog
  readonly transactions: TransactionLog
  readonly secretOperations: SecretOperationLog
  readonly secretIndex: SecretIndex
  /** The same for the signing secrets of webhooks: `keyId` is the webhook's id. */
  readonly webhookIndex: SecretIndex
  readonly requests: RequestLog
  /** Small records by name. Nothing secret. */
  readonly records: Records
  readonly audit: AuditLog
  /** rebuilt: the file was corrupt, set aside, and a new one was begun, or it lost something that was promised. memory_only: see `trouble`. */
  state(): JournalState
  /** Why it is in memory only; null where it is not. */
  trouble(): JournalTrouble | null
  /** Ids of the entries that could not be read, and are left out. A record that was set aside is among them in the first run that asks. */
  unreadable(): readonly string[]
  /** Whether a write that adds risk may be made now; false on a full disk or before the user accepted a rebuilt journal. */
  takesNewRisk(): boolean
  acceptRebuilt(): void
  /** All that `work` writes, or nothing of it. It may run twice, and may do nothing but write here. */
  together<T>(work: () => T): T
  close(): void
}

const issues = { no_space: 'disk_full', read_only: 'read_only', newer: 'newer' } as const satisfies Record<JournalTrouble, string>

/** Why the journal takes no new risk now. */
export function heldBack(journal: Pick<Journal, 'trouble'>): Failure {
  const trouble = journal.trouble()
  return trouble === null ? { kind: 'held_back', why: 'journal_rebuilt', intentRef: null } : { kind: 'journal', issue: issues[trouble] }
}
