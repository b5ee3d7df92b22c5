import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import { kitText } from '../../text/en/kit.en.tsx'
import { Button, IconButton } from '../button.tsx'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './overlay.module.css'

export interface Toast {
  readonly id: number
  readonly tone: 'ok' | 'info' | 'warn' | 'danger'
  readonly title: string
  readonly text: string
  /** The toast's only button; `null` if the toast only informs. */
  readonly action: { readonly label: string; readonly run: () => void } | null
  /** The address that the button opens. Set it only if the button does nothing else. */
  readonly to?: string | null
}

export interface Toasts {
  /** The toasts on screen, oldest first. */
  readonly shown: readonly Toast[]
  readonly show: (toast: Omit<Toast, 'id'>) => void
  readonly dismiss: (id: number) => void
}

/** How important a toast is: an error, news that the user may want to follow, or the confirmation of something that the user just did. */
const rank = ({ tone, action }: Pick<Toast, 'tone' | 'action'>): number => (tone === 'danger' ? 0 : tone === 'warn' || action !== null ? 1 : 2)

/**
 * The toasts that stay when `next` comes: the last two errors, because the user must close them. Without an error, the most important toast of another
 * rank. So as little as possible of the page is covered.
 */
function kept(shown: readonly Toast[], next: Omit<Toast, 'id'>): readonly Toast[] {
  const errors = shown.filter(({ tone, title, text }) => tone === 'danger' && (title !== next.title || text !== next.text))
  if (errors.length > 0) return errors.slice(-2)
  const others = shown.filter((toast) => rank(toast) !== rank(next))
  return others.toSorted((one, other) => rank(one) - rank(other)).slice(0, 1)
}

export function createToasts(): StoreApi<Toasts> {
  let last = 0
  return createStore<Toasts>()((set) => ({
    shown: [],
    show: (toast) => {
      last += 1
      const id = last
      set((state) => ({ shown: [...kept(state.shown, toast), { ...toast, id }] }))
    },
    dismiss: (id) => set((state) => ({ shown: state.shown.filter((toast) => toast.id !== id) })),
  }))
}

const ToastContext = createContext<StoreApi<Toasts> | null>(null)

/** Shows the toasts of a store, newest first. Components inside it can add toasts with `useToast`. */
export function ToastProvider({ store, children }: { readonly store: StoreApi<Toasts>; readonly children: ReactNode }) {
  const shown = useStore(store, (state) => state.shown)
  return (
    <ToastContext value={store}>
      {children}
      <section className={styles.toasts} aria-label={kitText.notifications} aria-live="polite">
        {shown.toReversed().map((toast) => (
          <ToastCard key={toast.id} toast={toast} dismiss={store.getState().dismiss} />
        ))}
      </section>
    </ToastContext>
  )
}

/**
 * Returns a function that shows a toast: `const toast = useToast(); toast({ tone: 'ok', title: 'Key revoked', text: 'Its bots stop.', action: null
 * })`.
 */
export function useToast(): Toasts['show'] {
  const store = useContext(ToastContext)
  if (store === null) throw new Error('useToast needs a ToastProvider above it')
  return store.getState().show
}

const icons: Readonly<Record<Toast['tone'], IconName>> = { ok: 'check', info: 'info', warn: 'warn', danger: 'stop' }

function ToastCard({ toast, dismiss }: { readonly toast: Toast; readonly dismiss: Toasts['dismiss'] }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    // An error stays until the user closes it. Other toasts stay as long as the pointer is on them.
    if (held || toast.tone === 'danger') return
    const timer = setTimeout(() => dismiss(toast.id), toast.action === null ? 4_000 : 9_000)
    return () => clearTimeout(timer)
  }, [held, toast, dismiss])
  const action = toast.action
  const onDismiss = () => dismiss(toast.id)
  return (
    <div
      className={cx(styles.menu, styles.toast, styles[toast.tone])}
      data-part="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon name={icons[toast.tone]} />
      <div>
        <b>{toast.title}</b>
        <p>{toast.text}</p>
      </div>
      {action === null ? null : (
        <Button
          size="xs"
          variant="ghost"
          onClick={() => {
            onDismiss()
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="x" label={kitText.dismiss} size="xs" onClick={onDismiss} />
    </div>
  )
}
