import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { auditEntry } from '../../../shared/api/schemas/keys/key-resources.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AuditFilter, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { auditDetailText, auditTitle } from '../../../shared/text/audit-text.ts'
import { minute } from '../../../shared/time.ts'
import { paymentAction, paymentOf } from '../../intents/methods/payment/payments.ts'
import type { Emit } from '../../kernel/events.ts'
import { dialogWords, fileKind, tableHeadings } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import { markersOf, withoutMarker } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { ApiClient, SessionCredential } from '../../service/transport/api-client.ts'
import type { AuditLogRow, AuditScope, Journal } from '../../store/journal/journal.ts'
import type { NoteSecretUse, SecretUse } from '../../store/secrets/secret-store.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type AuditEntry, type AuditNote, noteOfUse, noteRow, operationRow, paymentRow, rowId, serviceRow } from './log-rows.ts'

export interface AuditDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Journal
  /** The user’s field map for the service’s answers. */
  readonly answers: FieldMapService['answers']
  readonly wallet: WalletReport
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  /** The wallet that owns the key whose secret was used; null if this computer has never had the secret. */
  readonly ownerOf: (use: SecretUse) => string | null
  /** The label that the app knows for a key; null if the app does not know the key. */
  readonly labelOf: (keyId: string) => string | null
  readonly saveText: SaveText
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly newId: () => string
}

export interface Audit {
  /** Logs a use of a secret. A failed log entry never prevents the use. If the disk is full, the entry stays in memory. */
  readonly noteUse: NoteSecretUse
  readonly handlers: HandlersOf<'audit'>
}

/** Maximum number of pages that one update reads, in case the service’s log never ends. */
const mostPages = 500
/** How much the clocks of the service and the app may differ, in ms. */
const clockMargin = minute
/** How many of the newest operations and payments the app checks for changes. Older ones are already in the audit log. */
const mostRecent = 500
const pageOfExport = 500

