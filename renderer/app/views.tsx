import { type ComponentType, lazy } from 'react'
import type { PageName } from './shell-store.ts'

/** The build puts each page in a separate chunk. */
const loaders: Readonly<Record<PageName, () => Promise<ComponentType>>> = {
  overview: async () => (await import('../features/overview/overview-page.tsx')).OverviewPage,
  trade: async () => (await import('../features/trade/trade-page.tsx')).TradePage,
  account: async () => (await import('../features/account/account-page.tsx')).AccountPage,
  markets: async () => (await import('../features/markets/markets-page.tsx')).MarketsPage,
  keys: async () => (await import('../features/keys/keys-page.tsx')).KeysPage,
  webhooks: async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
  activity: async () => (await import('../features/activity/activity-page.tsx')).ActivityPage,
  settings: async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  help: async () => (await import('../features/help/help-page.tsx')).HelpPage,
}
const loadSignIn = async () => (await import('../features/sign-in/sign-in-sheet.tsx')).SignInSheet

const view = (load: () => Promise<ComponentType>): ComponentType => lazy(async () => ({ default: await load() }))

/** Each page loads on its first visit, or earlier through `preloadViews`. */
export const views: Readonly<Record<PageName, ComponentType>> = {
  overview: view(loaders.overview),
  trade: view(loaders.trade),
  account: view(loaders.account),
  markets: view(loaders.markets),
  keys: view(loaders.keys),
  webhooks: view(loaders.webhooks),
  activity: view(loaders.activity),
  settings: view(loaders.settings),
  help: view(loaders.help),
}

export const ConnectView = lazy(async () => ({ default: (await import('../features/welcome/connect-page.tsx')).ConnectPage }))
export const SignInView = lazy(async () => ({ default: await loadSignIn() }))
export const ShortcutsView = lazy(async () => ({ default: (await import('./commands/shortcuts-sheet.tsx')).ShortcutsSheet }))

/** Loads unvisited pages one by one while the window is idle. Returns a function that stops it. */
export function preloadViews(): () => void {
  const rest = [...Object.values(loaders), loadSignIn]
  let handle = 0
  const next = () => {
    const load = rest.shift()
    if (load === undefined) return
    // A page that fails to load here is requested again on visit, where the error can be shown.
    void load().catch(() => undefined)
    handle = requestIdleCallback(next)
  }
  handle = requestIdleCallback(next)
  return () => cancelIdleCallback(handle)
}
