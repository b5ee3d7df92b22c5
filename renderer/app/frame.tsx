import { type RefObject, useEffect, useRef } from 'react'
import type { Profile } from '../../shared/ipc/host/profiles.ts'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import { Button, SkipButton } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { isPrefix, isTyping, pressed } from '../kit/key-bindings.ts'
import { useNavigate, usePlace } from '../kit/layout/navigation.tsx'
import { Banner } from '../kit/layout/note.tsx'
import { Page, Panel } from '../kit/layout/panel.tsx'
import { Empty } from '../kit/layout/placeholders.tsx'
import { shorten } from '../kit/number.tsx'
import textStyles from '../kit/text.module.css'
import { topicAddress, topicOf } from '../parts/help/help-link.tsx'
import partsStyles from '../parts/parts.module.css'
import { usePauseBots } from '../parts/pause-bots.ts'
import { PracticeNote } from '../parts/practice-note.tsx'
import { useRefusedAccount, useWallet } from '../signing/wallet/wallet-provider.tsx'
import type { RefusedAccount } from '../signing/wallet/wallet-state.ts'
import { appText } from '../text/en/app.en.tsx'
import { BreakerBanner, OutageBanner, WalletBanner } from './banners.tsx'
import { useAppCommands } from './commands/app-commands.ts'
import styles from './frame.module.css'
import { Rail } from './rail.tsx'
import { ErrorBoundary, useShell } from './shell.tsx'
import { type PageName, pages, type Shell } from './shell-store.ts'
import { TopBar } from './top-bar.tsx'
import { ConnectView, NoticesView, PaletteView, preloadViews, ServiceChangeView, ShortcutsView, SignInView, views } from './views.tsx'

/**
 * Pages that show the same data for any wallet.
 * While the connected account is not the one this profile expects, every other page is replaced by a notice.
 */
const anyWallet: ReadonlySet<string> = new Set<PageName>(['trade', 'markets', 'settings', 'help'])

const isPage = (name: string): name is PageName => pages.some((page) => page === name)

/** The window's content once an exchange is chosen: navigation rail, top bar, the open page, and overlays. */
export function Frame({ profile }: { readonly profile: Profile }) {
  const settings = useIpcQuery('app.settings', {})
  const save = useIpcCommand('app.saveSettings')
  const lock = useIpcQuery('lock.state', {})
  const lockNow = useIpcCommand('lock.now')
  const { pause: pauseBots } = usePauseBots()
  const place = usePlace()
  const { name } = place
  const overlay = useShell((state) => state.overlay)
  const navigate = useShell((state) => state.navigate)
  const show = useShell((state) => state.show)
  const collapsed = settings.data?.rail === 'collapsed'
  useEffect(preloadViews, [])
  useAppCommands()
  useShortcuts({
    shell: { navigate, show },
    toggleRail: () => save.mutate({ rail: collapsed ? 'open' : 'collapsed' }),
    toggleAmounts: () => save.mutate({ hideAmounts: !(settings.data?.hideAmounts ?? true) }),
    help: () => navigate(topicAddress(topicOf(place))),
    pauseBots: () => pauseBots(null),
    lock: () => (lock.data?.state === 'open' ? lockNow.mutate({}) : navigate('settings/lock')),
  })
  const change = useIpcQuery('service.drift', {})
  const changes = change.data === undefined || change.data.agreed ? [] : change.data.drifts
  const refused = useRefusedAccount()
  // `epoch` changes with the wallet. As React key, it resets all sheets, forms and choices, so that nothing of the previous wallet remains (AUTH-03).
  const epoch = useWallet((state) => state.epoch)
  const main = useRef<HTMLElement>(null)
  useArrival(name, main)
  const Page = isPage(name) ? views[name] : null
  const leave = () => show(null)
  return (
    <>
      {Page === null ? (
        <div className={partsStyles.fullPage}>
          {profile.kind === 'practice' ? <PracticeBand /> : null}
          <ConnectView />
        </div>
      ) : (
        <div className={styles.app} data-rail={collapsed ? 'collapsed' : 'open'}>
          <SkipButton onClick={() => main.current?.focus()}>{appText.skipToContent}</SkipButton>
          {profile.kind === 'practice' ? <PracticeBand /> : null}
          <Rail collapsed={collapsed} />
          <TopBar />
          <main ref={main} tabIndex={-1}>
            <WalletBanner practice={profile.kind === 'practice'} />
            <OutageBanner />
            <BreakerBanner />
            {changes.length === 0 ? null : <ServiceChangeView changes={changes} onAnswered={() => void change.refetch()} />}
            <CheckBanner />
            <RevokeAllBanner />
            <BulkActionBanner />
            <div className={styles.pageSlot} data-part="page" key={epoch}>
              <ErrorBoundary name={name}>{refused !== null && !anyWallet.has(name) ? <RefusedPage name={name} account={refused} /> : <Page />}</ErrorBoundary>
            </div>
          </main>
        </div>
      )}
      {overlay === 'palette' ? <PaletteView onClose={leave} /> : null}
      {overlay === 'shortcuts' ? <ShortcutsView onClose={leave} /> : null}
      {overlay === 'sign-in' ? <SignInView key={epoch} onClose={leave} /> : null}
      {overlay === 'notices' ? <NoticesView key={epoch} onClose={leave} /> : null}
    </>
  )
}

