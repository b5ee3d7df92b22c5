import { useEffect, useRef } from 'react'
import { kitText } from '../text/en/kit.en.tsx'

/** Where a binding works. The shortcuts sheet groups bindings by it. */
type Where = 'everywhere' | 'goTo' | 'actions' | 'trade' | 'ticket' | 'tables' | 'chart' | 'dates' | 'lists' | 'forms'

interface Binding {
  readonly where: Where
  /** The keys that trigger the binding, each on its own. Values of `KeyboardEvent.key`, with letters in lower case. */
  readonly keys: readonly [string, ...string[]]
  /** True if the binding needs Ctrl, or Command on a Mac. If a binding sets neither `ctrl` nor `alt`, it works only while both are released. */
  readonly ctrl?: true
  readonly alt?: true
  /** True if Shift must be pressed, false if it must not be. If absent, Shift does not matter. */
  readonly shift?: boolean
  /** True if the user must press `G` first. */
  readonly afterG?: true
}

const table = {
  palette: { where: 'everywhere', keys: ['k'], ctrl: true },
  shortcuts: { where: 'everywhere', keys: ['?'] },
  help: { where: 'everywhere', keys: ['F1'] },
  escape: { where: 'everywhere', keys: ['Escape'] },
  settings: { where: 'everywhere', keys: [','], ctrl: true },
  rail: { where: 'everywhere', keys: ['b'], ctrl: true },
  // Ctrl Alt L would lock the screen on many desktops, so use Ctrl Shift L.
  lock: { where: 'everywhere', keys: ['l'], ctrl: true, shift: true },
  hideAmounts: { where: 'everywhere', keys: ['h'], ctrl: true, shift: true },
  pauseBots: { where: 'everywhere', keys: ['x'], ctrl: true, shift: true },

  goOverview: { where: 'goTo', keys: ['o'], shift: false, afterG: true },
  goKeys: { where: 'goTo', keys: ['k'], shift: false, afterG: true },
  goWebhooks: { where: 'goTo', keys: ['w'], shift: false, afterG: true },
  goAccount: { where: 'goTo', keys: ['c'], shift: false, afterG: true },
  goTrade: { where: 'goTo', keys: ['t'], shift: false, afterG: true },
  goMarkets: { where: 'goTo', keys: ['m'], shift: false, afterG: true },
  goActivity: { where: 'goTo', keys: ['a'], shift: false, afterG: true },
  goSettings: { where: 'goTo', keys: ['s'], shift: false, afterG: true },
  goHelp: { where: 'goTo', keys: ['h'], shift: false, afterG: true },
  goNotices: { where: 'goTo', keys: ['n'], shift: false, afterG: true },

  newKey: { where: 'actions', keys: ['n'], shift: false },
  signIn: { where: 'actions', keys: ['s'], shift: false },
  searchHelp: { where: 'actions', keys: ['/'] },

  chooseLong: { where: 'trade', keys: ['l'], shift: true },
  chooseShort: { where: 'trade', keys: ['s'], shift: true },
  typeValue: { where: 'trade', keys: ['v'], shift: true },
  review: { where: 'trade', keys: ['Enter'], ctrl: true },
  cancelOrder: { where: 'trade', keys: ['x'], shift: true },
  cancelAll: { where: 'trade', keys: ['a'], shift: true },
  closeQuarter: { where: 'trade', keys: ['q'], shift: true },
  closeHalf: { where: 'trade', keys: ['h'], shift: true },
  closeWhole: { where: 'trade', keys: ['c'], shift: true },

  priceUp: { where: 'ticket', keys: ['ArrowUp'], shift: false },
  priceDown: { where: 'ticket', keys: ['ArrowDown'], shift: false },
  priceUpTen: { where: 'ticket', keys: ['ArrowUp'], shift: true },
  priceDownTen: { where: 'ticket', keys: ['ArrowDown'], shift: true },
  batchUp: { where: 'ticket', keys: ['ArrowUp'], alt: true },
  batchDown: { where: 'ticket', keys: ['ArrowDown'], alt: true },

  rowUp: { where: 'tables', keys: ['ArrowUp'] },
  rowDown: { where: 'tables', keys: ['ArrowDown'] },
  rowLeft: { where: 'tables', keys: ['ArrowLeft'] },
  rowRight: { where: 'tables', keys: ['ArrowRight'] },
  rowFirst: { where: 'tables', keys: ['Home'] },
  rowLast: { where: 'tables', keys: ['End'] },

  chartLeft: { where: 'chart', keys: ['ArrowLeft'] },
  chartRight: { where: 'chart', keys: ['ArrowRight'] },
  chartPageLeft: { where: 'chart', keys: ['PageUp'] },
  chartPageRight: { where: 'chart', keys: ['PageDown'] },
  chartFirst: { where: 'chart', keys: ['Home'] },
  chartLast: { where: 'chart', keys: ['End'] },
  chartZoomIn: { where: 'chart', keys: ['+', '='] },
  chartZoomOut: { where: 'chart', keys: ['-'] },

  openCalendar: { where: 'dates', keys: ['ArrowDown'], alt: true },
  dayBefore: { where: 'dates', keys: ['ArrowLeft'] },
  dayAfter: { where: 'dates', keys: ['ArrowRight'] },
  weekBefore: { where: 'dates', keys: ['ArrowUp'] },
  weekAfter: { where: 'dates', keys: ['ArrowDown'] },
  weekStart: { where: 'dates', keys: ['Home'] },
  weekEnd: { where: 'dates', keys: ['End'] },
  monthBefore: { where: 'dates', keys: ['PageUp'], shift: false },
  monthAfter: { where: 'dates', keys: ['PageDown'], shift: false },
  yearBefore: { where: 'dates', keys: ['PageUp'], shift: true },
  yearAfter: { where: 'dates', keys: ['PageDown'], shift: true },

  next: { where: 'lists', keys: ['ArrowDown', 'ArrowRight'] },
  previous: { where: 'lists', keys: ['ArrowUp', 'ArrowLeft'] },
  first: { where: 'lists', keys: ['Home'] },
  last: { where: 'lists', keys: ['End'] },
  // In a search field the left and right keys move the cursor, so only up and down select a result.
  found: { where: 'lists', keys: ['ArrowDown'] },
  foundBefore: { where: 'lists', keys: ['ArrowUp'] },
  choose: { where: 'lists', keys: ['Enter'] },
  leaveMenu: { where: 'lists', keys: ['Tab'] },

  addAddress: { where: 'forms', keys: ['Enter', ',', ' '] },
  editAddress: { where: 'forms', keys: ['Backspace'] },
} as const satisfies Readonly<Record<string, Binding>>

