import { Suspense, useEffect } from 'react'
import type { Profile } from '../../shared/ipc/host/profiles.ts'
import { useDeskCommand, useDeskQuery } from '../ipc/use-desk.ts'
import { usePlace } from '../kit/layout/navigation.tsx'
import { useRefusedAccount, useWallet } from '../signing/wallet/wallet-provider.tsx'
import { BreakerBanner } from './banners/breaker-banner.tsx'
import { CheckBanner } from './banners/check-banner.tsx'
import { DriftBanner } from './banners/drift-banner.tsx'
import { PanicBanner } from './banners/panic-banner.tsx'
import { PracticeBand } from './banners/practice-band.tsx'
import { SweepBanner } from './banners/sweep-banner.tsx'
import { WalletBanner } from './banners/wallet-banner.tsx'
import { useAppCommands } from './commands/app-commands.ts'
import { Palette } from './commands/palette.tsx'
import { useShortcuts } from './commands/shortcuts.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { type PageName, pages } from './place.ts'
import { Rail } from './rail.tsx'
import { RefusedPage } from './refused-page.tsx'
import { useShell } from './shell.tsx'
import { TopBar } from './top-bar.tsx'
import { ConnectView, preloadViews, ShortcutsView, SignInView, views } from './views.tsx'

/** Pages that hold for any wallet: all others have nothing to show for an account that this profile does not take. */
const anyWallet: ReadonlySet<string> = new Set<PageName>(['trade', 'markets', 'settings'])

const isPage = (name: string): name is PageName => pages.some((page) => page === name)

/** The window with an exchange chosen: rail, bar, page, and what lies over them. */
export function Frame({ profile }: { readonly profile: Profile }) {
  const settings = useDeskQuery('app.settings', {})
  const save = useDeskCommand('app.saveSettings')
  const lock = useDeskQuery('lock.state', {})
  const lockNow = useDeskCommand('lock.now')
  const { name } = usePlace()
  const overlay = useShell((state) => state.overlay)
  const navigate = useShell((state) => state.navigate)
  const show = useShell((state) => state.show)
  const collapsed = settings.data?.rail === 'collapsed'
  useEffect(preloadViews, [])
  useAppCommands()
  useShortcuts({
    shell: { navigate, show },
    toggleRail: () => save.mutate({ rail: collapsed ? 'open' : 'collapsed' }),
    lock: () => (lock.data?.state === 'open' ? lockNow.mutate({}) : navigate('settings/lock')),
  })
  const refused = useRefusedAccount()
  // Another wallet's screens begin anew: no sheet, form or choice of the former is left on them (AUTH-03).
  const epoch = useWallet((state) => state.epoch)
  const Page = isPage(name) ? views[name] : null
  const leave = () => show(null)
  return (
    <>
      {Page === null ? (
        <div className="full-page">
          {profile.kind === 'practice' ? <PracticeBand /> : null}
          <Suspense fallback={null}>
            <ConnectView />
          </Suspense>
        </div>
      ) : (
        <div className="app" data-rail={collapsed ? 'collapsed' : undefined}>
          {profile.kind === 'practice' ? <PracticeBand /> : null}
          <Rail collapsed={collapsed} />
          <TopBar />
          <main>
            <WalletBanner practice={profile.kind === 'practice'} />
            <BreakerBanner />
            <DriftBanner />
            <CheckBanner />
            <PanicBanner />
            <SweepBanner />
            <div className="page-slot" key={epoch}>
              <ErrorBoundary name={name}>
                <Suspense fallback={<PageSkeleton />}>
                  {refused !== null && !anyWallet.has(name) ? <RefusedPage name={name} account={refused} /> : <Page />}
                </Suspense>
              </ErrorBoundary>
            </div>
          </main>
        </div>
      )}
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={leave} /> : null}
        {overlay === 'shortcuts' ? <ShortcutsView onClose={leave} /> : null}
        {overlay === 'sign-in' ? <SignInView key={epoch} onClose={leave} /> : null}
      </Suspense>
    </>
  )
}
