import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attention, app, Health, ListedAttention, Settings } from '../../../shared/ipc/host/app.ts'
import type { NoticeRow, notices } from '../../../shared/ipc/host/notices.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { SecretClipboard } from '../../keys/delivery/clipboard.ts'
import type { JournalTrouble } from '../../store/journal/journal.ts'
import type { SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import type { SettingsStore } from '../../store/records/profile-store.ts'

/** What the app’s own calls need from the open profile: its handlers and its journal. */
export interface OpenWorkspace {
  readonly handlers: Handlers<
    'app.clock' | 'app.health' | 'app.attention' | 'app.snooze' | 'app.wake' | 'app.acceptRebuiltJournal' | 'notices.list' | 'notices.mark' | 'wallet.shown'
  >
  readonly journal: Pick<SqliteJournal, 'state' | 'trouble'>
}

type NoticeEvent = Extract<AppEvent, { type: 'notice' }>

export interface AppParts {
  readonly version: string
  readonly host: 'electron' | 'stand-in'
  readonly platform: string
  readonly builtInProjectId: string
  readonly settings: SettingsStore
  /** The journal of profiles and settings. */
  readonly appJournal: Pick<SqliteJournal, 'state' | 'trouble' | 'acceptRebuilt' | 'setAside' | 'unreadable'>
  /** This computer's health, for when no profile is open. */
  readonly ownHealth: () => Promise<Health>
  /** The notices that belong to no profile. */
  readonly ownNotices: { list(wallet: null): NoticeRow[]; mark(ids: readonly string[], read: boolean): void }
  readonly workspace: () => Promise<OpenWorkspace | null>
  readonly clipboard: SecretClipboard
  readonly openExternal: (url: string) => Promise<void>
  readonly applyTheme: (theme: Settings['theme']) => void
  /** Called when the user chose another text size. */
  readonly applyTextSize: (textSize: Settings['textSize']) => void
  /** Called when the user chose another language. */
  readonly languageChanged: () => void
  /** Shows a notice in the window. */
  readonly notify: (notice: NoticeEvent) => void
  /** Reloads the window's page, which then shows the notice. */
  readonly reload: (notice: NoticeEvent) => void
  readonly clock: Clock
}

/**
 * Calls that belong to the app, whichever profile is open. Health and attention come from the open profile, or from this computer if none is open.
 */
export function createAppHandlers(parts: AppParts): Handlers<keyof typeof app | keyof typeof notices> {
  const { settings, clock, appJournal } = parts

  /** The worse state of the profile's own journal and the journal of profiles and settings. */
  const journalState = (workspace: OpenWorkspace | null): Health['journal'] => {
    const states = [appJournal.state(), workspace?.journal.state() ?? 'ready']
    return states.find((state) => state === 'memory_only') ?? states.find((state) => state === 'rebuilt') ?? 'ready'
  }

  const projectIdOf = (read: Settings): string => read.projectId ?? parts.builtInProjectId
  const isConnected = async (): Promise<boolean> => {
    const shown = await (await parts.workspace())?.handlers['wallet.shown']({})
    return shown?.ok === true && shown.value.connected
  }

  return {
    'app.info': () => ok({ version: parts.version, host: parts.host, platform: parts.platform, hasProjectId: projectIdOf(settings.read()) !== '' }),
    'app.settings': () => ok(settings.read()),
    async 'app.saveSettings'(changes) {
      const before = settings.read()
      const saved = settings.save(changes)
      parts.applyTheme(saved.theme)
      if (saved.textSize !== before.textSize) parts.applyTextSize(saved.textSize)
      if (saved.language !== before.language) parts.languageChanged()
      if (projectIdOf(saved) !== projectIdOf(before)) {
        const connected = await isConnected()
        // The page keeps the ID with which it loaded its wallet part. A reload would only interrupt a connected wallet.
        const show = connected ? parts.notify : parts.reload
        show({ type: 'notice', severity: 'ok', notice: { code: 'project_id_saved', connected }, to: null })
      }
      return ok(saved)
    },
    async 'app.clock'() {
      const workspace = await parts.workspace()
      return workspace === null ? ok({ offsetMs: null }) : workspace.handlers['app.clock']({})
    },
    async 'app.health'() {
      const workspace = await parts.workspace()
      const health = workspace === null ? ok(await parts.ownHealth()) : await workspace.handlers['app.health']({})
      return health.ok ? ok({ ...health.value, journal: journalState(workspace) }) : health
    },
    async 'app.attention'() {
      const workspace = await parts.workspace()
      const own = journalAttention({
        setAside: appJournal.setAside(),
        unreadable: appJournal.unreadable(),
        trouble: appJournal.trouble() ?? workspace?.journal.trouble() ?? null,
        nowMs: clock.now(),
      })
      if (workspace === null) return ok([...own, ...keychainAttention((await parts.ownHealth()).keychain, clock.now())].map(awake))
      const rows = await workspace.handlers['app.attention']({})
      return rows.ok ? ok([...own.map(awake), ...rows.value]) : rows
    },
    async 'app.snooze'(asked) {
      return (await parts.workspace())?.handlers['app.snooze'](asked) ?? fail({ kind: 'no_profile' })
    },
    async 'app.wake'(asked) {
      return (await parts.workspace())?.handlers['app.wake'](asked) ?? fail({ kind: 'no_profile' })
    },
    async 'notices.list'() {
      const ofProfile = await (await parts.workspace())?.handlers['notices.list']({})
      const all = [...parts.ownNotices.list(null), ...(ofProfile?.ok === true ? ofProfile.value : [])]
      return ok(all.sort((a, b) => b.atMs - a.atMs))
    },
    async 'notices.mark'(asked) {
      parts.ownNotices.mark(asked.ids, asked.read)
      return (await parts.workspace())?.handlers['notices.mark'](asked) ?? ok({})
    },
    async 'app.acceptRebuiltJournal'() {
      appJournal.acceptRebuilt()
      const workspace = await parts.workspace()
      return workspace === null ? ok({}) : workspace.handlers['app.acceptRebuiltJournal']({})
    },
    async 'app.openExternal'({ page, id }) {
      const url = externalUrl(page, id)
      if (!url.ok) return url
      await parts.openExternal(url.value)
      return ok({})
    },
    async 'app.copyText'({ text }) {
      await parts.clipboard.copyText(text)
      return ok({})
    },
  }
}

/** Problems of the app's own files cannot be snoozed: they guard the journal, which every exit needs. */
const awake = (item: Attention): ListedAttention => ({ ...item, maySnooze: false, snoozed: null })

type ExternalPage = 'transaction' | 'address' | 'walletconnect_projects'

/** The only pages that ever open in the system's browser. Ids are checked, so a page cannot put other text into a URL. */
export function externalUrl(page: ExternalPage, id: string | null): Result<string, Failure> {
  switch (page) {
    case 'transaction':
      return id !== null && /^0x[0-9a-fA-F]{64}$/.test(id) ? ok(`https://basescan.org/tx/${id}`) : notAnId
    case 'address':
      return id !== null && /^0x[0-9a-fA-F]{40}$/.test(id) ? ok(`https://basescan.org/address/${id}`) : notAnId
    case 'walletconnect_projects':
      return id === null ? ok('https://dashboard.reown.com') : notAnId
  }
}

const notAnId = fail<Failure>({ kind: 'bad_input', field: 'id', issue: 'not_an_id' })

const to = '/settings'

/**
 * Lists the problems of the stored profiles and settings that the user must see. `setAside`: the file name of the corrupt list; null if there
 * is none or the user agreed to continue. `unreadable`: the damaged parts of that list.
 */
function journalAttention({
  setAside,
  unreadable,
  trouble,
  nowMs,
}: {
  readonly setAside: string | null
  readonly unreadable: readonly string[]
  readonly trouble: JournalTrouble | null
  readonly nowMs: number
}): Attention[] {
  const rows: Attention[] = []
  if (trouble !== null)
    rows.push({
      id: 'journal-memory',
      kind: 'journal_rebuilt',
      severity: 'danger',
      what: trouble,
      names: [],
      to,
      atMs: nowMs,
      untilMs: null,
    })
  if (setAside !== null)
    rows.push({
      id: 'profiles-rebuilt',
      kind: 'journal_rebuilt',
      severity: 'danger',
      what: 'profiles_set_aside',
      names: [setAside],
      to,
      atMs: nowMs,
      untilMs: null,
    })
  if (unreadable.length > 0)
    rows.push({
      id: 'profiles-unreadable',
      kind: 'journal_rebuilt',
      severity: 'danger',
      what: 'profiles_unreadable',
      names: [...unreadable],
      to,
      atMs: nowMs,
      untilMs: null,
    })
  return rows
}

/** Reports a keychain problem when no profile is open. An open profile reports its own keychain problems. */
function keychainAttention(keychain: Health['keychain'], nowMs: number): Attention[] {
  if (keychain !== 'locked' && keychain !== 'unavailable') return []
  const severity = keychain === 'locked' ? 'warn' : 'danger'
  return [{ id: 'keychain', kind: 'keychain', severity, state: keychain, noProfile: true, to, atMs: nowMs, untilMs: null }]
}

/**
 * Repeats work at an interval. If the work throws, the app keeps running and tries again at the next interval, because without the app the user
 * cannot cancel, close or revoke anything. Calls `failed` only once while the error stays the same.
 */
export const createEvery =
  (failed: (error: unknown) => void): Every =>
  (ms, work) => {
    let last: string | null = null
    const note = (error: unknown) => {
      const text = String(error)
      if (text !== last) failed(error)
      last = text
    }
    const timer = setInterval(() => {
      void Promise.try(work).then(() => {
        last = null
      }, note)
    }, ms)
    return () => clearInterval(timer)
  }
