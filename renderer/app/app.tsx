import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { StoreApi } from 'zustand'
import { formatDecimal, hiddenAmount } from '../../shared/decimal.ts'
import { longestKept, mostKeptNotices } from '../../shared/input-limits.ts'
import type { Bridge } from '../../shared/ipc/contract.ts'
import type { Settings } from '../../shared/ipc/host/app.ts'
import type { HandOver, KeptNotice } from '../../shared/ipc/host/lock.ts'
import { LockPage } from '../features/lock/lock-page.tsx'
import { LockWatch, useTakeBack } from '../features/lock/lock-watch.tsx'
import { WelcomePage } from '../features/welcome/welcome-page.tsx'
import { BridgeProvider } from '../ipc/bridge.tsx'
import { failureOf } from '../ipc/call-failure.ts'
import { pageWork } from '../ipc/page-work.ts'
import { PollingRateProvider } from '../ipc/polling-rate.tsx'
import { createQueryClient, followEvents } from '../ipc/query-client.ts'
import { useIpcQuery } from '../ipc/use-ipc.ts'
import { CommandProvider, createCommands } from '../kit/layout/commands.tsx'
import { AmountsProvider } from '../kit/number.tsx'
import { createToasts, type Toast, ToastProvider, type Toasts } from '../kit/overlay/toast.tsx'
import type { WindowClock } from '../kit/time/time.tsx'
import {
  type BatchDraft,
  BatchDraftProvider,
  createBatchDraft,
  createTicketDrafts,
  type TicketDrafts,
  TicketDraftsProvider,
} from '../parts/drafts/ticket-drafts.tsx'
import { LateFailurePanel } from '../parts/late-failure.tsx'
import { WalletProvider } from '../signing/wallet/wallet-provider.tsx'
import { appText } from '../text/en/app.en.tsx'
import styles from './frame.module.css'
import { Frame } from './frame.tsx'
import { Clipboard, ErrorBoundary, OnceLockIsKnown, ServiceTime, ShellProvider, useProfileColour, useTheme } from './shell.tsx'
import { createShell, formatPlace, parsePlace, type Shell } from './shell-store.ts'
import { loadNoticeText, TerminalQuestionView } from './views.tsx'

/** The user's settings; null if the main process doesn't return them, for example because the app has just locked. */
const readSettings = async (bridge: Bridge): Promise<Settings | null> => {
  const answer = await bridge.call('app.settings', {}).catch(() => null)
  return answer?.result.ok === true ? answer.result.value : null
}

interface AppProps {
  readonly bridge: Bridge
  readonly clock: WindowClock
  readonly page: Window
}

