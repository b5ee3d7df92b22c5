import { late } from '../kit/layout/late.tsx'
import panelStyles from '../kit/layout/panel.module.css'
import { Loading, Skeleton } from '../kit/layout/placeholders.tsx'
import { LateFailureNote } from '../parts/late-failure.tsx'
import { appText } from '../text/en/app.en.tsx'
import type { PageName } from './shell-store.ts'

/** Placeholder while a page's code loads: the page's head and two panels. Appears only if loading takes noticeably long. */
function PageSkeleton() {
  return (
    <Loading label={appText.openingPage}>
      <div className={panelStyles.page}>
        <div className={panelStyles.pageHead}>
          <Skeleton width={140} height={20} />
        </div>
        {[240, 320].map((height) => (
          <div className={panelStyles.panel} key={height} style={{ height }} />
        ))}
      </div>
    </Loading>
  )
}

/** The app's pages. The build puts each page in a chunk of its own, which loads on the page's first visit, or earlier through `preloadViews`. */
export const views = {
  overview: late(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage, PageSkeleton),
  trade: late(async () => (await import('../features/trade/trade-page.tsx')).TradePage, PageSkeleton),
  account: late(async () => (await import('../features/account/account-page.tsx')).AccountPage, PageSkeleton),
  markets: late(async () => (await import('../features/markets/markets-page.tsx')).MarketsPage, PageSkeleton),
  keys: late(async () => (await import('../features/keys/keys-page.tsx')).KeysPage, PageSkeleton),
  webhooks: late(async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage, PageSkeleton),
  activity: late(async () => (await import('../features/activity/activity-page.tsx')).ActivityPage, PageSkeleton),
  settings: late(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage, PageSkeleton),
  help: late(async () => (await import('../features/help/help-page.tsx')).HelpPage, PageSkeleton),
} satisfies Record<PageName, unknown>

export const ConnectView = late(async () => (await import('../features/welcome/connect-page.tsx')).ConnectPage)
export const ServiceChangeView = late(async () => (await import('./service-change-banner.tsx')).ServiceChangeBanner)
export const TerminalQuestionView = late(async () => (await import('../features/terminal/terminal-question.tsx')).TerminalQuestion)
export const PaletteView = late(async () => (await import('./commands/palette.tsx')).Palette)
export const SignInView = late(async () => (await import('../features/sign-in/sign-in-sheet.tsx')).SignInSheet)
export const NoticesView = late(async () => (await import('../features/notices/notices-sheet.tsx')).NoticesSheet)
export const ShortcutsView = late(async () => (await import('./commands/shortcuts-sheet.tsx')).ShortcutsSheet)

/** Loads the texts of notices. `preloadViews` loads them early: a notice that waits for its text could appear after the app has locked. */
export const loadNoticeText = () => import('../../shared/text/notice-text.ts')

/** Loads unvisited pages one by one while the window is idle. Returns a function that stops the loading. */
export function preloadViews(): () => void {
  const rest: { readonly preload: () => Promise<unknown> }[] = [
    { preload: loadNoticeText },
    PaletteView,
    ...Object.values(views),
    SignInView,
    NoticesView,
    TerminalQuestionView,
    LateFailureNote,
  ]
  let handle = 0
  const next = () => {
    const view = rest.shift()
    if (view === undefined) return
    // Ignore a failure here. When the user opens the page, the app loads it again and can show the error.
    void view.preload().catch(() => undefined)
    handle = requestIdleCallback(next)
  }
  handle = requestIdleCallback(next)
  return () => cancelIdleCallback(handle)
}
