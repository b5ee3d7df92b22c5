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

/** The parts of the open profile that the app’s own calls need: its handlers and its journal. */
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
  /** The journal that stores the list of profiles and the settings. */
  readonly appJournal: Pick<SqliteJournal, 'state' | 'trouble' | 'acceptRebuilt' | 'setAside' | 'unreadable'>
  /** This computer’s health, for times when no profile is open. */
  readonly ownHealth: () => Promise<Health>
  /** The notices that belong to the app and not to a profile. */
  readonly ownNotices: { list(wallet: null): NoticeRow[]; mark(ids: readonly string[], read: boolean): void }
  readonly workspace: () => Promise<OpenWorkspace | null>
  readonly clipboard: SecretClipboard
  readonly openExternal: (url: string) => Promise<void>
  readonly hasTray: () => Promise<boolean>
  readonly seesScreenLock: () => boolean
  readonly hasTouchId: () => boolean
  /** Whether the system starts the app at login. The user can also change that outside the app. */
  readonly loginItem: { isOn(): boolean; set(on: boolean): Promise<Result<void, Failure>> }
  readonly applyTheme: (theme: Settings['theme']) => void
  /** Called when the user chose another text size. */
  readonly applyTextSize: (textSize: Settings['textSize']) => void
  /** Called when the user chose another language. */
  readonly languageChanged: () => void
  /** Shows a notice in the window without reloading its page. */
  readonly notify: (notice: NoticeEvent) => void
  /** Reloads the window's page, which then shows the notice. */
  readonly reload: (notice: NoticeEvent) => void
  readonly clock: Clock
}

/**
 * Handlers of calls that belong to the app and not to a profile. Health and attention items come from the open profile; without one, from this
 * computer.
 */
export function createAppHandlers(parts: AppParts): Handlers<keyof typeof app | keyof typeof notices> {
  const { settings, clock, appJournal } = parts

  /** The worse state of two journals: the open profile’s journal, and the journal that stores the profiles and settings. */
  const journalState = (workspace: OpenWorkspace | null): Health['journal'] => {
    const states = [appJournal.state(), workspace?.journal.state() ?? 'ready']
    return states.find((state) => state === 'memory_only') ?? states.find((state) => state === 'rebuilt') ?? 'ready'
  }

  const withLoginItem = (read: Settings): Settings => ({ ...read, startAtLogin: parts.loginItem.isOn() })
  const projectIdOf = (read: Settings): string => read.projectId ?? parts.builtInProjectId
  const isConnected = async (): Promise<boolean> => {
    const shown = await (await parts.workspace())?.handlers['wallet.shown']({})
    return shown?.ok === true && shown.value.connected
  }

  return {
    'app.info': async () =>
      ok({
        version: parts.version,
        host: parts.host,
        platform: parts.platform,
        hasProjectId: projectIdOf(settings.read()) !== '',
        hasTray: await parts.hasTray(),
        seesScreenLock: parts.seesScreenLock(),
        hasTouchId: parts.hasTouchId(),
      }),
    'app.settings': () => ok(withLoginItem(settings.read())),
    async 'app.saveSettings'(changes) {
      const before = settings.read()
      if (changes.startAtLogin !== undefined) {
        const set = await parts.loginItem.set(changes.startAtLogin)
        if (!set.ok) return set
      }
      const saved = withLoginItem(settings.save(changes))
      parts.applyTheme(saved.theme)
      if (saved.textSize !== before.textSize) parts.applyTextSize(saved.textSize)
      if (saved.language !== before.language) parts.languageChanged()
      if (projectIdOf(saved) !== projectIdOf(before)) {
        const connected = await isConnected()
        // A page needs a reload to use a new project id. With a connected wallet the page is not reloaded, because that would interrupt the wallet.
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

/** Problems of the app’s own files cannot be snoozed, because actions that end risk (cancel, close, revoke) depend on the journal. */
const awake = (item: Attention): ListedAttention => ({ ...item, maySnooze: false, snoozed: null })

type ExternalPage = 'transaction' | 'address' | 'walletconnect_projects'

/**
 * Returns the URL of one of the few pages that the app opens in the system’s browser. The id’s format is checked, so that a page cannot put other
 * text into the URL.
 */
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
 * The attention items for a damaged list of profiles and settings. `setAside`: the new file name of a corrupt list; null if no list is corrupt or
 * the user has confirmed the problem. `unreadable`: the damaged parts of the current list.
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

/** The attention item for a keychain problem while no profile is open. (An open profile reports keychain problems itself.) */
function keychainAttention(keychain: Health['keychain'], nowMs: number): Attention[] {
  if (keychain !== 'locked' && keychain !== 'unavailable') return []
  const severity = keychain === 'locked' ? 'warn' : 'danger'
  return [{ id: 'keychain', kind: 'keychain', severity, state: keychain, noProfile: true, to, atMs: nowMs, untilMs: null }]
}

/**
 * Repeats work at an interval. If the work throws, the app continues and repeats it at the next interval, because the user needs a running app to
 * cancel, close and revoke. `failed` is called only once for the same error.
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
