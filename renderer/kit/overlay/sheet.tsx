import { type MouseEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { pressed } from '../key-bindings.ts'
import textStyles from '../text.module.css'
import overlayStyles from './overlay.module.css'

interface SheetProps {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly icon?: IconName
  readonly tone?: 'accent' | 'warn' | 'danger'
  readonly end?: ReactNode
  /** Called for every way to close the sheet, such as Escape or a click on the scrim. It must be possible to close the sheet at any time. */
  readonly onClose: () => void
  /** The element that gets the focus first. Set it to the safe choice if another one is dangerous. If absent, the sheet itself gets the focus. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** True to let a click beside the sheet close it. Don't set this if the user could lose work. */
  readonly closeOnScrim?: boolean
  readonly alert?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/**
 * A modal sheet based on the native `<dialog>`: the focus stays inside, and the rest of the window can't be used.
 * On closing, the focus returns to where it was. Render this component only while the sheet is open.
 */
export function Sheet({
  title,
  lead,
  icon,
  tone = 'accent',
  end,
  onClose,
  initialFocus,
  closeOnScrim = false,
  alert = false,
  className,
  children,
}: SheetProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const first = useRef(initialFocus)
  useLayoutEffect(() => {
    const element = dialog.current
    if (element === null) return
    const before = document.activeElement
    if (!element.open) element.showModal()
    const target = first.current?.current ?? element
    // Don't scroll: in a low window, the sheet must open at its top, with its head visible.
    target.focus({ preventScroll: true })
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const leave = useRef(onClose)
  useLayoutEffect(() => {
    leave.current = onClose
  })
  // A layout effect makes Escape work from the moment the sheet is visible. The listener is on the document, so that Escape works wherever the focus
  // is. It ignores a key that something inside the sheet has handled.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (pressed(event, 'escape') === null || event.defaultPrevented || !isOnTop(dialog.current)) return
      event.preventDefault()
      leave.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  const onClick = (event: MouseEvent) => {
    if (closeOnScrim && event.target === dialog.current) onClose()
  }
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the scrim only; Escape does the same
    <dialog
      ref={dialog}
      role={alert ? 'alertdialog' : undefined}
      className={cx(overlayStyles.sheet, className)}
      aria-labelledby={id}
      tabIndex={-1}
      onClick={onClick}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className={overlayStyles.sheetHead}>
        {icon === undefined ? null : (
          <span className={tone === 'accent' ? overlayStyles.badge : cx(overlayStyles.badge, overlayStyles[tone])}>
            <Icon name={icon} size={20} />
          </span>
        )}
        <div className={textStyles.grow}>
          <h2 id={id}>{title}</h2>
          {lead === undefined ? null : <p>{lead}</p>}
        </div>
        {end}
      </header>
      {children}
    </dialog>,
    document.body,
  )
}

/** Whether the dialog is on top of all others. The top dialog is the last open one in the page, because each new dialog is appended. */
const isOnTop = (dialog: HTMLDialogElement | null): boolean => [...document.querySelectorAll('dialog[open]')].at(-1) === dialog

/** A part of a sheet that can scroll. The Tab key focuses it, so that the arrow keys can scroll it even if it contains no controls. */
export const ScrollPart = ({ className, children }: { readonly className: string | undefined; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
  <div className={className} tabIndex={0}>
    {children}
  </div>
)

/** The last line of a sheet: facts on the left, and on the right Cancel and the main button. */
export function SheetFoot({ verdict, children }: { readonly verdict?: ReactNode; readonly children: ReactNode }) {
  return (
    <footer className={overlayStyles.sheetFoot}>
      <div className={overlayStyles.verdict}>{verdict}</div>
      {children}
    </footer>
  )
}