const titles: Readonly<Record<PageName, string>> = {
  overview: appText.overview,
  keys: appText.keys,
  webhooks: appText.webhooks,
  account: appText.account,
  trade: appText.trade,
  markets: appText.markets,
  activity: appText.activity,
  settings: appText.settings,
  help: appText.help,
}

/**
 * Sets the window's title to the page's name. When the page changes, moves the focus to the page's content, so that a screen reader reads it and
 * Tab starts there. Leaves the focus alone if the page has already taken it or a sheet is open.
 */
function useArrival(name: string, main: RefObject<HTMLElement | null>): void {
  const before = useRef(name)
  useEffect(() => {
    document.title = isPage(name) ? `${titles[name]} · ${appText.svcDesk}` : appText.svcDesk
    if (before.current === name) return
    before.current = name
    const taken = main.current?.contains(document.activeElement) === true || document.querySelector('dialog[open]') !== null
    if (!taken) main.current?.focus({ preventScroll: true })
  }, [name, main])
  useEffect(
    () => () => {
      document.title = appText.svcDesk
    },
    [],
  )
}

/** Shown instead of a page with wallet data while the connected phone wallet uses an account that this profile doesn't accept. */
function RefusedPage({ name, account }: { readonly name: string; readonly account: RefusedAccount }) {
  return (
    <Page title={isPage(name) ? titles[name] : appText.notShown}>
      <Panel>
        <Empty icon="account" title={appText.nothingFor(shorten(account.wallet.address))}>
          {appText.pageOfOtherAccount(shorten(account.expected))}
        </Empty>
      </Panel>
    </Page>
  )
}

/** Shown on every page in practice mode: states that nothing here is real, and at which address bots reach the practice exchange. */
function PracticeBand() {
  const status = useIpcQuery('practice.status', {})
  const leave = useIpcCommand('practice.leave')
  const showPhone = useIpcCommand('practice.showPhone')
  const hostUrl = status.data?.hostUrl ?? null
  return (
    <PracticeNote>
      <span className={styles.bandEnd}>
        {hostUrl === null ? null : (
          <span className={styles.bandHost}>
            <span className={textStyles.mono} data-part="host">
              {hostUrl.replace(/^https?:\/\//, '')}
            </span>
            <CopyButton text={hostUrl} what={appText.practiceAddress} />
          </span>
        )}
        <button type="button" onClick={() => showPhone.mutate({})}>
          {appText.showPhone}
        </button>
        <button type="button" onClick={() => leave.mutate({})}>
          {appText.leavePractice}
        </button>
      </span>
    </PracticeNote>
  )
}

/** A banner while keys are being revoked, or after the revocation stopped early. Shown on every page except the revoke-all page itself. */
function RevokeAllBanner() {
  const revokeAll = useIpcQuery('revokeAll.state', {})
  const navigate = useNavigate()
  const { name, rest } = usePlace()
  const { data } = revokeAll
  if (data === undefined || data.state === 'idle' || data.state === 'done' || (name === 'keys' && rest[0] === 'revoke-all')) return null
  const running = data.state === 'running'
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone={running ? 'warn' : 'danger'}
        icon={running ? 'trash' : 'warn'}
        title={running ? appText.revokingKeys(data.total - data.left, data.total) : appText.revokingStopped(data.left, data.total)}
        actions={
          <Button size="xs" onClick={() => navigate('keys/revoke-all')}>
            {running ? appText.show : appText.continue}
          </Button>
        }
      >
        {running ? appText.revokingEverywhere : appText.revokingWaits}
      </Banner>
    </div>
  )
}

/** A banner while a bulk action on orders or positions is unfinished. Shown on every page except the bulk action's own. */
function BulkActionBanner() {
  const bulkAction = useIpcQuery('bulkActions.state', {})
  const navigate = useNavigate()
  const { name, rest } = usePlace()
  const { data } = bulkAction
  if (data === undefined || data.state !== 'open' || (name === 'trade' && rest[0] === 'stop')) return null
  const left = data.steps.filter(({ state }) => state !== 'done' && state !== 'gone' && state !== 'skipped').length
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone={data.running ? 'warn' : 'danger'}
        icon="stop"
        title={left === 0 ? appText.keysNotRevoked : appText.stepsLeft(left, data.steps.length)}
        actions={
          <Button size="xs" onClick={() => navigate('trade/stop')}>
            {data.running ? appText.show : appText.continue}
          </Button>
        }
      >
        {data.running ? appText.executorContinues : appText.restWaits}
      </Banner>
    </div>
  )
}

