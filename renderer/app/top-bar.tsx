import type { Health } from '../../shared/ipc/host/app.ts'
import { hour, minute } from '../../shared/time.ts'
import { useIpcCommand, useIpcQuery } from '../ipc/use-ipc.ts'
import buttonStyles from '../kit/button.module.css'
import { IconButton, Keys } from '../kit/button.tsx'
import { cx } from '../kit/cx.ts'
import iconStyles from '../kit/icons/icon.module.css'
import { Icon, type IconName } from '../kit/icons/icon.tsx'
import { Identicon } from '../kit/icons/identicon.tsx'
import { hintOf, keysTitle } from '../kit/key-bindings.ts'
import { Link, useNavigate, usePlace } from '../kit/layout/navigation.tsx'
import marksStyles from '../kit/marks.module.css'
import { shorten } from '../kit/number.tsx'
import { Menu, type MenuEntry } from '../kit/overlay/menu.tsx'
import { useToast } from '../kit/overlay/toast.tsx'
import textStyles from '../kit/text.module.css'
import { Ring } from '../kit/time/countdown-ring.tsx'
import { durationText, exactTime, fineDurationText, useNow } from '../kit/time/time.tsx'
import { HelpButton, topicOf } from '../parts/help/help-link.tsx'
import { useConnectedWallet, useWallet, useWalletActions } from '../signing/wallet/wallet-provider.tsx'
import type { RelayLight } from '../signing/wallet/wallet-state.ts'
import { appText } from '../text/en/app.en.tsx'
import { profileName } from '../text/service-state.ts'
import styles from './frame.module.css'
import { useShell } from './shell.tsx'

const service = {
  up: { dot: 'ok', words: appText.serviceUp },
  slow: { dot: 'warn', words: appText.serviceSlow },
  failing: { dot: 'warn', words: appText.serviceFailing },
  down: { dot: 'bad', words: appText.serviceDown },
  unknown: { dot: 'off', words: appText.serviceNotChecked },
} as const

const relay: Readonly<Record<RelayLight, { readonly dot: string; readonly words: string }>> = {
  up: { dot: 'ok', words: appText.relayConnected },
  connecting: { dot: 'warn', words: appText.relayConnecting },
  down: { dot: 'bad', words: appText.relayUnreachable },
  off: { dot: 'off', words: appText.relayNotNeeded },
}

interface LightProps {
  readonly name: string
  /** In a narrow window, this icon is shown instead of the name. */
  readonly icon: IconName
  readonly dot: string
  readonly words: string
  readonly to?: string
}

function Light({ name, icon, dot, words, to }: LightProps) {
  const light = (
    <>
      <span className={cx(marksStyles.dot, marksStyles[dot])} aria-hidden="true" />
      <Icon name={icon} size={14} className={styles.lightIcon} />
      <span className={styles.lightName}>{name}</span>
      <span className={textStyles.screenReaderOnly}> {words}</span>
    </>
  )
  return <li title={`${name} ${words}`}>{to === undefined ? light : <Link to={to}>{light}</Link>}</li>
}

/** The status light of the service. With two hosts, names the host that responds, and warns if only the second one does. */
function serviceLight(health: Health | undefined): { readonly dot: string; readonly words: string } {
  const light = service[health?.service ?? 'unknown']
  const bySecond = health?.hosts.find(({ which, answering }) => which === 'second' && answering)
  if (bySecond === undefined || health?.service === 'down' || health?.service === 'failing') return light
  return { dot: 'warn', words: (health?.service === 'slow' ? appText.slowThroughSecondHost : appText.upThroughSecondHost)(bySecond.host) }
}

export function Lights() {
  const health = useIpcQuery('app.health', {}, { every: 5_000 })
  const light = useWallet((state) => state.relay)
  return (
    <ul className={styles.lights} aria-label={appText.connections}>
      <Light name={appText.service} icon="server" to="settings/service" {...serviceLight(health.data)} />
      <Light name={appText.relay} icon="relay" {...relay[light]} />
    </ul>
  )
}

export function TopBar() {
  const show = useShell((state) => state.show)
  const place = usePlace()
  return (
    <header className={styles.bar}>
      <ProfileMenu />
      <button type="button" className={styles.find} onClick={() => show('palette')} title={appText.searchWithKeys}>
        <Icon name="search" />
        <span>{appText.search}</span>
        <Keys keys={hintOf('palette')} />
      </button>
      <div className={styles.barEnd}>
        <Lights />
        <SessionButton />
        <WalletChip />
        <Bell />
        <AmountsButton />
        <HelpButton topic={topicOf(place)} size="md" />
      </div>
    </header>
  )
}