/** The main window: sets up everything around its content, such as queries, toasts and themes. */
export function App({ bridge, clock, page }: AppProps) {
  const client = useMemo(createQueryClient, [])
  const toasts = useMemo(createToasts, [])
  const commands = useMemo(createCommands, [])
  const drafts = useMemo(createTicketDrafts, [])
  const batch = useMemo(createBatchDraft, [])
  const shell: StoreApi<Shell> = useMemo(() => createShell(page), [page])
  const belongings = useMemo(() => createBelongings({ page, shell, toasts, tickets: drafts, batch }), [batch, drafts, page, shell, toasts])
  useEffect(
    () =>
      followEvents(bridge, client, {
        onOpen: (to) => shell.getState().navigate(to),
        onReload: () => {
          // After a switch to another exchange, the page's address may name something that doesn't exist there. Open the overview instead.
          if (!['connect', 'settings'].includes(shell.getState().place.name)) page.history.replaceState(null, '', '#/overview')
          page.location.reload()
        },
        onReopen: async () => {
          // The settings page blocks a change of language during a wallet request. If a request started just now, don't reload: the next load uses
          // the new language.
          if (pageWork(client).getState().open > 0) return
          const bringBack = belongings.hide()
          // The notices are in the old language, so only errors stay.
          const { notices, ...rest } = belongings.leaves()
          const answer = await bridge.call('lock.reopen', { ...rest, notices: notices.filter(({ severity }) => severity === 'danger') }).catch(() => null)
          if (answer?.result.ok === true) return
          belongings.stays()
          bringBack()
        },
        onNotice: async ({ severity, notice, to }) => {
          const { noticeText } = await loadNoticeText()
          // The notice may arrive right after an unlock, before the window has read its settings.
          const settings = client.getQueryData<Settings>(['app.settings', {}]) ?? (await readSettings(bridge))
          const amount = settings?.hideAmounts === false ? formatDecimal : hiddenAmount
          belongings.notify({ severity, ...noticeText(notice, amount), to })
        },
      }),
    [belongings, bridge, client, page, shell],
  )
  useEffect(() => reportWork(bridge, client), [bridge, client])
  return (
    <BridgeProvider bridge={bridge}>
      <QueryClientProvider client={client}>
        <OnceLockIsKnown>
          <PollingRateProvider>
            <ServiceTime clock={clock}>
              <Amounts toasts={toasts}>
                <CommandProvider store={commands}>
                  <ShellProvider store={shell}>
                    <ToastProvider store={toasts}>
                      <Clipboard>
                        <TicketDraftsProvider store={drafts}>
                          <BatchDraftProvider store={batch}>
                            <ErrorBoundary name="window">
                              <Content putBack={belongings.putBack} />
                            </ErrorBoundary>
                            <WhileUnlocked>
                              <ErrorBoundary name="command">
                                <Questions />
                              </ErrorBoundary>
                            </WhileUnlocked>
                            <LockWatch hide={belongings.hide} leaves={belongings.leaves} stays={belongings.stays} />
                          </BatchDraftProvider>
                        </TicketDraftsProvider>
                      </Clipboard>
                    </ToastProvider>
                  </ShellProvider>
                </CommandProvider>
              </Amounts>
            </ServiceTime>
          </PollingRateProvider>
        </OnceLockIsKnown>
      </QueryClientProvider>
    </BridgeProvider>
  )
}

/**
 * Reports to the main process whether this page does work that a restart would lose, so that an update waits. The main process forgets the report
 * when the page loads again. Returns a function that ends the reports.
 */
export function reportWork(bridge: Pick<Bridge, 'call'>, client: QueryClient): () => void {
  let reported = false
  return pageWork(client).subscribe(({ open, locked }) => {
    // While the app is locked, main refuses this call. The unlock runs this listener again.
    if (locked || open > 0 === reported) return
    reported = !reported
    void bridge.call('updates.hold', { held: reported }).catch(() => undefined)
  })
}

/**
 * Hides amounts if the user's settings say so, and while the settings are not loaded. When the settings hide amounts, also closes the notices on
 * screen, because their texts contain amounts.
 */
function Amounts({ toasts, children }: { readonly toasts: StoreApi<Toasts>; readonly children: ReactNode }) {
  const hidden = useIpcQuery('app.settings', {}).data?.hideAmounts
  useEffect(() => {
    if (hidden === true) toasts.setState({ shown: [] })
  }, [hidden, toasts])
  return <AmountsProvider hidden={hidden ?? true}>{children}</AmountsProvider>
}

function WhileUnlocked({ children }: { readonly children: ReactNode }) {
  const state = useIpcQuery('lock.state', {}).data?.state
  return state === undefined || state === 'locked' ? null : children
}

/** Asks the user about `svc-desk` commands in a terminal, one at a time. The code of the question loads when the first command asks. */
function Questions() {
  // The main process notifies the window when a question arrives or ends, so no polling is needed.
  const pending = useIpcQuery('terminal.pending', {})
  const requests = pending.data ?? []
  const [first] = requests
  return first === undefined ? null : (
    <TerminalQuestionView key={first.id} request={first} waiting={requests.length - 1} onOver={() => void pending.refetch()} />
  )
}

