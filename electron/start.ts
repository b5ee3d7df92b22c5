import { randomBytes } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import {
  app,
  type BrowserWindow,
  ClipboardItem,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  powerMonitor,
  session,
  shell,
  systemPreferences,
  Tray,
} from 'electron'
import type { Agent } from 'undici'
import { type AppEvent, appContract, phoneContract, popoutContract, type QueryName, sharedReads } from '../shared/ipc/contract.ts'
import type { Settings } from '../shared/ipc/host/app.ts'
import { chosenLanguage, localeOf } from '../shared/text/catalogue.ts'
import { dialogText } from '../shared/text/desktop-text.ts'
import { minute, second, systemClock } from '../shared/time.ts'
import { createAppHandlers, createEvery } from './host/app/app-handlers.ts'
import { type EndOnError, onQuit, restartedAfter } from './host/app/end-on-error.ts'
import { createFolders } from './host/app/folders.ts'
import type { Log } from './host/app/log.ts'
import type { SelfCheck } from './host/app/self-check.ts'
import { createPinMemory } from './host/desktop/chromium-switches.ts'
import { installMenu } from './host/desktop/menu.ts'
import { contentSecurityPolicy, createGestures, gateRequests, guardGestures } from './host/desktop/page-gates.ts'
import { createPhoneSwitch } from './host/desktop/phone-switch.ts'
import { serveBundle } from './host/desktop/protocol.ts'
import { pageNotice, restartNotice, tellSystem } from './host/desktop/system-notice.ts'
import { type AnswerCall, type CallParts, createAnswerCall, createLateNotices } from './host/ipc/answer-call.ts'
import { bundleOrigin, createHandlerTables, serve, tableOf, tellWindows } from './host/ipc/serve.ts'
import { createSharedReads } from './host/ipc/shared-reads.ts'
import { createAppLock, createTouchId } from './host/lock/app-lock.ts'
import { guardCalls, guardOutlets } from './host/lock/gate.ts'
import { createLoginItem, linkScheme, ownProgram, packagedCommand, plainWords, readStartWords, type Starts } from './host/presence/app-start.ts'
import { createDesktopBus } from './host/presence/desktop-bus.ts'
import { createPresence } from './host/presence/presence.ts'
import { createDesktopIcon, readTrayFacts } from './host/presence/tray.ts'
import { forkKeychain, forkParsing, forkPractice } from './host/processes/forks.ts'
import { createHostProbe, createRpcAddresses } from './host/profiles/exchange-hosts.ts'
import { createPracticeProcess, practiceSeed } from './host/profiles/practice-process.ts'
import { createProfiles } from './host/profiles/profiles.ts'
import { createBackups } from './host/support/backup.ts'
import { createSupportBundle } from './host/support/bundle.ts'
import { createFeed } from './host/updates/update-files.ts'
import { createUpdates, type RunningPackage, runningPackage, type UpdateSource } from './host/updates/updates.ts'
import { denyPermissions, reopenPage, revivePage } from './host/windows/page-rules.ts'
import {
  createPhoneWindow,
  createRevealWindow,
  followVisibility,
  isSeen,
  openAppWindow,
  openPageWindow,
  openStoppedWindow,
  stoppedHost,
  stoppedPage,
  workAreas,
} from './host/windows/page-window.ts'
import { createPopouts } from './host/windows/popouts.ts'
import { endAll, sleep } from './kernel/deadline.ts'
import { newReference } from './kernel/failures.ts'
import { createCloseQuestion, createConfirm, createFileDialogs } from './kernel/files/dialogs.ts'
import { createParsing } from './kernel/parsing/parsing.ts'
import { inUserLanguage, speakToUser } from './kernel/user-language.ts'
import { concealed, createClipboard, createClipboardSource } from './keys/delivery/clipboard.ts'
import { createReveals, revealHost } from './keys/delivery/reveal.ts'
import { findAnvil, packagedResources } from './practice/chain/anvil-binary.ts'
import { createHealth } from './reads/activity/activity.ts'
import { createServiceClock } from './service/api/vital-signs.ts'
import { createPollingRate } from './service/polling/polling-rate.ts'
import { createLimiter, type Limiter } from './service/transport/limiter.ts'
import { proxyEnvironment, proxyFor } from './service/transport/system-proxy.ts'
import { migrations } from './store/journal/migrations.ts'
import { checkApart } from './store/journal/open-file.ts'
import { openJournal } from './store/journal/tables/sqlite-journal.ts'
import { createKeychain } from './store/keychain/keychain.ts'
import { createKeychainProcess, watchKeychain } from './store/keychain/keychain-process.ts'
import { createProfileStore, createSettings, practiceId } from './store/records/profile-store.ts'
import { eraseProfile, vaultAccount } from './store/secrets/erase-profile.ts'
import { openVault } from './store/secrets/vault.ts'
import { createTerminalProfiles } from './terminal/profile-access.ts'
import { createTerminal } from './terminal/terminal.ts'
import { createNoticeLog } from './workspace/notice-log.ts'
import type { Workspace } from './workspace/workspace.ts'
import { createWorkspaceSwitch } from './workspace/workspace-switch.ts'