/** The audit log: the service’s log of key activity, combined with the app’s own journal (KEY-14). */
export function createAudit(deps: AuditDeps): Audit {
  const { profile, api, journal, answers, wallet, signIn, ownerOf, labelOf, saveText, clock, emit, newId } = deps
  const { audit } = journal
  const { auditReadAt, auditReadWith, auditSyncedTo } = journal.records
  const scopeOf = (address: string): AuditScope => ({ profileId: profile.id, wallet: address })
  const keyOf = (address: string) => ({ profile: profile.id, wallet: address })
  const entryMap = () => answers()?.[auditEntry.name] ?? {}

  const originOf = ({ requestId, atMs }: AuditEntry): NonNullable<AuditRow['origin']> => {
    if (requestId === null) return 'unclear'
    if (audit.madeHere(profile.id, requestId)) return 'here'
    const since = audit.requestsSinceMs(profile.id)
    return since === null || atMs === null || atMs < since + clockMargin ? 'unclear' : 'elsewhere'
  }

  const refresh = async (): Promise<Result<{ read: number; fresh: number; readAtMs: number }, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const { session, wallet: address } = signed.value
    const scope = scopeOf(address)
    // Normally, reading stops at the first page of known rows. If the user’s field map has changed, read all pages again.
    const mapBefore = auditReadWith.read(keyOf(address))
    const map = entryMap()
    const isSameMap = JSON.stringify(mapBefore) === JSON.stringify(map)
    const mapChanged = mapBefore !== null && !isSameMap
    const reread: AuditLogRow[] = []
    let [read, fresh] = [0, 0]
    let cursor: number | undefined
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await api.call(endpoints.listAudit, { params: {}, query: cursor === undefined ? {} : { cursor }, body: undefined, credential: session })
      if (!answer.ok) return fail(answer.failure.failure)
      const { entries, nextCursor, hasMore } = answer.value.value
      const isNew = entries.map((entry) => !audit.has(scope, rowId(entry)))
      const rows = entries.filter((_, index) => mapChanged || isNew[index]).map((entry) => serviceRow(entry, originOf(entry), clock.now()))
      if (mapChanged) reread.push(...rows)
      else audit.put(scope, rows)
      const added = isNew.filter(Boolean).length
      read += entries.length
      fresh += added
      if (!hasMore || nextCursor === null || nextCursor === cursor) {
        auditReadWith.write(keyOf(address), map)
        break
      }
      if (isSameMap && added === 0) break
      cursor = nextCursor
    }
    if (mapChanged) audit.replace(scope, reread)
    const readAtMs = clock.now()
    auditReadAt.write(keyOf(address), readAtMs)
    return ok({ read, fresh, readAtMs })
  }

  /** Journal items that the app has already copied since its start, each with its state and time of change. */
  const seen = new Map<string, string>()
  const isNews = (id: string, { state, updatedAtMs }: { readonly state: string; readonly updatedAtMs: number }): boolean => {
    const version = `${state} ${updatedAtMs}`
    if (seen.get(id) === version) return false
    seen.set(id, version)
    return true
  }

  /** Copies the journal items that are new or have changed into the audit log. */
  const sync = (address: string): void => {
    const since = auditSyncedTo.read(keyOf(address)) ?? 0
    const operations = journal.secretOperations
      .list(profile.id, mostRecent, { wallet: address })
      .filter((operation) => operation.updatedAtMs >= since && isNews(operation.id, operation))
    const payments = journal.intents
      .list(profile.id, { wallet: address, beforeMs: null, limit: mostRecent, action: paymentAction })
      .intents.filter((row) => row.updatedAtMs >= since && isNews(row.ref, row))
    if (operations.length + payments.length === 0) return
    audit.put(scopeOf(address), [
      ...operations.map((operation) => operationRow(operation, audit)),
      ...payments.flatMap((row) => {
        const payment = paymentOf(row, journal.records)
        if (payment === null) return []
        const { ticket, record } = payment
        return paymentRow(row, { keyId: ticket.keyId, label: ticket.label }, record?.requestId ?? null)
      }),
    ])
    const newest = Math.max(since, ...[...operations, ...payments].map(({ updatedAtMs }) => updatedAtMs))
    if (newest !== since) auditSyncedTo.write(keyOf(address), newest)
  }

  /** Converts rows for windows and files. Removes the mark that this app appends to a key’s label, because the user should see the original label. */
  const views = (rows: ReturnType<typeof audit.list>): AuditRow[] => {
    const markers = markersOf(journal, profile.id)
    return rows.map(({ timed, atMs, label, ...row }) => ({
      ...row,
      atMs: timed ? atMs : null,
      label: label === null ? (row.keyId === null ? null : labelOf(row.keyId)) : withoutMarker(label, markers),
    }))
  }

  /** Updates the audit log from the journal for the connected wallet. Returns that wallet; null if no wallet is connected. */
  const shown = (): Result<string | null, Failure> => {
    const whose = wallet.shown()
    if (whose.ok && whose.value !== null) sync(whose.value)
    return whose
  }

  const list = (address: string, filter: AuditFilter, page: { readonly offset: number; readonly limit: number }) => {
    const scope = scopeOf(address)
    return ok({
      rows: views(audit.list(scope, filter, page)),
      offset: page.offset,
      total: audit.count(scope, filter),
      readAtMs: auditReadAt.read(keyOf(address)),
    })
  }

  const everything = (address: string, filter: AuditFilter): AuditRow[] => {
    const found: AuditRow[] = []
    for (;;) {
      const page = audit.list(scopeOf(address), filter, { offset: found.length, limit: pageOfExport })
      found.push(...views(page))
      if (page.length < pageOfExport) return found
    }
  }

  const note = (given: AuditNote): void => {
    audit.put(scopeOf(given.wallet), [noteRow(given, `note:${newId()}`, clock.now())])
    emit({ type: 'invalidate', queries: ['audit.list'] })
  }

  return {
    noteUse: (use) => {
      const owner = ownerOf(use)
      if (owner !== null) note(noteOfUse(use, owner))
    },
    handlers: {
      'audit.refresh': refresh,
      'audit.list': async ({ offset, limit, ...filter }) => {
        const whose = shown()
        if (!whose.ok) return whose
        return whose.value === null ? ok({ rows: [], offset, total: 0, readAtMs: null }) : list(whose.value, filter, { offset, limit })
      },
      'audit.export': async ({ format, ...filter }) => {
        const whose = shown()
        if (!whose.ok) return whose
        const rows = whose.value === null ? [] : everything(whose.value, filter)
        const day = new Date(clock.now()).toISOString().slice(0, 10)
        const saved = await saveText(
          {
            ...dialogWords('exportAudit'),
            kinds: [fileKind(format)],
            suggested: `svc-desk-audit-${day}.${format}`,
          },
          () => auditFile(format, rows),
        )
        if (!saved.ok) return saved
        return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: rows.length })
      },
    },
  }
}

const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

const cells = (row: AuditRow): string[] => [
  time(row.atMs),
  row.source,
  row.kind,
  row.event,
  auditTitle(row),
  row.keyId ?? '',
  row.label ?? '',
  row.ip ?? '',
  row.requestId ?? '',
  row.outcome ?? '',
  row.origin ?? '',
  auditDetailText(row) ?? '',
]

/** The rows as the text of a file. Searches the whole text for secrets again, because the file leaves the app. */
function auditFile(format: 'csv' | 'json', rows: readonly AuditRow[]): string {
  if (format === 'csv')
    return csvTable(
      tableHeadings.audit,
      rows.map((row) => cells(row).map(redactText)),
    )
  return safeJson(rows.map((row) => ({ ...row, title: auditTitle(row), detail: auditDetailText(row), time: row.atMs === null ? null : time(row.atMs) })))
}
