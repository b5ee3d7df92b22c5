import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { kitText } from '../../text/en/kit.en.tsx'
import { Button, Keys } from '../button.tsx'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { pressed } from '../key-bindings.ts'
import { roveOnKey } from '../roving.ts'
import textStyles from '../text.module.css'
import overlayStyles from './overlay.module.css'

export type MenuEntry =
  | {
      readonly type?: 'item'
      readonly label: string
      readonly icon?: IconName
      readonly note?: ReactNode
      readonly kbd?: readonly string[]
      /** For a group of which one entry is chosen: true if this entry is the chosen one. */
      readonly checked?: boolean
      readonly danger?: boolean
      readonly disabled?: boolean
      readonly onSelect: () => void
    }
  | { readonly type: 'separator' }
  | { readonly type: 'heading'; readonly label: string }

interface MenuProps {
  /** Draws the button that opens the menu. The button must get the given props. */
  readonly trigger: (props: {
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
    readonly 'aria-controls': string
    readonly onClick: () => void
    readonly ref: (element: HTMLButtonElement | null) => void
  }) => ReactNode
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
}

/**
 * A menu based on the browser's popover: drawn above everything, and closed by Escape or a click elsewhere.
 * Its entries exist only while the menu is open, because a table has one menu per row.
 */
export function Menu({ trigger, label, entries, align = 'start' }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement | null>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const element = menu.current
    if (element === null) return
    // The browser can close the menu too. Only the event `toggle` reports the true state.
    const onToggle = (event: ToggleEvent) => setOpen(event.newState === 'open')
    element.addEventListener('toggle', onToggle)
    return () => element.removeEventListener('toggle', onToggle)
  }, [])

  const show = () => {
    const element = menu.current
    const anchor = button.current
    if (element === null || anchor === null) return
    if (element.matches(':popover-open')) {
      element.hidePopover()
      return
    }
    // Render the menu now: the next lines need its size and its first entry.
    flushSync(() => setOpen(true))
    element.showPopover()
    const at = place(
      anchor.getBoundingClientRect(),
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: innerWidth, height: innerHeight },
      align,
    )
    element.style.setProperty('left', `${at.left}px`)
    element.style.setProperty('top', `${at.top}px`)
    element.querySelector<HTMLElement>('[role^=menuitem]:not(:disabled)')?.focus()
  }

  const close = () => {
    menu.current?.hidePopover()
    button.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = pressed(event, 'escape', 'leaveMenu')
    if (key !== null) {
      if (key === 'escape') event.preventDefault()
      event.stopPropagation()
      close()
      return
    }
    roveOnKey(event, '[role^=menuitem]:not(:disabled)', false)
  }

  const hold = (element: HTMLButtonElement | null) => {
    button.current = element
  }

  return (
    <>
      {trigger({ 'aria-haspopup': 'menu', 'aria-expanded': open, 'aria-controls': id, onClick: show, ref: hold })}
      <div ref={menu} id={id} popover="auto" role="menu" aria-label={label} className={cx(overlayStyles.menu, overlayStyles.context)} onKeyDown={onKeyDown}>
        {open
          ? entries.map((entry, index) => {
              // biome-ignore lint/suspicious/noArrayIndexKey: a separator has no identity but its place
              if (entry.type === 'separator') return <hr key={index} className={overlayStyles.separator} />
              if (entry.type === 'heading') {
                return (
                  <p key={entry.label} className={overlayStyles.contextHead}>
                    {entry.label}
                  </p>
                )
              }
              return (
                <button
                  key={entry.label}
                  type="button"
                  {...(entry.checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': entry.checked })}
                  tabIndex={-1}
                  disabled={entry.disabled}
                  className={entry.danger ? overlayStyles.bad : undefined}
                  onClick={() => {
                    close()
                    entry.onSelect()
                  }}
                >
                  {entry.checked === undefined ? (
                    entry.icon === undefined ? null : (
                      <Icon name={entry.icon} />
                    )
                  ) : (
                    <Icon name="check" className={entry.checked ? overlayStyles.on : overlayStyles.hide} />
                  )}
                  <span className={textStyles.grow}>{entry.label}</span>
                  {entry.note === undefined ? null : <span className={textStyles.muted}>{entry.note}</span>}
                  {entry.kbd === undefined ? null : <Keys keys={entry.kbd} />}
                </button>
              )
            })
          : null}
      </div>
    </>
  )
}

interface ExportMenuProps {
  readonly label: string
  readonly busy: boolean
  readonly onExport: (format: 'csv' | 'json') => void
}

/** A button with a menu of the formats in which a table can be saved. */
export function ExportMenu({ label, busy, onExport }: ExportMenuProps) {
  return (
    <Menu
      label={label}
      align="end"
      entries={[
        { label: kitText.asCsv, icon: 'file', onSelect: () => onExport('csv') },
        { label: kitText.asJson, icon: 'file', onSelect: () => onExport('json') },
      ]}
      trigger={(props) => (
        <Button size="sm" icon="download" busy={busy} {...props}>
          {kitText.export}
        </Button>
      )}
    />
  )
}

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const edge = 8

/** Where to place a floating element, in window pixels: below its anchor, above it if there is no room below, never outside the window. */
export function place(anchor: Box, floating: Size, within: Size, align: 'start' | 'end' | 'middle', gap = 4): { readonly left: number; readonly top: number } {
  const wanted = align === 'start' ? anchor.left : align === 'end' ? anchor.right - floating.width : (anchor.left + anchor.right - floating.width) / 2
  const below = anchor.bottom + gap
  const above = anchor.top - gap - floating.height
  const fits = below + floating.height + edge <= within.height || above < edge
  return {
    left: Math.max(edge, Math.min(wanted, within.width - floating.width - edge)),
    top: Math.max(edge, fits ? Math.min(below, within.height - floating.height - edge) : above),
  }
}
