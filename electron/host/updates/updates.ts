import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { UpdateState, UpdateWait, updates } from '../../../shared/ipc/host/app.ts'
import { ok } from '../../../shared/result.ts'
import { type Clock, hour, second } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { IntentLog, IntentRow } from '../../store/journal/journal.ts'
import type { SettingsStore } from '../../store/records/profile-store.ts'
import type { Records } from '../../store/records/registry.ts'
import { judgeRelease, longestStatement, type Release, type ReleaseFile, type ReleaseKind, statementFile } from './release-statement.ts'
import { download, type Feed, install, isDownloaded, isReplaceable, removeDownload } from './update-files.ts'

/** Where this build gets its updates. */
export interface UpdateSource {
  /** The folder of the update server, with a slash at its end. */
  readonly address: string
  /** The public keys that may sign a release: SPKI in base64. */
  readonly keys: readonly string[]
}

export interface RunningPackage {
  readonly platform: string
  readonly arch: string
  readonly kind: ReleaseKind
  readonly file: string | null
}

/** The parts of the open profile that show which work a restart would interrupt. */
export interface UpdatesWorkspace {
  readonly profileId: string
  readonly journal: { readonly intents: Pick<IntentLog, 'open'> }
  readonly handlers: Handlers<'bulkActions.state' | 'revokeAll.state' | 'replacements.list' | 'lab.state'>
}

export interface UpdatesParts {
  /** Where this build gets its updates; null if it has no update server. */
  readonly source: UpdateSource | null
  /** The package from which the app runs; null if the app runs from its source. */
  readonly running: RunningPackage | null
  readonly version: string
  /** The version of the journal's tables in this build. */
  readonly journal: number
  readonly records: Pick<Records, 'updates'>
  readonly settings: Pick<SettingsStore, 'read'>
  readonly clock: Clock
  /** The time that the windows show: this computer's time, corrected by the service's clock. */
  readonly shownTime: Clock
  /** Whether the user has added an exchange. False if the user only uses practice mode. */
  readonly hasExchange: () => boolean
  readonly openFeed: (address: string) => Promise<Feed>
  readonly workspace: () => Promise<UpdatesWorkspace | null>
  readonly locked: () => boolean
  readonly emit: (event: AppEvent) => void
  readonly openExternal: (url: string) => Promise<void>
  /** Ends this copy of the app and starts the program `file`. */
  readonly restart: (file: string) => void
}

export interface Updates {
  /**
   * Looks for an update if that is due. If a restart would interrupt nothing now, shows a notice that has waited for this. Call it every few
   * seconds.
   */
  look(): Promise<void>
  /** Asks the update server for an update, even if no look is due yet. */
  check(): Promise<void>
  /** Call this when the page of the main window is gone. The app then drops the unfinished work that the page reported. */
  pageGone(): void
  close(): Promise<void>
  readonly handlers: Handlers<keyof typeof updates>
}

/** The time from one look for updates to the next, in ms. `unreachable` applies if the server did not respond to the last look. */
const dueMs = { usual: 12 * hour, unreachable: hour }
/** The least time between two events about the progress of a download, in ms. */
const progressMs = second / 2
const key = {}

type Work = 'check' | 'download' | 'install'

interface Offer {
  readonly release: Release
  readonly file: ReleaseFile
  readonly way: 'install' | 'command' | 'page'
  readonly isUnsupported: boolean
}

/**
 * Looks for updates, downloads and installs them. The app trusts only the signed statement, not the server that sends it. While a restart would
 * interrupt work, such as a request to the wallet, the app neither offers nor installs an update. The app installs an update only if the user asks
 * for it.
 */