const texts = {
  first: { title: appText.checkService, text: appText.checkServiceLead },
  drift: { title: appText.responsesChanged, text: appText.responsesChangedLead },
} as const

/**
 * A banner that suggests the service check: after the first connection with a key, and after the format of a response changed. One press dismisses
 * it.
 */
function CheckBanner() {
  const { data } = useIpcQuery('serviceCheck.state', {})
  const dismiss = useIpcCommand('serviceCheck.dismiss')
  const navigate = useNavigate()
  if (data === undefined || data.offer === null) return null
  const { title, text } = texts[data.offer]
  return (
    <div className={styles.frameBanner}>
      <Banner
        tone={data.offer === 'drift' ? 'warn' : 'neutral'}
        icon="search"
        title={title}
        actions={
          <>
            <Button size="xs" variant="ghost" busy={dismiss.isPending} onClick={() => dismiss.mutate({})}>
              {appText.notNow}
            </Button>
            <Button size="xs" onClick={() => navigate('settings/check')}>
              {appText.openServiceCheck}
            </Button>
          </>
        }
      >
        {text}
      </Banner>
    </div>
  )
}

const pageKeys = {
  goOverview: 'overview',
  goTrade: 'trade',
  goAccount: 'account',
  goMarkets: 'markets',
  goKeys: 'keys',
  goWebhooks: 'webhooks',
  goActivity: 'activity',
  goSettings: 'settings',
  goHelp: 'help',
  goNotices: 'notices',
} as const satisfies Readonly<Record<string, PageName | 'notices'>>
const goIds = Object.keys(pageKeys) as (keyof typeof pageKeys)[] // The cast is safe: these are the keys of `pageKeys`.

interface ShortcutEffects {
  readonly shell: Pick<Shell, 'navigate' | 'show'>
  readonly toggleRail: () => void
  readonly toggleAmounts: () => void
  readonly pauseBots: () => void
  readonly help: () => void
  readonly lock: () => void
}

/** The window's shortcuts. Single-letter ones work only when no text field has focus and no overlay is open. */
export function useShortcuts(effects: ShortcutEffects): void {
  const latest = useRef(effects)
  latest.current = effects
  useEffect(() => {
    let afterG = false
    const onKey = (event: KeyboardEvent) => {
      const { shell, toggleRail, toggleAmounts, pauseBots, help, lock } = latest.current
      if (event.defaultPrevented) return
      const act = (run: () => void) => {
        event.preventDefault()
        run()
      }
      const always = pressed(event, 'palette', 'settings', 'rail', 'lock', 'hideAmounts', 'pauseBots')
      if (always !== null) {
        act(
          { palette: () => shell.show('palette'), settings: () => shell.navigate('settings'), rail: toggleRail, lock, hideAmounts: toggleAmounts, pauseBots }[
            always
          ],
        )
        return
      }
      if (document.querySelector('dialog[open]') !== null) return
      if (pressed(event, 'help') !== null) act(help)
      if (isTyping(event)) return
      const page = afterG ? pressed(event, ...goIds) : null
      const single = pressed(event, 'shortcuts', 'newKey', 'signIn')
      if (page !== null) act(() => shell.navigate(pageKeys[page]))
      else if (single !== null)
        act({ shortcuts: () => shell.show('shortcuts'), newKey: () => shell.navigate('keys/new'), signIn: () => shell.show('sign-in') }[single])
      afterG = isPrefix(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