/** Shows the lock page while the app is locked. Otherwise shows the first screen until the user has chosen an exchange, then the frame. */
function Content({ putBack }: { readonly putBack: Belongings['putBack'] }) {
  const takenBack = useTakeBack(putBack)
  const lock = useIpcQuery('lock.state', {})
  const lockPage = lock.data?.state === 'locked' ? <LockPage state={lock.data} /> : null
  const settings = useIpcQuery('app.settings', {})
  const list = useIpcQuery('profiles.list', {})
  const active = list.data?.profiles.find((profile) => profile.id === list.data.activeId) ?? null
  useTheme(settings.data?.theme ?? lock.data?.theme, settings.data?.directionColours)
  useProfileColour(active?.kind ?? (lock.data?.state === 'locked' && lock.data.practice ? 'practice' : null))
  if (lock.data === undefined && lock.error === null) return null
  if (list.data === undefined || !takenBack) {
    if (lockPage !== null) return lockPage
    return list.error === null ? null : (
      <main className={styles.fault}>
        <LateFailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </main>
    )
  }
  return (
    <WalletProvider key={active?.id ?? 'none'} active={active !== null}>
      {/* While the app is locked, the wallet connection stays open until running work ends. */}
      {lockPage ?? (active === null ? <WelcomePage /> : <Frame profile={active} />)}
    </WalletProvider>
  )
}

interface Parts {
  readonly page: Pick<Window, 'history' | 'location'>
  readonly shell: StoreApi<Shell>
  readonly toasts: StoreApi<Toasts>
  readonly tickets: StoreApi<TicketDrafts>
  readonly batch: StoreApi<BatchDraft>
}

/** What the user has open in this window. After an unlock, the next page restores it. */
interface Belongings {
  notify(notice: KeptNotice): void
  /** Hides sheets and other overlays. Returns a function that shows them again. */
  hide(): () => void
  /** Returns what the page that loads next must restore. The page's address is not included, because the window keeps it. */
  leaves(): Omit<HandOver, 'calls'>
  /** Keeps the present page. Call after `leaves` if the next page could not be loaded. */
  stays(): void
  putBack(left: HandOver): void
}

type Typed = { readonly tickets: Pick<TicketDrafts, 'byMarket' | 'payloads' | 'last'>; readonly batch: Pick<BatchDraft, 'byWallet' | 'nextId'> }

const noticeOf = ({ tone, title, text, to = null }: Toast): KeptNotice => ({ severity: tone, title, text, to })

export function createBelongings({ page, shell, toasts, tickets, batch }: Parts): Belongings {
  let hidden: readonly Toast[] = []

  const notify = ({ severity, title, text, to }: KeptNotice) =>
    toasts.getState().show({ tone: severity, title, text, to, action: to === null ? null : { label: appText.open, run: () => shell.getState().navigate(to) } })

  const typed = (): string | null => {
    const { byMarket, payloads, last } = tickets.getState()
    const { byWallet, nextId } = batch.getState()
    const text = JSON.stringify({ tickets: { byMarket, payloads, last }, batch: { byWallet, nextId } } satisfies Typed)
    return text.length > longestKept ? null : text
  }

  return {
    notify,
    hide() {
      hidden = toasts.getState().shown
      toasts.setState({ shown: [] })
      shell.getState().show(null)
      return () => {
        for (const toast of hidden) toasts.getState().show(toast)
        hidden = []
      }
    },
    leaves() {
      page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}`)
      return { place: formatPlace(shell.getState().place), drafts: typed(), notices: hidden.map(noticeOf).slice(-mostKeptNotices) }
    },
    stays: () => page.history.replaceState(null, '', formatPlace(shell.getState().place)),
    putBack({ place, drafts, notices }) {
      page.history.replaceState(null, '', place)
      shell.setState({ place: parsePlace(place) })
      if (drafts !== null) {
        // The cast is safe: the same version of the app wrote this data.
        const before = JSON.parse(drafts) as Typed
        tickets.setState(before.tickets)
        batch.setState(before.batch)
      }
      for (const notice of notices) notify(notice)
    },
  }
}
