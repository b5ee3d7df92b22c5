import type { Attention, Health, Settings } from '../../../shared/ipc/host/app.ts'
import { ok } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { SecretClipboard } from '../../keys/delivery/clipboard.ts'
import type { SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import type { SettingsStore } from '../../store/records/settings.ts'
import { externalUrl } from '../windows/external-pages.ts'
import { journalAttention, keychainAttention } from './computer-attention.ts'

/** What the open profile knows of these; null while none is open. */
export interface OpenDesk {
  readonly handlers: Handlers<'app.clock' | 'app.health' | 'app.attention' | 'app.acceptRebuiltJournal'>
  readonly journal: Pick<SqliteJournal, 'state' | 'trouble'>
}

export interface AppParts {
  readonly version: string
  readonly host: 'electron' | 'stand-in'
  readonly platform: string
  readonly builtInProjectId: string
  readonly settings: SettingsStore
  /** The journal of profiles and settings. */
  readonly deskJournal: Pick<SqliteJournal, 'state' | 'trouble' | 'acceptRebuilt' | 'setAside' | 'unreadable'>
  /** Health without a profile: this computer's alone. */
  readonly ownHealth: () => Promise<Health>
  readonly desk: () => Promise<OpenDesk | null>
  readonly clipboard: SecretClipboard
  readonly openExternal: (url: string) => Promise<void>
  readonly applyTheme: (theme: Settings['theme']) => void
  readonly clock: Clock
}

type AppCalls =
  | 'app.info'
  | 'app.settings'
  | 'app.saveSettings'
  | 'app.clock'
  | 'app.health'
  | 'app.attention'
  | 'app.acceptRebuiltJournal'
  | 'app.openExternal'
  | 'app.copyText'

/** What belongs to the app whichever profile is open. Health and attention are the open profile's, and this computer's where there is none. */
export function createAppHandlers(parts: AppParts): Handlers<AppCalls> {
  const { settings, clock, deskJournal } = parts

  /** The worse of the two: the profile's own journal and that of profiles and settings. */
  const journalState = (desk: OpenDesk | null): Health['journal'] => {
    const states = [deskJournal.state(), desk?.journal.state() ?? 'ready']
    return states.find((state) => state === 'memory_only') ?? states.find((state) => state === 'rebuilt') ?? 'ready'
  }

  return {
    'app.info': () =>
      ok({ version: parts.version, host: parts.host, platform: parts.platform, hasProjectId: (settings.read().projectId ?? parts.builtInProjectId) !== '' }),
    'app.settings': () => ok(settings.read()),
    'app.saveSettings'(changes) {
      const saved = settings.save(changes)
      parts.applyTheme(saved.theme)
      return ok(saved)
    },
    async 'app.clock'() {
      const desk = await parts.desk()
      return desk === null ? ok({ offsetMs: null }) : desk.handlers['app.clock']({})
    },
    async 'app.health'() {
      const desk = await parts.desk()
      const health = desk === null ? ok(await parts.ownHealth()) : await desk.handlers['app.health']({})
      return health.ok ? ok({ ...health.value, journal: journalState(desk) }) : health
    },
    async 'app.attention'() {
      const desk = await parts.desk()
      const own: Attention[] = journalAttention({
        setAside: deskJournal.setAside(),
        unreadable: deskJournal.unreadable(),
        trouble: deskJournal.trouble() ?? desk?.journal.trouble() ?? null,
        nowMs: clock.now(),
      })
      if (desk === null) return ok([...own, ...keychainAttention((await parts.ownHealth()).keychain, clock.now())])
      const rows = await desk.handlers['app.attention']({})
      return rows.ok ? ok([...own, ...rows.value]) : rows
    },
    async 'app.acceptRebuiltJournal'() {
      deskJournal.acceptRebuilt()
      const desk = await parts.desk()
      return desk === null ? ok({}) : desk.handlers['app.acceptRebuiltJournal']({})
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
