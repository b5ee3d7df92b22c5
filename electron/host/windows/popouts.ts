import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import { type AppEvent, type QueryName, sharedReads } from '../../../shared/ipc/contract.ts'
import type { PlaceInMain, PopoutView } from '../../../shared/ipc/host/app.ts'
import { isSameView, type PopoutKind, popoutAddress, popoutOf } from '../../../shared/ipc/host/popout-place.ts'
import type { WalletTaken } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Records } from '../../store/records/registry.ts'
import { bringForward } from '../app/folders.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'
import { tellWindows } from '../ipc/serve.ts'
import { type Area, initialBounds, reopenPage } from './page-rules.ts'

export interface Popouts {
  readonly handlers: HandlersOf<'popouts'>
  windows(): readonly BrowserWindow[]
  /**
   * Reopens the pop-out windows that `leave` closed, or that were open when the app ended. Call it after an unlock and after a profile was opened.
   */
  restore(): void
  /**
   * Closes all pop-out windows, and remembers them for `restore`. Called when the app locks or quits, when the main window closes, and when the
   * profile changes.
   */
  leave(): void
  /** Loads the pages again, in the language of the settings. */
  reopen(): void
  /** Sends an event to the pop-out windows if it concerns their data. */
  tell(event: AppEvent): void
  /** Wraps the calls from the main window, to detect when that window reports another wallet. */
  watch(answerCall: AnswerCall): AnswerCall
}

export interface PopoutsParts {
  readonly records: Pick<Records, 'popoutBounds' | 'openPopouts'>
  /** The id of the open profile. null if no pop-out window may be open: there is no profile or no main window, or the app is locked. */
  readonly profileId: () => string | null
  readonly workAreas: () => readonly Area[]
  readonly zoomFactor: () => number
  /** The address of the page. The app appends the view to it. */
  readonly url: () => string
  /** Opens a window. `takesFocus`: whether it gets the focus when it appears. */
  readonly open: (url: string, takesFocus: boolean, options: BrowserWindowConstructorOptions) => BrowserWindow
  readonly openInMain: (to: string) => void
}

/** Window sizes by kind of view, at the usual text size. */
const sizes = {
  chart: { usual: { width: 960, height: 600 }, smallest: { width: 480, height: 320 } },
  book: { usual: { width: 340, height: 720 }, smallest: { width: 280, height: 360 } },
  positions: { usual: { width: 1_120, height: 400 }, smallest: { width: 640, height: 240 } },
} as const satisfies Record<PopoutKind, unknown>

/** Offset in pixels between two pop-out windows of the same kind. */
const stepPx = 32

/** The names of all shared queries about a wallet. The cast is safe, because `sharedReads` contains only query names. */
const ofWallet = Object.entries(sharedReads).flatMap(([name, read]) => (read.of === 'wallet' ? [name as QueryName] : []))

/** Pop-out windows, which show only a chart, an order book or positions. They only read; every action opens in the main window. */
export function createPopouts({ records, profileId, workAreas, zoomFactor, url, open, openInMain }: PopoutsParts): Popouts {
  const shown = new Map<BrowserWindow, PopoutView>()
  /** The profile to which the open pop-out windows belong. */
  let profile: string | null = null

  const windows = () => [...shown.keys()]
  const tell = tellWindows(windows)
  const keep = () => {
    if (profile === null) return
    const list = [...shown].map(([window, view]) => ({ view, bounds: window.getNormalBounds() }))
    records.openPopouts.write({ profile }, list)
  }
  const remember = (window: BrowserWindow, { kind }: PopoutView) => records.popoutBounds.write({ kind }, window.getNormalBounds())

  const show = (view: PopoutView, bounds: Area | null, takesFocus: boolean) => {
    const zoom = zoomFactor()
    const zoomed = ({ width, height }: { readonly width: number; readonly height: number }) => ({
      width: Math.round(width * zoom),
      height: Math.round(height * zoom),
    })
    const { kind } = view
    const smallest = zoomed(sizes[kind].smallest)
    const window = open(`${url()}${popoutAddress(view)}`, takesFocus, {
      title: 'Svc Desk',
      ...initialBounds(bounds, workAreas(), { usual: zoomed(sizes[kind].usual), smallest }),
      minWidth: smallest.width,
      minHeight: smallest.height,
      autoHideMenuBar: true,
    })
    shown.set(window, view)
    // The page navigates only when the user has chosen another market.
    window.webContents.on('did-navigate-in-page', (_event, address) => {
      const now = popoutOf(address)
      if (now?.kind !== kind || !shown.has(window)) return
      shown.set(window, now)
      keep()
    })
    window.on('close', () => remember(window, view))
    window.on('closed', () => {
      if (shown.delete(window)) keep()
    })
  }

  /** The bounds of a new pop-out window: next to an open window of the same kind, or else the last bounds of that kind. */
  const placeOf = (kind: PopoutKind): Area | null => {
    const beside = [...shown].findLast(([, view]) => view.kind === kind)?.[0].getNormalBounds()
    return beside === undefined ? records.popoutBounds.read({ kind }) : { ...beside, x: beside.x + stepPx, y: beside.y + stepPx }
  }

  return {
    windows,
    tell,
    handlers: {
      'popouts.open': (view) => {
        const now = profileId()
        if (now === null) return fail({ kind: 'no_profile' })
        profile = now
        const same = [...shown].find(([, other]) => isSameView(view, other))
        if (same === undefined) show(view, placeOf(view.kind), true)
        else bringForward(same[0])
        keep()
        return ok({})
      },
      'popouts.handOver': (place) => {
        openInMain(pageOf(place))
        return ok({})
      },
    },
    restore() {
      const now = profileId()
      if (now === null || shown.size > 0) return
      profile = now
      for (const { view, bounds } of records.openPopouts.read({ profile }) ?? []) show(view, bounds, false)
    },
    leave() {
      if (shown.size === 0) return
      keep()
      const left = [...shown]
      shown.clear()
      for (const [window, view] of left) {
        remember(window, view)
        window.destroy()
      }
    },
    reopen() {
      for (const { webContents } of windows()) reopenPage(webContents, url())
    },
    watch: (answerCall) => async (name, input) => {
      const answer = await answerCall(name, input)
      if (name !== 'wallet.report') return answer
      const isOther = answer.result.ok && (answer.result.value as WalletTaken).changed
      // If another wallet is connected, reload the pages, which removes the earlier wallet’s data (AUTH-03).
      tell(isOther ? { type: 'reload' } : { type: 'invalidate', queries: ofWallet })
      return answer
    },
  }
}

/** The route in the main window for a market, position, order or action. */
function pageOf(place: PlaceInMain): string {
  switch (place.kind) {
    case 'market':
      return `trade/${place.pairId}`
    case 'position':
    case 'order':
      return `trade/${place.kind}/${place.action}/${encodeURIComponent(place.id)}`
    case 'close_all':
    case 'cancel_all':
      return `trade/stop?what=${place.kind}`
    case 'connect':
      return 'connect'
  }
}
