import type { App, BrowserWindow } from 'electron'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { Settings } from '../../../shared/ipc/host/app.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import { bringForward } from '../app/folders.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

/** What the user chose for closing the main window. null: the user cancelled, so the window stays open. */
export type CloseChoice = Exclude<Settings['whenClosed'], 'ask'> | null

type MainWindow = Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'hide' | 'focus' | 'close' | 'isDestroyed' | 'isVisible'> & {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown
  on(event: 'closed', listener: () => void): unknown
  readonly webContents: Pick<BrowserWindow['webContents'], 'on'>
}

export interface PresenceParts<W extends MainWindow> {
  readonly app: Pick<App, 'on'>
  /** Schedules a restart of the app for the moment when this process has ended. */
  readonly startAgain: () => void
  /** Contains the main window; null if there is none. Other parts of the app read the window from here. */
  readonly shown: { window: W | null }
  /** Creates the main window. Once the window has painted, it calls `appears`, and becomes visible only if `appears` returns true. */
  readonly open: (appears: () => boolean) => W
  /** Whether the desktop shows tray icons now. */
  readonly hasTray: () => Promise<boolean>
  readonly choice: () => Settings['whenClosed']
  readonly keepChoice: (choice: Exclude<CloseChoice, null>) => void
  readonly ask: () => Promise<CloseChoice>
  readonly locked: () => boolean
  readonly tell: (event: AppEvent) => void
  /** `left` is called when the main window leaves the screen, and `returned` when the window is back. */
  readonly left: () => void
  readonly returned: () => void
  /** Called after the main window has closed. It must close everything that may stay open only together with that window. */
  readonly closed: () => void
  readonly sleep: Sleep
  readonly failed: (error: unknown) => void
}

export interface Presence {
  /**
   * Opens the main window when the app starts. `hidden`: the system started the app at login, so the window stays in the tray. If the desktop has no
   * tray, the window appears.
   */
  start(hidden: boolean): Promise<void>
  /** Brings the main window to the front, even from the tray. Opens the window if there is none. */
  present(): void
  /** Shows the main window as `present` does, and then opens a page in it: at once, or as soon as the app is unlocked and the window has loaded. */
  openPage(to: string | null): void
  /** Whether the main window is hidden in the tray. */
  isAway(): boolean
  /**
   * Checks whether the desktop has a tray. If the main window is hidden and the tray stays missing, shows the window again. Call it every ten
   * seconds.
   */
  look(): Promise<void>
  /** Must be called after the user has unlocked the app. */
  unlocked(): void
  /** Wraps the calls from the main window’s page. So the app notices when the page is ready, and opens the route that was requested before. */
  watch(answerCall: AnswerCall): AnswerCall
}

/** How many times, and how often (in ms), the app looks for the tray after a start at login. The app may start before the desktop shows its tray. */
const trayAppears = { tries: 10, everyMs: second }
/** How many times in a row the tray must be missing before the window reappears. A desktop that restarts its panel has no tray for a moment. */
const trayLeaves = { looks: 3 }

/**
 * Keeps the main window reachable. Closing the window hides it in the tray or ends the app, and starting the app again always brings the window
 * back. A hidden window keeps its page, and therefore its wallet connection and reminders.
 */
export function createPresence<W extends MainWindow>(parts: PresenceParts<W>): Presence {
  const { app, startAgain, shown, open, hasTray, choice, keepChoice, ask, locked, tell, left, returned, closed, sleep, failed } = parts
  let isQuitting = false
  let isStarted = false
  let isAway = false
  let startsAgain = false
  /** Whether the app is deciding how to close the window: it is looking for the tray, or a question to the user is open. */
  let isDeciding = false
  let isLeaving = false
  /** Whether the page can receive events. While a page loads, events to it are lost. */
  let isListening = false
  let waiting: string | null = null
  let missed = 0

  app.on('before-quit', () => {
    isQuitting = true
  })

  const hide = (window: W) => {
    isAway = true
    window.hide()
    left()
  }

  const decide = async (window: W): Promise<void> => {
    if (isDeciding) return
    isDeciding = true
    try {
      const isPossible = await hasTray().catch(() => false)
      const chosen = choice()
      const taken = !isPossible ? 'quit' : chosen === 'ask' ? await ask() : chosen
      if (isPossible && chosen === 'ask' && taken !== null) keepChoice(taken)
      if (window.isDestroyed() || taken === null) return
      if (taken === 'tray') return hide(window)
      isLeaving = true
      window.close()
    } catch (error) {
      // The user wants to close the window. If the question or hiding the window fails, close the window anyway.
      failed(error)
      isLeaving = true
      if (!window.isDestroyed()) window.close()
    } finally {
      isDeciding = false
    }
  }

  const create = (): W => {
    isLeaving = false
    isListening = false
    const window = open(() => !isAway)
    window.on('close', (event) => {
      if (isQuitting || isLeaving || choice() === 'quit') return
      event.preventDefault()
      void decide(window)
    })
    window.on('closed', () => {
      if (shown.window === window) shown.window = null
      left()
      closed()
    })
    window.webContents.on('did-navigate', () => {
      isListening = false
    })
    shown.window = window
    return window
  }

  const present = () => {
    if (isQuitting) {
      // While the app quits, it cannot open a window. So restart the app after this process has ended.
      if (!startsAgain) startAgain()
      startsAgain = true
      return
    }
    const wasAway = isAway
    isAway = false
    if (!isStarted) return
    bringForward(shown.window ?? create())
    if (wasAway) returned()
  }

  const openPage = (to: string | null) => {
    present()
    if (to === null) return
    if (isListening && !locked()) tell({ type: 'open', to })
    else waiting = to
  }

  return {
    async start(hidden) {
      isStarted = true
      isAway = hidden
      create()
      for (let tries = 0; isAway && !(await hasTray().catch(() => false)); tries += 1) {
        if (tries === trayAppears.tries) return present()
        await sleep(trayAppears.everyMs)
      }
    },
    present,
    openPage,
    isAway: () => isAway,
    async look() {
      const isThere = await hasTray().catch(() => false)
      missed = isThere || !isAway ? 0 : missed + 1
      if (missed < trayLeaves.looks) return
      missed = 0
      present()
    },
    unlocked() {
      if (waiting === null || !isListening || locked()) return
      tell({ type: 'open', to: waiting })
      waiting = null
    },
    watch: (answerCall) => async (name, input) => {
      const answer = await answerCall(name, input)
      // Each page calls `lock.takeBack` exactly once: after the unlock, and before it shows any data of the profile.
      if (name !== 'lock.takeBack' || !answer.result.ok) return answer
      isListening = true
      if (waiting === null) return answer
      // The cast is safe: the contract guarantees this type for `lock.takeBack`.
      const taken = answer.result.value as HandOver | null
      const place = `#/${waiting.replace(/^\/+/, '')}`
      waiting = null
      return { ...answer, result: { ok: true, value: { ...(taken ?? { drafts: null, notices: [], calls: [] }), place } } }
    },
  }
}
