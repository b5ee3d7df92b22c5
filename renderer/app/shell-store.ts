import { createStore, type StoreApi } from 'zustand'
import type { Place } from '../kit/layout/navigation.tsx'
import { formatPlace, parsePlace } from './page-address.ts'

/** What lies over the page. One at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'sign-in' | null

export interface Shell {
  readonly place: Place
  readonly overlay: Overlay
  readonly navigate: (to: string) => void
  readonly show: (overlay: Overlay) => void
}

/** Where the window is. The address bar that nobody sees keeps it, so that back and a reload work. */
export function createShell(page: Window): StoreApi<Shell> {
  const store = createStore<Shell>()((set) => ({
    place: parsePlace(page.location.hash),
    overlay: null,
    navigate: (to) => {
      if (/^#?\/*sign-in$/.test(to)) {
        set({ overlay: 'sign-in' })
        return
      }
      const place = parsePlace(to)
      set({ place, overlay: null })
      page.history.pushState(null, '', formatPlace(place))
    },
    show: (overlay) => set({ overlay }),
  }))
  const follow = () => store.setState({ place: parsePlace(page.location.hash), overlay: null })
  page.addEventListener('popstate', follow)
  page.addEventListener('hashchange', follow)
  return store
}