declare const __HOOKS__: boolean
declare const __VERSION__: string
declare const __WALLETCONNECT_PROJECT_ID__: string
declare const __UPDATES__: UpdateSource | null

type NoticeEvent = Extract<AppEvent, { type: 'notice' }>

const clock = systemClock
/**
 * How long the app waits, before it opens the window, until the profile that was open last is open again. The window's content security policy must
 * contain the address of the practice relay of that profile.
 */
const patienceMs = 5 * second
const keychainTimeoutMs = 60 * second
/** How often to check that the tray icon still exists, and to show changes on it for which there is no event. */
const iconMs = 10 * second
/** Queries whose results the app's icon shows. */
const shownOnIcon: ReadonlySet<string> = new Set<QueryName>(['app.attention', 'app.health'])

const proxy = (hostUrl: string) => proxyFor(hostUrl, proxyEnvironment(process.env), (url) => session.defaultSession.resolveProxy(url))
const rendererUrl = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL
const pageUrl = (page: string) => (rendererUrl === undefined ? `app://bundle/${page}` : new URL(page, `${rendererUrl}/`).href)
/** Sets the language of the app in tests. */
const testLanguage = __HOOKS__ ? process.env.SVC_DESK_LANGUAGE : undefined
type PageName = 'index' | 'phone' | 'popout'
/** Returns the URL of a window's page. In a language other than English, the page loads through `renderer/translated.ts`. */
function windowUrl(page: PageName, choice: Settings['language']): string {
  const preferred = app.getPreferredSystemLanguages()
  const language = chosenLanguage(choice, preferred)
  const shown = testLanguage ?? language
  const query = new URLSearchParams({ ...(shown !== 'en' && { language: shown, page }), locale: localeOf(language, preferred) })
  return `${pageUrl(shown === 'en' ? `${page}.html` : 'translated.html')}?${query}`
}
const origin = rendererUrl === undefined ? bundleOrigin : { protocol: new URL(rendererUrl).protocol, host: new URL(rendererUrl).host }

/**
 * Returns the package from which the app runs, and where it gets updates. Tests set both in `SVC_DESK_UPDATES`, because they run the app without a
 * package.
 */
function updateParts(): { readonly source: UpdateSource | null; readonly running: RunningPackage | null } {
  const given = __HOOKS__ ? process.env.SVC_DESK_UPDATES : undefined
  if (given !== undefined) return JSON.parse(given) as ReturnType<typeof updateParts> // The cast is safe: the test writes this value.
  const { platform, arch, env } = process
  const packageType = () => {
    try {
      return readFileSync(join(process.resourcesPath, 'package-type'), 'utf8')
    } catch {
      return null
    }
  }
  return { source: __UPDATES__, running: runningPackage({ isPackaged: app.isPackaged, platform, arch, env, packageType }) }
}