export type BindingId = keyof typeof table

/** Every key that the window listens to. All handlers use these names, so that the shortcuts sheet lists every key. */
export const bindings: Readonly<Record<BindingId, Binding>> = table

/** The properties that React's and the browser's keyboard events have in common. */
type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const keyOf = ({ key }: Pressed): string => (key.length === 1 ? key.toLowerCase() : key)

function isPressed(event: Pressed, { keys, ctrl, alt, shift }: Binding): boolean {
  if ((ctrl === true) !== (event.ctrlKey || event.metaKey) || (alt === true) !== event.altKey) return false
  return (shift === undefined || shift === event.shiftKey) && keys.includes(keyOf(event))
}

/** Returns which of the bindings in `ids` the event triggers; `null` if none. */
export const pressed = <I extends BindingId>(event: Pressed, ...ids: readonly I[]): I | null => ids.find((id) => isPressed(event, bindings[id])) ?? null

/** Whether the key is `G`, the first key of the two-key shortcuts that open a page. */
export const isPrefix = (event: Pressed): boolean => keyOf(event) === 'g' && !event.ctrlKey && !event.metaKey && !event.altKey

export const isTyping = ({ target }: Pick<Event, 'target'>): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input:not([type=checkbox], [type=range]), textarea, select') !== null)

/**
 * Runs the page's own shortcuts while the component is on screen. They do nothing in a text field, under a sheet or menu, or while a key is held down.
 * Listens on the document, so that the page's shortcuts come before those of the window.
 */
export function usePageKeys(run: Readonly<Partial<Record<BindingId, () => void>>>): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isTyping(event) || document.querySelector('dialog[open], :popover-open') !== null) return
      const id = pressed(event, ...(Object.keys(latest.current) as BindingId[])) // the cast is safe: all keys of `latest.current` are binding ids
      if (id === null) return
      event.preventDefault()
      latest.current[id]?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const caps: Readonly<Record<string, string>> = {
  Escape: kitText.esc,
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Backspace: '⌫',
  Enter: '↵',
  ' ': '␣',
}

/** The keys to show for a binding: one list of key caps for each key that triggers it. */
export function shownKeys(id: BindingId): readonly (readonly string[])[] {
  const { keys, ctrl, alt, shift, afterG } = bindings[id]
  const before = [
    ...(afterG === true ? ['G'] : []),
    ...(ctrl === true ? [kitText.ctrl] : []),
    ...(alt === true ? ['Alt'] : []),
    ...(shift === true ? ['Shift'] : []),
  ]
  return keys.map((key) => [...before, caps[key] ?? (key.length === 1 ? key.toUpperCase() : key)])
}

export const hintOf = (id: BindingId): readonly string[] => shownKeys(id)[0] ?? []

/** The keys of a binding as text, for a button's tooltip. */
export const keysTitle = (id: BindingId): string => kitText.shortcut(hintOf(id).join(' '))