function AmountsButton() {
  const hidden = useIpcQuery('app.settings', {}).data?.hideAmounts ?? true
  const save = useIpcCommand('app.saveSettings')
  const label = hidden ? appText.showAmounts : appText.hideAmounts
  return (
    <IconButton
      icon={hidden ? 'eye-off' : 'eye'}
      label={label}
      title={`${label}. ${keysTitle('hideAmounts')}`}
      onClick={() => save.mutate({ hideAmounts: !hidden })}
    />
  )
}

/** The highest count of unread notices that the bell shows. */
const mostCounted = 99

function Bell() {
  const show = useShell((state) => state.show)
  const unread = useIpcQuery('notices.list', {}).data?.filter(({ read }) => !read).length ?? 0
  return (
    <button
      type="button"
      className={cx(buttonStyles.button, buttonStyles.icon, buttonStyles.ghost, styles.bell)}
      title={appText.notices}
      onClick={() => show('notices')}
    >
      <Icon name="bell" />
      <span className={textStyles.screenReaderOnly}>{appText.notices} </span>
      {unread === 0 ? null : (
        <>
          <span className={styles.bellCount} aria-hidden="true">
            {unread > mostCounted ? `${mostCounted}+` : unread}
          </span>
          <span className={textStyles.screenReaderOnly}>{appText.unreadNotices(unread)}</span>
        </>
      )}
    </button>
  )
}

