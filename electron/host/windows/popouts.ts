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
  /** Opens the windows again that `leave` closed, or that were open when the app ended. Call it whenever they may be open again. */
  restore(): void
  /** Closes all windows, and remembers them for `restore`. Called on lock, on quit, with the main window, and when the profile changes. */
  leave(): void
  /** Loads the pages again, in the language of the settings. */
  reopen(): void
  /** Sends the windows the events that concern their data. */
  tell(event: AppEvent): void
  /** Wraps the main window's calls, to detect that it reports another wallet. */
  watch(answerCall: AnswerCall): AnswerCall
}

export interface PopoutsParts {
  readonly records: Pick<Records, 'popoutBounds' | 'openPopouts'>
  /** The open profile; null while no pop-out may be open: there is no profile or no main window, or the app is locked. */
  readonly profileId: () => string | null
  readonly workAreas: () => readonly Area[]
  readonly zoomFactor: () => number
  /** The address of the page, without its end. */
  readonly url: () => string
  /** `takesFocus`: whether the window takes the focus when it appears. */
  readonly open: (url: string, takesFocus: boolean, options: BrowserWindowConstructorOptions) => BrowserWindow
  /** Brings the main window forward and opens a page in it. */
  readonly openInMain: (to: string) => void
}

/** The page's sizes at the usual text size. */
const sizes = {
  chart: { usual: { width: 960, height: 600 }, smallest: { width: 480, height: 320 } },
  book: { usual: { width: 340, height: 720 }, smallest: { width: 280, height: 360 } },
  positions: { usual: { width: 1_120, height: 400 }, smallest: { width: 640, height: 240 } },
} as const satisfies Record<PopoutKind, unknown>

/** How far a window is from the one before of the same kind. */
const stepPx = 32

/** The shared reads of a wallet. The cast is safe: their names are those of queries. */
const ofWallet = Object.entries(sharedReads).flatMap(([name, read]) => (read.of === 'wallet' ? [name as QueryName] : []))

/** Windows that show only a chart, an order book, or the positions. They read, and leave every action to the main window. */
export function createPopouts({ records, profileId, workAreas, zoomFactor, url, open, openInMain }: PopoutsParts): Popouts {
  const shown = new Map<BrowserWindow, PopoutView>()
  /** The profile whose windows are open. */
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
    // The user chose another market in the window.
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

  /** Where a new window opens: beside the last one of its kind, otherwise where the last one was. */
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
      // The cast is safe: the contract guarantees this type for `wallet.report`.
      const isOther = answer.result.ok && (answer.result.value as WalletTaken).changed
      // A reload removes the other wallet's data from the page (AUTH-03).
      tell(isOther ? { type: 'reload' } : { type: 'invalidate', queries: ofWallet })
      return answer
    },
  }
}

/** The page of the main window that shows a place. */
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