/** State that the entry file creates before it loads this module. */
export interface StartParts {
  readonly folder: string
  /** The window that the app shows now. If the user starts the app a second time, this window comes to the front. */
  readonly shown: { window: BrowserWindow | null }
  /** Receives the command-line arguments of each further start of the app, and the links that the system opens with the app. */
  readonly starts: Starts
  readonly log: Log
  /** After an uncaught error, shuts down everything that `start` has started. */
  readonly ending: EndOnError
  /** The self-check, if this start only checks the app and then ends it; null if the app was started as usual. */
  readonly selfCheck: SelfCheck | null
}

/** Creates the app’s parts and opens its window. Call it once, when Electron is ready. Throws if another copy of the app has the journal open. */
export async function start({ folder, shown, starts, log, ending, selfCheck }: StartParts): Promise<void> {
  const at = (file: string) => join(folder, file)
  const preload = at('../preload/index.cjs')
  const folders = createFolders(app.getPath('userData'))
  const restarted = restartedAfter(process.argv)
  log.note('start', { version: __VERSION__, platform: process.platform, ...(restarted !== null && { restartedAfter: restarted }) })
  const failed = (what: string) => (error: unknown) => log.error(newReference(), what, error)
  const every = createEvery(failed('periodic work'))

  const appJournal = openJournal({ file: folders.appJournal, clock })
  ending.add(appJournal.close)
  const settings = createSettings(appJournal.records)
  const store = createProfileStore(appJournal.records)
  const address = (page: PageName) => windowUrl(page, settings.read().language)
  const zoomFactor = () => settings.read().textSize / 100
  const speak = () => speakToUser(testLanguage ?? chosenLanguage(settings.read().language, app.getPreferredSystemLanguages()))
  await speak()

  const bus = createDesktopBus({ platform: process.platform, env: process.env })
  const program = ownProgram({ execPath: process.execPath, appPath: app.getAppPath(), packaged: app.isPackaged, env: process.env })
  const loginItem = createLoginItem({ platform: process.platform, app, program, env: process.env, home: app.getPath('home') })
  /** True if the system notifies the app when the screen is locked. */
  let seesScreenLock = process.platform !== 'linux'
  const keychainProcess = createKeychainProcess({ fork: () => forkKeychain(at('keychain-worker.js')), timeoutMs: keychainTimeoutMs })
  // Practice has its own keychain, so that it can never read, write or remove an entry of a profile of a real exchange.
  const keychains = {
    live: createKeychain({ process: keychainProcess, service: 'Svc Desk' }),
    practice: createKeychain({ process: keychainProcess, service: 'Svc Desk Practice' }),
  }
  const parsing = createParsing({ fork: () => forkParsing(at('parsing-worker.js'), at('parsing-thread.js')) })
  const secretClipboard = createClipboard({
    system: clipboard,
    writeSecret: async (text) => clipboard.write([new ClipboardItem(concealed(text, process.platform))]),
  })
  const reveals = createReveals()
  const revealWindow = createRevealWindow({ reveals, parent: () => shown.window })
  const limiters = new Map<string, Limiter>()
  const limiterOf = (hostUrl: string): Limiter => {
    const limiter = limiters.get(hostUrl) ?? createLimiter({ clock, sleep })
    limiters.set(hostUrl, limiter)
    return limiter
  }

  const phoneWindow = createPhoneWindow({ url: () => address('phone'), preload, devTools: !app.isPackaged, zoomFactor })
  const appWindows = () => (shown.window === null ? [] : [shown.window])
  const popouts = createPopouts({
    records: appJournal.records,
    profileId: () => (shown.window === null || presence.isAway() || lock.locked() || workspace.current() === null ? null : store.activeId()),
    workAreas,
    zoomFactor,
    url: () => address('popout'),
    open: (url, takesFocus, options) => {
      const opened = openPageWindow({ url, preload, devTools: !app.isPackaged, zoomFactor: zoomFactor(), takesFocus, options })
      followVisibility(opened, lookAtWindows)
      revivePage(opened.webContents, { clock, reloads: failed('window'), givesUp: () => opened.destroy() })
      return opened
    },
    openInMain: (to) => systemNotices.open(to),
  })
  const readingWindows = () => [...appWindows(), ...popouts.windows()]
  const allWindows = () => [...readingWindows(), ...phoneWindow.windows()]
  const lookAtWindows = () => pollingRate.shown(readingWindows().some(isSeen))
  const reads = createSharedReads({
    reads: sharedReads,
    clock,
    windows: readingWindows,
    // If the user switches wallets, the main window drops the old wallet's data before the main process knows of the switch. The main process must
    // therefore not push wallet data to the main window (AUTH-03).
    mayHear: (window, { of }) => of === 'app' || window !== shown.window,
    tell: (window, event) => tellWindows(() => [window])(event),
  })
  const tellMain = tellWindows(() => [...appWindows(), ...phoneWindow.windows()])
  const send = (event: AppEvent) => {
    tellMain(event)
    if (event.type !== 'invalidate') return
    if (event.queries.some((name) => shownOnIcon.has(name))) void icon.refresh()
    reads.changed(event.queries)
    popouts.tell(event)
  }

  const touchId = createTouchId(systemPreferences, () => inUserLanguage(() => dialogText.touchIdReason))
  const lock = createAppLock({
    touchId,
    path: folders.lock,
    clock,
    every,
    emit: send,
    page: () => ({ theme: settings.read().theme, practice: store.activeId() === practiceId }),
    hide: () => {
      reads.changed()
      popouts.leave()
      revealWindow.close()
      phoneWindow.close()
      terminal.endGrants()
      backups.rest()
      const rests = [workspace.current()?.rest(), rpcVault.rest(), keychainProcess.rest(), secretClipboard.clear()]
      for (const rest of rests) rest?.catch(failed('lock'))
    },
    profileId: () => store.activeId(),
    reload: () => {
      if (shown.window !== null) reopenPage(shown.window.webContents, address('index'))
    },
    keepNotice: (notice) => keepNotice(notice),
    changed: () => {
      showMenu()
      void icon.refresh()
      presence.unlocked()
      popouts.restore()
    },
  })
  const { broadcast } = lock
  const lateNotices = createLateNotices(broadcast)
  /**
   * The time that windows show: the service's time in the open profile. Data that belongs to no profile uses it too, because a window has one clock.
   */
  const shownTime = createServiceClock(clock, { clockOffsetMs: () => workspace.current()?.clockOffsetMs() ?? null })
  const ownNotices = createNoticeLog({ profile: 'app', records: appJournal.records, clock: shownTime })
  const keepNotice = (notice: NoticeEvent) => {
    try {
      ownNotices.add(notice, null)
    } catch (error) {
      failed('notice')(error)
    }
    broadcast({ type: 'invalidate', queries: ['notices.list'] })
  }
  const showLater = (notice: NoticeEvent) => {
    keepNotice(notice)
    lateNotices.add(notice)
  }
  /** Sends an event that belongs to no profile to the windows. */
  const emit = (event: AppEvent) => {
    if (event.type === 'notice') keepNotice(event)
    broadcast(event)
  }
  const systemNotices = {
    locked: lock.locked,
    hidesAmounts: () => settings.read().hideAmounts,
    hasFocus: () => !presence.isAway() && allWindows().some((window) => window.isFocused()),
    open: (to: string | null) => presence.openPage(to),
  }
  const unlocked = () => !lock.locked()
  const showMenu = () =>
    installMenu({
      platform: process.platform,
      packaged: app.isPackaged,
      lockNow: lock.isSet() && !lock.locked() ? lock.now : null,
      checkForUpdates: () => {
        presence.openPage('/settings/updates')
        void updates.check().catch(failed('updates'))
      },
    })
  const outlets = guardOutlets(
    {
      confirm: createConfirm({ dialog, window: () => shown.window }),
      files: createFileDialogs({ dialog, shell, window: () => shown.window }),
      reveal: revealWindow.show,
      clipboard: secretClipboard,
    },
    lock.locked,
  )

  let phoneAgent: Promise<Agent> | null = null
  const phone = createPhoneSwitch({
    dispatcher: () => {
      phoneAgent ??= import('undici').then((undici) => new undici.Agent())
      return phoneAgent
    },
    sleep,
    onChange: () => broadcast({ type: 'invalidate', queries: ['phone.state'] }),
  })
  const pollingRate = createPollingRate({ clock, onChange: () => broadcast({ type: 'invalidate', queries: ['app.pollingRate'] }) })
  every(second, pollingRate.tick)

  const rpcVault = openVault({ journal: appJournal, secrets: keychains.live, account: vaultAccount('desk'), mayKeep: unlocked })
  const rpcAddresses = createRpcAddresses(rpcVault.records)
  const workspace = createWorkspaceSwitch(async (profile): Promise<Workspace> => {
    phone.connect(profile.kind === 'practice' ? profile.descriptor : null)
    revealWindow.close()
    popouts.leave()
    reads.changed()
    const hostUrl = profile.kind === 'practice' ? profile.descriptor.hostUrl : profile.hostUrl
    const limiter = limiterOf(hostUrl)
    const { buildWorkspace } = await import('./workspace/workspace.ts')
    const journalFile = folders.profileJournal(profile.id)
    await checkApart({ file: journalFile, nowMs: clock.now() }, at('check-thread.js'))
    return buildWorkspace({
      profile,
      clock,
      limiter,
      journalFile,
      secrets: keychains[profile.kind],
      clipboard: outlets.clipboard,
      clipboardSource: createClipboardSource(clipboard),
      files: outlets.files,
      parsing,
      outlets: { reveal: outlets.reveal, confirm: outlets.confirm, unlocked, env: process.env, home: app.getPath('home') },
      version: __VERSION__,
      proxy: await proxy(hostUrl),
      secondProxy: await proxy(profile.secondHostUrl ?? hostUrl),
      emit: (event) => {
        if (event.type !== 'notice' || event.quiet !== true) broadcast(event)
        tellSystem(event, systemNotices)
      },
      every,
      log: log.note,
      onLimited: pollingRate.refused,
      projectId: () => settings.read().projectId ?? __WALLETCONNECT_PROJECT_ID__,
      rpcUrl: () => rpcAddresses.of(profile.id),
    })
  })

  const practice = createPracticeProcess({
    fork: (options) => forkPractice(at('sandbox.js'), options),
    options: { dataDir: folders.practiceData, seed: practiceSeed(appJournal.records), port: 0 },
    unavailable: () => {
      const found = findAnvil({ platform: process.platform, arch: process.arch, resources: packagedResources() })
      return found.ok ? null : { kind: 'practice_unavailable', why: found.failure.kind, system: found.failure.system, npmPackage: found.failure.npmPackage }
    },
    attachTo: __HOOKS__ ? (process.env.SVC_DESK_PRACTICE_DESCRIPTOR ?? null) : null,
    onLost: () => void profiles.recoverPractice().catch(failed('practice')),
  })

  const eraseData = (profileId: string) =>
    eraseProfile({ folder: folders.profile(profileId), journal: folders.profileJournal(profileId), profileId, secrets: keychains.live, clock })
  const profiles = createProfiles({
    store,
    rpcAddresses,
    practice,
    workspace,
    probe: createHostProbe({
      clock,
      version: __VERSION__,
      dispatcherFor: async (url) => (await import('./service/transport/dispatcher.ts')).createDispatcher(url, await proxy(url.href)),
    }),
    clock,
    pinnedRouter: createPinMemory(appJournal.records, () => workspace.current()),
    secondHostChanged: (profileId, hostUrl) => {
      const open = workspace.current()
      if (open?.profileId === profileId)
        void proxy(hostUrl ?? open.hostUrl)
          .then((way) => open.readBySecondHost(hostUrl, way))
          .catch(failed('second host'))
    },
    eraseData,
    reload: () => {
      broadcast({ type: 'reload' })
      popouts.restore()
    },
    showPhone: phoneWindow.show,
    closePhone: phoneWindow.close,
    pair: phone.pair,
  })
  // Only Electron's process object has the function `crash`. The stand-in runs the app in plain Node, which lacks it.
  const host = 'crash' in process ? 'electron' : 'stand-in'
  const appHandlers = createAppHandlers({
    version: __VERSION__,
    host,
    platform: process.platform,
    builtInProjectId: __WALLETCONNECT_PROJECT_ID__,
    settings,
    appJournal,
    ownHealth: createHealth({ api: null, secrets: watchKeychain(keychains.live, clock), journal: appJournal, clock }).read,
    ownNotices,
    workspace: workspace.settled,
    clipboard: secretClipboard,
    openExternal: (url) => shell.openExternal(url),
    hasTray: () => icon.ensureTray(),
    seesScreenLock: () => seesScreenLock,
    hasTouchId: touchId.isReady,
    loginItem,
    applyTheme: (theme) => {
      nativeTheme.themeSource = theme
    },
    applyTextSize: (textSize) => {
      for (const { webContents } of allWindows()) webContents.setZoomFactor(textSize / 100)
    },
    languageChanged: () => {
      void speak()
        .then(() => {
          showMenu()
          return icon.refresh()
        })
        .catch(failed('language'))
      phoneWindow.reopen()
      popouts.reopen()
      broadcast({ type: 'reopen' })
    },
    notify: emit,
    reload: (notice) => {
      showLater(notice)
      broadcast({ type: 'reload' })
    },
    clock: shownTime,
  })

  const backups = createBackups({
    version: __VERSION__,
    clock: shownTime,
    files: outlets.files,
    home: app.getPath('home'),
    unlocked,
    workspace: workspace.settled,
    store,
    settings: appJournal.records.settings,
    settingsRestored: () => {
      nativeTheme.themeSource = settings.read().theme
    },
    appVault: rpcVault.records,
    folders,
    secrets: keychains.live,
    eraseData,
    tryKeys: async (hostUrl) => {
      const { createHostClient } = await import('./service/api/client.ts')
      const { createKeyTrial } = await import('./keys/imported/key-import.ts')
      const api = createHostClient({ hostUrl, clock, limiter: limiterOf(hostUrl), version: __VERSION__, proxy: await proxy(hostUrl) })
      return { ...createKeyTrial({ api }), close: api.close }
    },
  })
  const supportBundle = createSupportBundle({
    info: () => ({ version: __VERSION__, host, platform: process.platform, packaged: app.isPackaged }),
    clock: shownTime,
    settings: settings.read,
    isLockSet: lock.isSet,
    health: async () => appHandlers['app.health']({}),
    store,
    workspace: workspace.settled,
    folders,
    keychains,
    files: outlets.files,
    home: app.getPath('home'),
    ownNames: [hostname(), basename(app.getPath('home'))],
  })

  const newId = () => randomBytes(16).toString('hex')
  const terminal = createTerminal({
    userData: app.getPath('userData'),
    platform: process.platform,
    profiles: createTerminalProfiles({
      store,
      workspace: workspace.settled,
      journalFile: folders.profileJournal,
      secrets: keychains.live,
      clock,
      newId,
      unlocked,
    }),
    ownProgram: app.isPackaged ? packagedCommand(process.resourcesPath, process.platform) : realpathSync(process.execPath),
    clock: shownTime,
    newId,
    emit,
    attract: () => presence.present(),
    unlocked,
    log,
  })

  const updates = createUpdates({
    ...updateParts(),
    version: __VERSION__,
    journal: migrations.length,
    records: appJournal.records,
    settings,
    clock,
    shownTime,
    hasExchange: () => store.list().length > 0,
    openFeed: async (feed) => {
      const { createDispatcher } = await import('./service/transport/dispatcher.ts')
      return createFeed(feed, createDispatcher(new URL(feed), await proxy(feed)), __VERSION__)
    },
    workspace: workspace.settled,
    locked: lock.locked,
    emit: (event) => {
      emit(event)
      tellSystem(event, systemNotices)
    },
    openExternal: (url) => shell.openExternal(url),
    restart: (file) => {
      app.relaunch({ execPath: file, args: plainWords(process.argv) })
      app.quit()
    },
  })
  const gestures = createGestures(clock)
  const openWindow = (appears: () => boolean) => {
    const opened = openAppWindow({
      url: address('index'),
      preload,
      devTools: !app.isPackaged,
      zoomFactor: zoomFactor(),
      appears,
      records: appJournal.records,
    })
    followVisibility(opened, lookAtWindows)
    gestures.follow(opened.webContents)
    opened.webContents.on('did-navigate', updates.pageGone)
    opened.on('closed', updates.pageGone)
    revivePage(opened.webContents, {
      clock,
      reloads: (how) => {
        failed('window')(how)
        showLater(pageNotice)
      },
      givesUp: (how) => {
        failed('window')(how)
        openStoppedWindow(presence.present)
        opened.destroy()
      },
    })
    return opened
  }
  const presence = createPresence<BrowserWindow>({
    app,
    startAgain: () => app.relaunch({ args: plainWords(process.argv) }),
    shown,
    open: openWindow,
    hasTray: () => icon.ensureTray(),
    choice: () => settings.read().whenClosed,
    keepChoice: (whenClosed) => {
      settings.save({ whenClosed })
      broadcast({ type: 'invalidate', queries: ['app.settings'] })
    },
    ask: createCloseQuestion({ dialog, window: () => shown.window }),
    locked: lock.locked,
    tell: broadcast,
    left: () => {
      popouts.leave()
      revealWindow.close()
    },
    returned: () => popouts.restore(),
    closed: phoneWindow.close,
    sleep,
    failed: failed('window'),
  })
  const icon = createDesktopIcon({
    platform: process.platform,
    app,
    hasTray: bus.hasTray,
    makeTray: (image) => new Tray(image),
    makeMenu: (items) => Menu.buildFromTemplate(items),
    images: nativeImage,
    window: () => shown.window,
    program,
    read: (before) =>
      readTrayFacts(
        { handlers: appHandlers, hasProfile: () => workspace.current() !== null, isGatewayOn: () => workspace.current()?.gateway.status().isOn === true, lock },
        before,
      ),
    actions: {
      open: presence.present,
      stop: () => presence.openPage('/trade/stop'),
      // Works while the app is locked, too: the gateway needs no window and no secret to pause its bots.
      pauseBots: () => void workspace.current()?.gateway.pause(null),
      practice: () => presence.openPage('/connect'),
      lockNow: lock.now,
      quit: () => app.quit(),
    },
    failed: failed('tray'),
  })
  every(iconMs, async () => {
    await presence.look()
    await icon.refresh()
  })
  every(iconMs, updates.look)
  const always = {
    ...appHandlers,
    ...popouts.handlers,
    ...pollingRate.handlers,
    ...lock.handlers,
    ...profiles.handlers,
    ...backups.handlers,
    ...supportBundle,
    ...updates.handlers,
    ...terminal.handlers,
  }
  const whileOpen = (definitions: CallParts['definitions'], answerCall: AnswerCall) => guardCalls(answerCall, definitions, lock.locked)
  const answerApp = createAnswerCall({ definitions: appContract, handlers: createHandlerTables({ always, workspace }), log })
  const answerPopout = createAnswerCall({ definitions: popoutContract, handlers: createHandlerTables({ always, workspace }), log })
  const answerPhone = createAnswerCall({ definitions: phoneContract, handlers: () => tableOf(phone.handlers), log })
  serve({
    ipc: ipcMain,
    origin,
    audiences: [
      {
        windows: appWindows,
        answerCall: reads.share(presence.watch(popouts.watch(lateNotices.watch(whileOpen(appContract, guardGestures(answerApp, gestures.take))))), appContract),
      },
      { windows: popouts.windows, answerCall: reads.share(whileOpen(popoutContract, answerPopout), popoutContract) },
      { windows: phoneWindow.windows, answerCall: whileOpen(phoneContract, answerPhone) },
    ],
  })

  // An app that is not packaged must not register for these links. Otherwise, it would take the links from the installed app.
  if (app.isPackaged && selfCheck === null) app.setAsDefaultProtocolClient(linkScheme, program.path, [...program.words, '--'])
  nativeTheme.themeSource = settings.read().theme
  denyPermissions(session.defaultSession)
  const practiceRelay = () => workspace.current()?.practiceRelay ?? null
  gateRequests(session.defaultSession, { practiceRelay, devServer: rendererUrl ?? null })
  showMenu()
  serveBundle({
    root: at('../renderer'),
    policy: () => contentSecurityPolicy(practiceRelay()),
    hosts: { [revealHost]: reveals.answer, [stoppedHost]: () => stoppedPage(folders.log) },
  })

  // macOS passes no command-line arguments to an app that it starts at login, so ask Electron.
  const isLoginOnMac = () => process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  app.on('window-all-closed', () => app.quit())
  app.on('activate', () => presence.present())
  starts.take((argv) => {
    const { lock: locks, page } = readStartWords(argv)
    if (locks) lock.now()
    presence.openPage(page)
  })
  powerMonitor.on('resume', () => {
    pollingRate.asleep(false)
    workspace.current()?.wake().catch(failed('wake'))
  })
  powerMonitor.on('suspend', () => {
    pollingRate.asleep(true)
    lock.screenGone()
  })
  powerMonitor.on('unlock-screen', () => pollingRate.asleep(false))
  const screenLocked = () => {
    pollingRate.asleep(true)
    lock.screenGone()
    revealWindow.close()
    secretClipboard.clear().catch(failed('clipboard'))
  }
  powerMonitor.on('lock-screen', screenLocked)
  const followScreen = async () => {
    if (seesScreenLock) return
    const ended = () => {
      seesScreenLock = false
    }
    seesScreenLock = await bus.followScreen((isLocked) => (isLocked ? screenLocked() : pollingRate.asleep(false)), ended)
  }
  void followScreen().catch(failed('screen lock'))
  every(minute, followScreen)
  const ends = [
    icon.close,
    bus.stop,
    popouts.leave,
    revealWindow.close,
    terminal.close,
    updates.close,
    secretClipboard.clear,
    () => phone.connect(null),
    workspace.close,
    practice.stop,
    keychainProcess.close,
  ]
  ending.add(...ends)
  onQuit(app, {
    ending,
    first: ends,
    // Close the app's journal last, because each window stores its position in that journal while it closes.
    last: appJournal.close,
    failed: failed('quit'),
  })

  if (selfCheck !== null)
    return selfCheck.run({
      version: __VERSION__,
      host,
      open: () => {
        shown.window = openWindow(() => false)
        return shown.window.webContents
      },
      probeKeychain: keychains.live.probe,
      practice,
      end: () => endAll([...ends, appJournal.close], failed('self-check')),
    })

  const resumed = profiles
    .resume()
    .then(({ ok }) => ok)
    .catch((error: unknown) => {
      failed('the profile of the last time')(error)
      return false
    })
    .then((isOpen) => {
      if (restarted === null) return
      const notice = restartNotice(restarted, isOpen)
      showLater(notice)
      tellSystem(notice, systemNotices)
    })
  const inTime = await Promise.race([resumed.then(() => true), sleep(patienceMs).then(() => false)])
  await icon.ensureTray()
  const { hidden, lock: locks, page } = readStartWords(process.argv)
  if (locks) lock.now()
  void presence.start(hidden || isLoginOnMac()).catch(failed('window'))
  if (page !== null) presence.openPage(page)
  void icon.refresh()
  void resumed.then(popouts.restore)
  await terminal.open()
  if (!inTime) void resumed.then(() => broadcast({ type: 'reload' }))
}
