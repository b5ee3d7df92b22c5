import { Component, createContext, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useMemo } from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { Settings } from '../../shared/ipc/host/app.ts'
import { usePollingRate } from '../ipc/polling-rate.tsx'
import { useIpcCall, useIpcQuery } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { CopyProvider } from '../kit/copy-button.tsx'
import { NavigationProvider } from '../kit/layout/navigation.tsx'
import { Empty } from '../kit/layout/placeholders.tsx'
import textStyles from '../kit/text.module.css'
import { ClockProvider, type WindowClock } from '../kit/time/time.tsx'
import { appText } from '../text/en/app.en.tsx'
import styles from './frame.module.css'
import type { Shell } from './shell-store.ts'

const ShellContext = createContext<StoreApi<Shell> | null>(null)

export function ShellProvider({ store, children }: { readonly store: StoreApi<Shell>; readonly children: ReactNode }) {
  const place = useStore(store, (state) => state.place)
  const navigate = useStore(store, (state) => state.navigate)
  const navigation = useMemo(() => ({ place, navigate }), [place, navigate])
  return (
    <ShellContext value={store}>
      <NavigationProvider value={navigation}>{children}</NavigationProvider>
    </ShellContext>
  )
}

export function useShell<T>(select: (state: Shell) => T): T {
  const store = useContext(ShellContext)
  if (store === null) throw new Error('useShell needs a ShellProvider above it')
  return useStore(store, select)
}

interface BoundaryProps {
  /** The name of the page shown. After a page has failed, a different name makes the boundary render its children again. */
  readonly name: string
  readonly children: ReactNode
}

/** If a page throws, shows an error in its place, so that the rest of the window still works. Shows no stack, which would not help the user. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly failedAt: string | null }> {
  override state: { readonly failedAt: string | null } = { failedAt: null }

  static getDerivedStateFromError(): { failedAt: string } {
    return { failedAt: '' }
  }

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.name })
  }

  override componentDidUpdate(): void {
    const { failedAt } = this.state
    if (failedAt !== null && failedAt !== '' && failedAt !== this.props.name) this.setState({ failedAt: null })
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children
    return (
      <div role="alert" className={styles.fault}>
        <h1 className={textStyles.screenReaderOnly}>{appText.svcDesk}</h1>
        <Empty
          icon="stop"
          tone="danger"
          title={appText.windowPartFailed}
          actions={
            <Button icon="refresh" onClick={() => location.reload()}>
              {appText.reloadWindow}
            </Button>
          }
        >
          <p>{appText.windowPartFailedHelp}</p>
        </Empty>
      </div>
    )
  }
}

/** Renders its children only after the window has read the lock's state, because the lock decides which IPC calls are allowed. */
export function OnceLockIsKnown({ children }: { readonly children: ReactNode }) {
  const lock = useIpcQuery('lock.state', {})
  return lock.isPending ? null : children
}

/** Lets copy buttons copy through the main process, because the page has no clipboard access. */
export function Clipboard({ children }: { readonly children: ReactNode }) {
  const call = useIpcCall()
  const copy = useCallback(async (text: string) => (await call('app.copyText', { text })).ok, [call])
  return <CopyProvider copy={copy}>{children}</CopyProvider>
}

/** Sets the window's clock to the service's time, with the offset that the main process measured. Stops the page's times while no window is visible. */
export function ServiceTime({ clock, children }: { readonly clock: WindowClock; readonly children: ReactNode }) {
  const offsetMs = useIpcQuery('app.clock', {}).data?.offsetMs ?? 0
  useLayoutEffect(() => clock.setOffset(offsetMs), [clock, offsetMs])
  const isSeen = usePollingRate().state !== 'hidden'
  return (
    <ClockProvider clock={clock} isSeen={isSeen}>
      {children}
    </ClockProvider>
  )
}

/**
 * Sets `data-theme` and `data-direction`, which select the design tokens. Without `data-theme`, the system's setting decides; without
 * `data-direction`, long is green and short is red.
 */
export function useTheme(theme: Settings['theme'] | undefined, directionColours: Settings['directionColours'] | undefined): void {
  useEffect(() => {
    const root = document.documentElement
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
    if (directionColours === undefined) delete root.dataset.direction
    else root.dataset.direction = directionColours
  }, [theme, directionColours])
}

/** Colours the window violet for a practice profile. */
export function useProfileColour(kind: 'practice' | 'live' | null): void {
  useEffect(() => {
    const root = document.documentElement
    if (kind === null) delete root.dataset.profile
    else root.dataset.profile = kind
  }, [kind])
}
