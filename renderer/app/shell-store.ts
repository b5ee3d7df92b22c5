import { createStore, type StoreApi } from 'zustand'
import type { Place } from '../kit/layout/navigation.tsx'

/** The overlay that is open; `null` if none. Only one can be open at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'sign-in' | 'notices' | null

export interface Shell {
  readonly place: Place
  readonly overlay: Overlay
  readonly navigate: (to: string) => void
  readonly show: (overlay: Overlay) => void
}

/** The window's open page and overlay. Stores the page in the window's address, which has no visible bar, so that back and reload work. */
export function createShell(page: Window): StoreApi<Shell> {
  const store = createStore<Shell>()((set) => ({
    place: parsePlace(page.location.hash),
    overlay: overlayIn(page.location.hash),
    navigate: (to) => {
      const overlay = overlayIn(to)
      if (overlay !== null) {
        set({ overlay })
        return
      }
      const place = parsePlace(to)
      set({ place, overlay: null })
      page.history.pushState(null, '', formatPlace(place))
    },
    show: (overlay) => set({ overlay }),
  }))
  const follow = () => store.setState({ place: parsePlace(page.location.hash), overlay: overlayIn(page.location.hash) })
  page.addEventListener('popstate', follow)
  page.addEventListener('hashchange', follow)
  return store
}

/** The overlay that an address names; null if it names a page. */
const overlayIn = (to: string): 'sign-in' | 'notices' | null => {
  const name = /^#?\/*(sign-in|notices)$/.exec(to)?.[1]
  return name === 'sign-in' || name === 'notices' ? name : null
}

/** The pages that are shown inside the frame of navigation rail and top bar. */
export const pages = ['overview', 'keys', 'webhooks', 'account', 'trade', 'markets', 'activity', 'settings', 'help'] as const
export type PageName = (typeof pages)[number]

/** Pages that fill the whole window, without the navigation rail and the top bar. */
const fullPages = ['connect'] as const

const known: ReadonlySet<string> = new Set([...pages, ...fullPages])

/** Parses an address such as `keys/new` or `#/activity/abc?tab=requests`. Unknown addresses lead to the overview. */
export function parsePlace(text: string): Place {
  const [path = '', search = ''] = text.replace(/^#?\/*/, '').split('?')
  const [name = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  if (!known.has(name)) return { name: 'overview', rest: [], query: {} }
  return { name, rest, query: Object.fromEntries(new URLSearchParams(search)) }
}

export function formatPlace({ name, rest, query }: Place): string {
  const search = new URLSearchParams(query).toString()
  return `#/${[name, ...rest.map(encodeURIComponent)].join('/')}${search === '' ? '' : `?${search}`}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