function ProfileMenu() {
  const list = useIpcQuery('profiles.list', {})
  const select = useIpcCommand('profiles.select')
  const practise = useIpcCommand('practice.start')
  const leave = useIpcCommand('practice.leave')
  const navigate = useNavigate()
  const profiles = list.data?.profiles ?? []
  const active = profiles.find((profile) => profile.id === list.data?.activeId)
  if (active === undefined) return null
  const kind = active.kind === 'practice' ? appText.practice : appText.live
  const entries: MenuEntry[] = [
    { type: 'heading', label: appText.exchanges },
    ...profiles.map(
      (profile): MenuEntry => ({
        label: profileName(profile),
        checked: profile.id === active.id,
        note: profile.kind === 'practice' ? appText.onThisComputer : (profile.hostUrl ?? '').replace(/^https?:\/\//, ''),
        onSelect: () => {
          if (profile.id !== active.id) select.mutate({ id: profile.id })
        },
      }),
    ),
    ...(profiles.some((profile) => profile.kind === 'practice')
      ? []
      : [{ label: appText.practice, icon: 'flask', note: appText.onThisComputer, onSelect: () => practise.mutate({}) } satisfies MenuEntry]),
    { type: 'separator' },
    { label: appText.addExchange, icon: 'plus', onSelect: () => navigate('settings/exchanges?add=1') },
    { label: appText.manageExchanges, icon: 'settings', onSelect: () => navigate('settings/exchanges') },
    ...(active.kind === 'practice' ? [{ label: appText.leavePractice, icon: 'arrow-right', onSelect: () => leave.mutate({}) } satisfies MenuEntry] : []),
  ]
  return (
    <Menu
      label={appText.exchanges}
      entries={entries}
      trigger={(props) => (
        <button type="button" className={styles.profile} {...props}>
          <span className={textStyles.screenReaderOnly}>{appText.exchange} </span>
          {active.kind === 'practice' ? <Icon name="flask" size={14} /> : <span className={styles.profileDot} />}
          <b>{profileName(active)}</b>
          {active.kind === 'practice' && active.name === 'Practice' ? null : <span className={styles.profileKind}>{kind}</span>}
          <Icon name="select" className={iconStyles.dim} />
        </button>
      )}
    />
  )
}

const lifeMs = 4 * hour
const nearMs = 30 * minute

/** The time until the sign-in ends, such as `3 h 59 min` or `24 min`. Leaves out seconds, which don't matter for a sign-in. */
const leftText = (ms: number): string => (ms < hour ? durationText(ms) : fineDurationText(ms))

/** Shows when the sign-in expires, and starts another sign-in. */
function SessionButton() {
  // No polling: the main process notifies the window when a sign-in starts, is about to expire or expires.
  const status = useIpcQuery('session.status', {})
  const end = useIpcCommand('session.end')
  const show = useShell((state) => state.show)
  const wallet = useConnectedWallet()
  const now = useNow(minute / 6)
  const expires = status.data?.expiresAtMs ?? null
  if (wallet === null) return null
  const signedIn = (status.data?.state === 'active' || status.data?.state === 'ending') && expires !== null
  if (!signedIn) {
    return (
      <button type="button" className={styles.session} onClick={() => show('sign-in')}>
        <Icon name="user" />
        <span>{status.data?.state === 'ended' ? appText.signInEnded : appText.signIn}</span>
      </button>
    )
  }
  const left = Math.max(0, expires - now)
  const near = left < nearMs
  return (
    <Menu
      label={appText.session}
      align="end"
      entries={[
        { type: 'heading', label: appText.signInEndsAt(exactTime(expires)) },
        { label: appText.signInAgain, icon: 'refresh', onSelect: () => show('sign-in') },
        { type: 'separator' },
        { label: appText.signOut, icon: 'x', onSelect: () => end.mutate({}) },
      ]}
      trigger={(props) => (
        <button type="button" className={near ? cx(styles.session, styles.warn) : styles.session} {...props}>
          <Ring share={left / lifeMs} size={16} warn={near} />
          <span className={styles.sessionName}>{appText.session}</span>
          <b>{leftText(left)}</b>
          <span className={textStyles.screenReaderOnly}> {appText.timeLeft}</span>
        </button>
      )}
    />
  )
}

export const chainName = (chainId: number): string => (chainId === 8453 ? appText.base : chainId === 1 ? appText.ethereum : appText.chain(chainId))

function WalletChip() {
  const status = useWallet((state) => state.status)
  const { disconnect, switchChain } = useWalletActions()
  const copy = useIpcCommand('app.copyText')
  const explore = useIpcCommand('app.openExternal')
  const toast = useToast()
  const navigate = useNavigate()
  if (status.kind === 'restoring') {
    return (
      <span className={styles.wallet} role="status">
        <span className={buttonStyles.spin} aria-hidden="true" />
        <span className={styles.walletWord}>{appText.restoringWallet}</span>
      </span>
    )
  }
  if (status.kind !== 'connected' && status.kind !== 'wrong_chain' && status.kind !== 'refused') {
    return (
      <button type="button" className={styles.wallet} onClick={() => navigate('connect')}>
        <Icon name="account" className={iconStyles.dim} />
        <span className={styles.walletWord}>{appText.connectWallet}</span>
      </button>
    )
  }
  const { wallet } = status
  const wrong = status.kind !== 'connected'
  const where = status.kind === 'refused' ? appText.notUsedHere : chainName(wallet.chainId)
  const askSwitch = async () => {
    const switched = await switchChain()
    if (!switched.ok) toast({ tone: 'warn', title: appText.chainNotSwitched, text: appText.chainNotSwitchedHelp, action: null })
  }
  return (
    <Menu
      label={appText.wallet}
      align="end"
      entries={[
        { type: 'heading', label: appText.overWalletConnect(wallet.peerName) },
        ...(status.kind === 'wrong_chain'
          ? [{ label: appText.switchTo(chainName(status.expected)), icon: 'swap' as const, onSelect: () => void askSwitch() }]
          : []),
        { label: appText.copyAddress, icon: 'copy', onSelect: () => copy.mutate({ text: wallet.address }) },
        { label: appText.openInExplorer, icon: 'external', onSelect: () => explore.mutate({ page: 'address', id: wallet.address }) },
        { type: 'separator' },
        { label: status.kind === 'refused' ? appText.unpair : appText.disconnect, icon: 'x', danger: true, onSelect: () => void disconnect() },
      ]}
      trigger={(props) => (
        <button type="button" className={wrong ? cx(styles.wallet, styles.warn) : styles.wallet} {...props}>
          <span className={textStyles.screenReaderOnly}>{appText.wallet} </span>
          <Identicon address={wallet.address} />
          <span className={textStyles.mono}>{shorten(wallet.address)}</span>
          <span className={styles.chain}>
            {wrong ? <Icon name="warn" size={12} /> : null}
            {where}
          </span>
        </button>
      )}
    />
  )
}
