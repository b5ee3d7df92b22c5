import { type ComponentType, lazy } from 'react'
import type { PageName } from './place.ts'

/** Each page is its own piece of the build, loaded when it is first gone to. */
export const views: Readonly<Record<PageName, ComponentType>> = {
  overview: lazy(async () => ({ default: (await import('../features/overview/overview-page.tsx')).OverviewPage })),
  trade: lazy(async () => ({ default: (await import('../features/trade/trade-page.tsx')).TradePage })),
  keys: lazy(async () => ({ default: (await import('../features/keys/keys-page.tsx')).KeysPage })),
  activity: lazy(async () => ({ default: (await import('../features/activity/activity-page.tsx')).ActivityPage })),
  settings: lazy(async () => ({ default: (await import('../features/settings/settings-page.tsx')).SettingsPage })),
}

export const ConnectView = lazy(async () => ({ default: (await import('../features/welcome/connect-page.tsx')).ConnectPage }))
export const SignInView = lazy(async () => ({ default: (await import('../features/session/sign-in-sheet.tsx')).SignInSheet }))
export const ShortcutsView = lazy(async () => ({ default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet }))
