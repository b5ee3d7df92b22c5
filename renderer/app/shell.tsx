import { Component, createContext, type ReactNode, useContext, useMemo } from 'react'
import { type StoreApi, useStore } from 'zustand'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/layout/empty.tsx'
import { NavigationProvider } from '../kit/layout/navigation.tsx'
import textStyles from '../kit/text.module.css'
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
  /** The name of the page shown. After a failure, a new name makes the boundary render its children again. */
  readonly name: string
  readonly children: ReactNode
}

/** Keeps a page that throws from breaking the rest of the window. Shows no stack, which would not help the user. */
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