export function createUpdates(parts: UpdatesParts): Updates {
  const { source, running, version, records, settings, clock, shownTime, workspace, emit } = parts
  let checked: UpdateState['checked'] = null
  let checkedAtMs: number | null = null
  let offer: Offer | null = null
  let progress: UpdateState['download'] = { state: 'none' }
  let isHeld = false
  let isClosed = false
  let feed: Promise<Feed> | null = null
  /** The running check, download or installation; null if there is none. The app runs only one of them at a time. */
  let work: { readonly kind: Work; readonly done: Promise<void> } | null = null

  const changed = () => emit({ type: 'invalidate', queries: ['updates.state'] })
  const off = (): UpdateState['off'] => (running === null ? 'source' : source === null ? 'no_address' : null)
  const waits = async (): Promise<UpdateWait | null> => (isHeld ? 'wallet' : waitOf(await workspace(), shownTime.now()))

  const alone = (kind: Work, task: () => Promise<void>): Promise<void> => {
    const done = task().finally(() => {
      work = null
      changed()
    })
    work = { kind, done }
    return done
  }

  const openFeed = (address: string): Promise<Feed> => {
    feed ??= parts.openFeed(address)
    return feed
  }
  /** Closes the connections to the update server. The next connection reads the proxy settings again. */
  const closeFeed = async (): Promise<void> => {
    const open = feed
    feed = null
    await (await open?.catch(() => null))?.close()
  }

  const ask = async (server: UpdateSource, own: RunningPackage): Promise<void> => {
    checkedAtMs = clock.now()
    const text = await openFeed(server.address)
      .then((open) => open.text(statementFile, longestStatement))
      .catch(() => null)
    await closeFeed()
    const note = (outcome: NonNullable<UpdateState['checked']>['outcome']) => {
      checked = { atMs: shownTime.now(), outcome }
    }
    // If the server does not respond, keep an earlier offer, because its statement was signed.
    if (text === null) return note('unreachable')
    const before = records.updates.read(key)
    const { verdict, seen } = judgeRelease({ text, keys: server.keys, current: version, seen: before, nowMs: clock.now(), ...own })
    if (seen !== null) records.updates.write(key, { ...seen, noticed: before?.noticed ?? null })
    note(verdict.outcome)
    const { file } = own
    if (verdict.outcome !== 'newer') {
      offer = null
      progress = { state: 'none' }
      if (file !== null && verdict.outcome === 'current') await removeDownload(file).catch(() => undefined)
      return
    }
    const canInstall = file !== null && (await isReplaceable(file))
    offer = { ...verdict, way: canInstall ? 'install' : own.kind === 'deb' || own.kind === 'rpm' ? 'command' : 'page' }
    progress = { state: canInstall && (await isDownloaded(file, verdict.file)) ? 'ready' : 'none' }
  }

  const check = async (): Promise<void> => {
    if (source === null || running === null || isClosed || (work !== null && work.kind !== 'check')) return
    await (work?.done ?? alone('check', () => ask(source, running)))
  }
  const fetchUpdate = (file: string, { file: wanted }: Offer, { address }: UpdateSource) =>
    alone('download', async () => {
      progress = { state: 'running', bytes: 0 }
      changed()
      let saidAtMs = 0
      try {
        const got = await download({
          feed: await openFeed(address),
          file,
          wanted,
          progress: (bytes) => {
            progress = { state: 'running', bytes }
            const now = clock.monotonic()
            if (now - saidAtMs < progressMs) return
            saidAtMs = now
            changed()
          },
        })
        progress = got.ok ? { state: 'ready' } : { state: 'failed', issue: got.failure }
      } catch (error) {
        progress = { state: 'failed', issue: 'disk' }
        throw error
      } finally {
        await closeFeed()
      }
    })

  const installUpdate = (file: string, { file: wanted }: Offer) =>
    alone('install', async () => {
      const installed = await install(file, wanted)
      if (installed.ok) parts.restart(file)
      else progress = { state: 'failed', issue: installed.failure }
    })
  /** Whether a download or an installation may start. Waits for a running check first, because the check may change the offer. */
  const isFree = async (): Promise<boolean> => {
    if (work?.kind === 'check') await work.done.catch(() => undefined)
    return (await waits()) === null && work === null
  }

  /** Shows the notice about an update, once for each version. */
  const giveNotice = async (): Promise<void> => {
    const found = offer
    if (found === null || parts.locked()) return
    const { version: offered } = found.release
    if (records.updates.read(key)?.noticed === offered || (await waits()) !== null) return
    // While this function waited, another look may have shown the notice or replaced the offer.
    const seen = records.updates.read(key)
    if (seen === null || seen.noticed === offered || offer !== found) return
    records.updates.write(key, { ...seen, noticed: offered })
    const severity = found.isUnsupported ? 'warn' : 'info'
    emit({ type: 'notice', severity, notice: { code: 'update_available', version: offered }, to: '/settings/updates', system: 'away' })
  }

  const isDue = (): boolean => {
    if (off() !== null || !settings.read().looksForUpdates || !parts.hasExchange()) return false
    const passedMs = checkedAtMs === null ? null : clock.now() - checkedAtMs
    // The time since the last look is negative if the user has set the clock back.
    return passedMs === null || passedMs < 0 || passedMs >= (checked?.outcome === 'unreachable' ? dueMs.unreachable : dueMs.usual)
  }

  const state = async (): Promise<UpdateState> => ({
    off: off(),
    checked,
    offer: offer === null || source === null ? null : shownOffer(offer, source, parts.journal),
    download: progress,
    waits: await waits(),
  })
  const urlOf = ({ address }: UpdateSource, { name }: ReleaseFile): string => new URL(name, address).href

  return {
    async look() {
      if (isDue()) await check()
      await giveNotice()
    },
    check,
    pageGone() {
      isHeld = false
      changed()
    },
    async close() {
      isClosed = true
      await closeFeed()
      await work?.done.catch(() => undefined)
    },
    handlers: {
      'updates.state': async () => ok(await state()),
      async 'updates.check'() {
        await check()
        return ok(await state())
      },
      async 'updates.download'() {
        const file = running?.file ?? null
        const canStart = await isFree()
        if (canStart && progress.state !== 'ready' && file !== null && source !== null && offer?.way === 'install')
          void fetchUpdate(file, offer, source).catch(() => undefined)
        return ok(await state())
      },
      async 'updates.install'() {
        const file = running?.file ?? null
        const canStart = await isFree()
        if (canStart && progress.state === 'ready' && file !== null && offer !== null) await installUpdate(file, offer)
        return ok(await state())
      },
      async 'updates.open'() {
        if (source !== null && offer !== null) await parts.openExternal(urlOf(source, offer.file))
        return ok({})
      },
      'updates.hold'({ held }) {
        isHeld = held
        changed()
        return ok({})
      },
    },
  }

  function shownOffer({ release, file, way, isUnsupported }: Offer, from: UpdateSource, journal: number): UpdateState['offer'] {
    return {
      version: release.version,
      bytes: file.size,
      way,
      command: way === 'command' ? commandFor(file, urlOf(from, file)) : null,
      newerData: release.journal > journal,
      unsupported: isUnsupported,
    }
  }
}

