import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { type BindingId, hintOf } from '../../kit/key-bindings.ts'
import { type Command, useCommands } from '../../kit/layout/commands.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { useConnectedWallet, useIsPaired, useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import { appText } from '../../text/en/app.en.tsx'
import { useShell } from '../shell.tsx'

const themeNames = { light: appText.themeLight, dark: appText.themeDark, system: appText.themeSystem } as const

/** Registers the commands that are available on every page. Pages add their own commands. */
export function useAppCommands(): void {
  const navigate = useNavigate()
  const show = useShell((state) => state.show)
  const list = useIpcQuery('profiles.list', {})
  const settings = useIpcQuery('app.settings', {})
  const session = useIpcQuery('session.status', {})
  const wallet = useConnectedWallet()
  const paired = useIsPaired()
  const { disconnect } = useWalletActions()
  const save = useIpcCommand('app.saveSettings')
  const select = useIpcCommand('profiles.select')
  const practise = useIpcCommand('practice.start')
  const leave = useIpcCommand('practice.leave')
  const phone = useIpcCommand('practice.showPhone')
  const signOut = useIpcCommand('session.end')
  const lock = useIpcQuery('lock.state', {})
  const lockNow = useIpcCommand('lock.now')
  const profiles = list.data?.profiles ?? []
  const active = profiles.find((profile) => profile.id === list.data?.activeId)
  const practice = active?.kind === 'practice'
  const signedIn = session.data?.state === 'active' || session.data?.state === 'ending'
  const theme = settings.data?.theme
  const go = (to: string, label: string, icon: Command['icon'], key: BindingId): Command => ({
    id: `go.${to}`,
    group: appText.goTo,
    label,
    icon,
    keys: hintOf(key),
    run: () => navigate(to),
  })
  const when = (condition: boolean, ...commands: Command[]): readonly Command[] => (condition ? commands : [])

  useCommands([
    go('overview', appText.overview, 'overview', 'goOverview'),
    go('keys', appText.keys, 'key', 'goKeys'),
    go('webhooks', appText.webhooks, 'webhook', 'goWebhooks'),
    go('account', appText.account, 'account', 'goAccount'),
    go('trade', appText.trade, 'trade', 'goTrade'),
    go('markets', appText.markets, 'markets', 'goMarkets'),
    go('activity', appText.activity, 'activity', 'goActivity'),
    go('settings', appText.settings, 'settings', 'goSettings'),
    go('help', appText.help, 'unknown', 'goHelp'),
    go('notices', appText.notices, 'bell', 'goNotices'),
    { id: 'stop', group: appText.trade, label: appText.killSwitchCommand, icon: 'stop', run: () => navigate('trade/stop') },
    { id: 'stop.orders', group: appText.trade, label: appText.cancelAllOrders, icon: 'x', run: () => navigate('trade/stop?what=cancel_all') },
    { id: 'stop.positions', group: appText.trade, label: appText.closeAllPositions, icon: 'undo', run: () => navigate('trade/stop?what=close_all') },
    { id: 'markets.liquidations', group: appText.markets, label: appText.recentLiquidations, icon: 'markets', run: () => navigate('markets/liquidations') },
    { id: 'markets.vault', group: appText.markets, label: appText.liquidityVault, icon: 'markets', run: () => navigate('markets/vault') },
    { id: 'markets.token', group: appText.markets, label: appText.protocolToken, icon: 'markets', run: () => navigate('markets/token') },
    {
      id: 'markets.exchange',
      group: appText.markets,
      label: appText.exchangeStatusCommand,
      icon: 'server',
      run: () => navigate('markets/exchange'),
    },
    { id: 'gateway', group: appText.keys, label: appText.gatewayCommand, icon: 'bot', run: () => navigate('keys/gateway') },
    { id: 'bot.new', group: appText.keys, label: appText.addBotCommand, icon: 'plus', run: () => navigate('keys/gateway/add') },
    { id: 'leaks', group: appText.keys, label: appText.leakGuardCommand, icon: 'shield-check', run: () => navigate('keys/leaks') },
    { id: 'expiry', group: appText.keys, label: appText.expiryDates, icon: 'calendar', run: () => navigate('keys/expiry') },
    { id: 'key.new', group: appText.keys, label: appText.newKey, icon: 'plus', keys: hintOf('newKey'), run: () => navigate('keys/new') },
    { id: 'import-key', group: appText.keys, label: appText.importKey, icon: 'download', run: () => navigate('keys/import') },
    { id: 'revoke-all', group: appText.keys, label: appText.revokeAllKeys, icon: 'trash', run: () => navigate('keys/revoke-all') },
    { id: 'webhook.new', group: appText.webhooks, label: appText.newWebhook, icon: 'plus', run: () => navigate('webhooks/new') },
    { id: 'webhook.test', group: appText.webhooks, label: appText.testReceiver, icon: 'target', run: () => navigate('webhooks/lab') },
    { id: 'webhook.inspect', group: appText.webhooks, label: appText.verifyDelivery, icon: 'shield-check', run: () => navigate('webhooks/inspector') },
    { id: 'webhook.gaps', group: appText.webhooks, label: appText.gapCheckCommand, icon: 'search', run: () => navigate('webhooks/gaps') },
    ...when(wallet !== null, {
      id: 'session.in',
      group: appText.wallet,
      label: signedIn ? appText.signInAgain : appText.signIn,
      icon: 'user',
      keys: hintOf('signIn'),
      run: () => show('sign-in'),
    }),
    ...when(signedIn, { id: 'session.out', group: appText.wallet, label: appText.signOut, icon: 'x', run: () => signOut.mutate({}) }),
    ...when(!paired, { id: 'wallet.connect', group: appText.wallet, label: appText.connectWallet, icon: 'account', run: () => navigate('connect') }),
    { id: 'account.reports', group: appText.account, label: appText.reportsCommand, icon: 'doc', run: () => navigate('account?tab=reports') },
    { id: 'account.trades', group: appText.account, label: appText.allTrades, icon: 'swap', run: () => navigate('account?tab=trades') },
    ...when(
      wallet !== null,
      { id: 'collateral.in', group: appText.account, label: appText.depositCollateral, icon: 'coins', run: () => navigate('trade/collateral/deposit') },
      { id: 'collateral.out', group: appText.account, label: appText.withdrawCollateral, icon: 'coins', run: () => navigate('trade/collateral/withdraw') },
    ),
    ...when(paired, { id: 'wallet.disconnect', group: appText.wallet, label: appText.disconnectWallet, icon: 'x', run: () => void disconnect() }),
    ...when(practice, { id: 'practice.phone', group: appText.practice, label: appText.showPhone, icon: 'phone', run: () => phone.mutate({}) }),
    ...when(practice, { id: 'practice.leave', group: appText.practice, label: appText.leavePractice, icon: 'arrow-right', run: () => leave.mutate({}) }),
    ...when(!practice, { id: 'practice.start', group: appText.practice, label: appText.startPractice, icon: 'flask', run: () => practise.mutate({}) }),
    ...profiles
      .filter((profile) => profile.id !== active?.id && profile.kind === 'live')
      .map(
        (profile): Command => ({
          id: `profile.${profile.id}`,
          group: appText.exchanges,
          label: appText.switchTo(profile.name),
          icon: 'server',
          note: (profile.hostUrl ?? '').replace(/^https?:\/\//, ''),
          run: () => select.mutate({ id: profile.id }),
        }),
      ),
    { id: 'profile.add', group: appText.exchanges, label: appText.addExchange, icon: 'plus', run: () => navigate('settings/exchanges?add=1') },
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map(
        (one): Command => ({
          id: `theme.${one}`,
          group: appText.window,
          label: themeNames[one],
          icon: 'eye',
          run: () => save.mutate({ theme: one }),
        }),
      ),
    {
      id: 'rail',
      group: appText.window,
      label: settings.data?.rail === 'collapsed' ? appText.expandSidebar : appText.collapseSidebar,
      icon: 'sidebar',
      keys: hintOf('rail'),
      run: () => save.mutate({ rail: settings.data?.rail === 'collapsed' ? 'open' : 'collapsed' }),
    },
    {
      id: 'amounts',
      group: appText.window,
      label: settings.data?.hideAmounts === true ? appText.showAmounts : appText.hideAmounts,
      icon: settings.data?.hideAmounts === true ? 'eye' : 'eye-off',
      keys: hintOf('hideAmounts'),
      run: () => save.mutate({ hideAmounts: settings.data?.hideAmounts !== true }),
    },
    lock.data?.state === 'open'
      ? { id: 'lock.now', group: appText.window, label: appText.lockNow, icon: 'lock', keys: hintOf('lock'), run: () => lockNow.mutate({}) }
      : { id: 'lock.set', group: appText.window, label: appText.setUpLock, icon: 'lock', run: () => navigate('settings/lock') },
    { id: 'shortcuts', group: appText.window, label: appText.keyboardShortcuts, icon: 'terminal', keys: hintOf('shortcuts'), run: () => show('shortcuts') },
  ])
}
