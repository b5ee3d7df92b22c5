import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { StoreApi } from 'zustand'
import type { Bridge } from '../../shared/ipc/contract.ts'
import { LockPage } from '../features/lock/lock-page.tsx'
import { LockWatch } from '../features/lock/lock-watch.tsx'
import { useTakeBack } from '../features/lock/use-take-back.ts'
import { TerminalQuestion } from '../features/terminal/terminal-question.tsx'
import { WelcomePage } from '../features/welcome/welcome-page.tsx'
import { BridgeProvider } from '../ipc/bridge.tsx'
import { failureOf } from '../ipc/desk-failure.ts'
import { PaceProvider } from '../ipc/pace.tsx'
import { createQueryClient, followEvents } from '../ipc/query-client.ts'
import { useDeskQuery } from '../ipc/use-desk.ts'
import { CommandProvider, createCommands } from '../kit/layout/commands.tsx'
import { createToasts, ToastProvider } from '../kit/overlay/toast.tsx'
import type { WindowClock } from '../kit/time/window-clock.ts'
import { BatchDraftProvider, createBatchDraft } from '../parts/batch-draft.tsx'
import { FailurePanel } from '../parts/failure-note.tsx'
import { createTicketDrafts, TicketDraftsProvider } from '../parts/ticket-drafts.tsx'
import { WalletProvider } from '../signing/wallet/wallet-provider.tsx'
import { type Belongings, createBelongings } from './belongings.ts'
import { Clipboard } from './clipboard.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Frame } from './frame.tsx'
import { ServiceTime } from './service-time.tsx'
import { ShellProvider } from './shell.tsx'
import { createShell, type Shell } from './shell-store.ts'
import { useProfileColour, useTheme } from './theme.ts'

interface AppProps {
  readonly bridge: Bridge
  readonly clock: WindowClock
  readonly page: Window
}

/** Everything that the main window needs around it. */
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
        onReload: () => {
          // A page's own address may mean nothing to another exchange.
          if (!['connect', 'settings'].includes(shell.getState().place.name)) page.history.replaceState(null, '', '#/overview')
          page.location.reload()
        },
        onNotice: belongings.notify,
      }),
    [belongings, bridge, client, page, shell],
  )
  return (
    <BridgeProvider bridge={bridge}>
      <QueryClientProvider client={client}>
        <OnceLockIsKnown>
          <PaceProvider>
            <ServiceTime clock={clock}>
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
                              <TerminalQuestion />
                            </ErrorBoundary>
                          </WhileUnlocked>
                          <LockWatch hide={belongings.hide} leaves={belongings.leaves} stays={belongings.stays} />
                        </BatchDraftProvider>
                      </TicketDraftsProvider>
                    </Clipboard>
                  </ToastProvider>
                </ShellProvider>
              </CommandProvider>
            </ServiceTime>
          </PaceProvider>
        </OnceLockIsKnown>
      </QueryClientProvider>
    </BridgeProvider>
  )
}

/** Whether the app is locked decides what may be asked at all, so it is asked first. */
function OnceLockIsKnown({ children }: { readonly children: ReactNode }) {
  const lock = useDeskQuery('lock.state', {})
  return lock.isPending ? null : children
}

function WhileUnlocked({ children }: { readonly children: ReactNode }) {
  const state = useDeskQuery('lock.state', {}).data?.state
  return state === undefined || state === 'locked' ? null : children
}

/** The lock page while the app is locked; else the first screen until an exchange is chosen, then the frame. */
function Content({ putBack }: { readonly putBack: Belongings['putBack'] }) {
  const takenBack = useTakeBack(putBack)
  const lock = useDeskQuery('lock.state', {})
  const lockPage = lock.data?.state === 'locked' ? <LockPage state={lock.data} /> : null
  const settings = useDeskQuery('app.settings', {})
  const list = useDeskQuery('profiles.list', {})
  const active = list.data?.profiles.find((profile) => profile.id === list.data.activeId) ?? null
  useTheme(settings.data?.theme ?? lock.data?.theme)
  useProfileColour(active?.kind ?? (lock.data?.state === 'locked' && lock.data.practice ? 'practice' : null))
  if (lock.data === undefined && lock.error === null) return null
  if (list.data === undefined || !takenBack) {
    if (lockPage !== null) return lockPage
    return list.error === null ? null : (
      <main className="fault">
        <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </main>
    )
  }
  return (
    <WalletProvider key={active?.id ?? 'none'} active={active !== null}>
      {/* The connection to the wallet lives on beneath the lock until what is under way has ended. */}
      {lockPage ?? (active === null ? <WelcomePage /> : <Frame profile={active} />)}
    </WalletProvider>
  )
}