/**
 * Returns the command that downloads a Debian or RPM package, compares it with the signed statement, and installs it. Inside quotes, a shell gives
 * no character of `url` or of the file’s name a special meaning.
 */
export function commandFor({ kind, name, sha512 }: ReleaseFile, url: string): string {
  const sum = Buffer.from(sha512, 'base64').toString('hex')
  return `curl -fLO '${url}' && echo '${sum}  ${name}' | sha512sum -c && sudo ${kind === 'rpm' ? 'dnf' : 'apt'} install './${name}'`
}

/** Returns the work in a profile that a restart would interrupt; null if there is none. */
async function waitOf(open: UpdatesWorkspace | null, nowMs: number): Promise<UpdateWait | null> {
  if (open === null) return null
  const { handlers, journal, profileId } = open
  if (journal.intents.open(profileId).some((intent) => isUnderWay(intent, nowMs))) return 'order'
  const [bulk, revocation, replacements, lab] = await Promise.all([
    handlers['bulkActions.state']({}),
    handlers['revokeAll.state']({}),
    handlers['replacements.list']({}),
    handlers['lab.state']({}),
  ])
  if (bulk.ok && bulk.value.state === 'open') return 'bulk_action'
  if (revocation.ok && revocation.value.state === 'running') return 'revoke_all'
  if (replacements.ok && replacements.value.some(({ now }) => now.state === 'granting' || now.state === 'revoking')) return 'replacement'
  return lab.ok && lab.value.status === 'listening' ? 'lab' : null
}

/** Whether an intent waits for the wallet, has an unknown outcome, or may still have an open signing sheet. */
const isUnderWay = ({ state, deadlineMs }: IntentRow, nowMs: number): boolean =>
  state === 'PREPARED' ? deadlineMs !== null && deadlineMs > nowMs : ['ASKED', 'SIGNED', 'SENT', 'UNKNOWN'].includes(state)

interface Installation {
  readonly isPackaged: boolean
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly env: NodeJS.ProcessEnv
  /** Reads the file in which a Debian or RPM package names its kind; null if there is no such file. */
  readonly packageType: () => string | null
}

/** Returns the package from which the app runs; null if the app runs from its source. */
export function runningPackage({ isPackaged, platform, arch, env, packageType }: Installation): RunningPackage | null {
  if (!isPackaged) return null
  const one = (kind: ReleaseKind, file: string | null = null): RunningPackage => ({ platform, arch, kind, file })
  if (platform === 'darwin') return one('dmg')
  if (platform === 'win32') return one('nsis')
  if (env.APPIMAGE !== undefined) return one('AppImage', env.APPIMAGE)
  const kind = packageType()?.trim()
  return one(kind === 'deb' || kind === 'rpm' ? kind : 'zip')
}
