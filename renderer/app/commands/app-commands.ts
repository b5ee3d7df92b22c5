import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { type Command, lockKeys, useCommands } from '../../kit/layout/commands.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { useConnectedWallet, useIsPaired, useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import { useShell } from '../shell.tsx'

/** The commands that hold everywhere. Pages add their own. */
export function useAppCommands(): void {
  const navigate = useNavigate()
  const show = useShell((state) => state.show)
  const list = useDeskQuery('profiles.list', {})
  const settings = useDeskQuery('app.settings', {})
  const session = useDeskQuery('session.status', {})
  const wallet = useConnectedWallet()
  const paired = useIsPaired()
  const { disconnect } = useWalletActions()
  const save = useDeskCommand('app.saveSettings')
  const select = useDeskCommand('profiles.select')
  const practise = useDeskCommand('practice.start')
  const leave = useDeskCommand('practice.leave')
  const phone = useDeskCommand('practice.showPhone')
  const signOut = useDeskCommand('session.end')
  const lock = useDeskQuery('lock.state', {})
  const lockNow = useDeskCommand('lock.now')
  const profiles = list.data?.profiles ?? []
  const active = profiles.find((profile) => profile.id === list.data?.activeId)
  const practice = active?.kind === 'practice'
  const signedIn = session.data?.state === 'active' || session.data?.state === 'ending'
  const theme = settings.data?.theme
  const go = (to: string, label: string, icon: Command['icon'], letter: string): Command => ({
    id: `go.${to}`,
    group: 'Go to',
    label,
    icon,
    keys: ['G', letter],
    run: () => navigate(to),
  })
  const when = (condition: boolean, ...commands: Command[]): readonly Command[] => (condition ? commands : [])

  useCommands([
    go('overview', 'Overview', 'overview', 'O'),
    go('trade', 'Trade', 'trade', 'T'),
    go('account', 'Account', 'account', 'C'),
    go('markets', 'Markets', 'markets', 'M'),
    go('keys', 'Keys', 'key', 'K'),
    go('webhooks', 'Webhooks', 'webhook', 'W'),
    go('activity', 'Activity', 'activity', 'A'),
    go('settings', 'Settings', 'settings', 'S'),
    { id: 'stop', group: 'Trade', label: 'Kill switch: cancel, close, revoke', icon: 'stop', run: () => navigate('trade/stop') },
    { id: 'stop.orders', group: 'Trade', label: 'Cancel all orders', icon: 'x', run: () => navigate('trade/stop?what=cancel_all') },
    { id: 'stop.positions', group: 'Trade', label: 'Close all positions', icon: 'undo', run: () => navigate('trade/stop?what=close_all') },
    { id: 'markets.liquidations', group: 'Markets', label: 'Recent liquidations', icon: 'markets', run: () => navigate('markets/liquidations') },
    { id: 'markets.vault', group: 'Markets', label: 'Liquidity vault', icon: 'markets', run: () => navigate('markets/vault') },
    { id: 'markets.token', group: 'Markets', label: 'Protocol token', icon: 'markets', run: () => navigate('markets/token') },
    { id: 'markets.exchange', group: 'Markets', label: 'Exchange: status, circuit breakers, models', icon: 'server', run: () => navigate('markets/exchange') },
    { id: 'leaks', group: 'Keys', label: 'Leak guard: find keys in files', icon: 'shield-check', run: () => navigate('keys/leaks') },
    { id: 'radar', group: 'Keys', label: 'Expiry radar', icon: 'calendar', run: () => navigate('keys/radar') },
    { id: 'key.new', group: 'Keys', label: 'New key', icon: 'plus', keys: ['N'], run: () => navigate('keys/new') },
    { id: 'webhook.new', group: 'Webhooks', label: 'New webhook', icon: 'plus', run: () => navigate('webhooks/new') },
    { id: 'webhook.test', group: 'Webhooks', label: 'Test a receiver', icon: 'target', run: () => navigate('webhooks/lab') },
    { id: 'webhook.inspect', group: 'Webhooks', label: 'Verify a delivery', icon: 'shield-check', run: () => navigate('webhooks/inspector') },
    { id: 'webhook.gaps', group: 'Webhooks', label: 'Gap check: what a receiver missed', icon: 'search', run: () => navigate('webhooks/gaps') },
    ...when(wallet !== null, {
      id: 'session.in',
      group: 'Wallet',
      label: signedIn ? 'Sign in again' : 'Sign in',
      icon: 'user',
      keys: ['S'],
      run: () => show('sign-in'),
    }),
    ...when(signedIn, { id: 'session.out', group: 'Wallet', label: 'Sign out', icon: 'x', run: () => signOut.mutate({}) }),
    ...when(!paired, { id: 'wallet.connect', group: 'Wallet', label: 'Connect a wallet', icon: 'account', run: () => navigate('connect') }),
    { id: 'account.reports', group: 'Account', label: 'Reports: realised, fees, funding', icon: 'doc', run: () => navigate('account?tab=reports') },
    { id: 'account.trades', group: 'Account', label: 'All trades', icon: 'swap', run: () => navigate('account?tab=trades') },
    ...when(
      wallet !== null,
      { id: 'collateral.in', group: 'Account', label: 'Deposit collateral', icon: 'coins', run: () => navigate('trade/collateral/deposit') },
      { id: 'collateral.out', group: 'Account', label: 'Withdraw collateral', icon: 'coins', run: () => navigate('trade/collateral/withdraw') },
    ),
    ...when(paired, { id: 'wallet.disconnect', group: 'Wallet', label: 'Disconnect the wallet', icon: 'x', run: () => void disconnect() }),
    ...when(practice, { id: 'practice.phone', group: 'Practice', label: 'Show the practice phone', icon: 'phone', run: () => phone.mutate({}) }),
    ...when(practice, { id: 'practice.leave', group: 'Practice', label: 'Leave practice', icon: 'arrow-right', run: () => leave.mutate({}) }),
    ...when(!practice, { id: 'practice.start', group: 'Practice', label: 'Start practising', icon: 'flask', run: () => practise.mutate({}) }),
    ...profiles
      .filter((profile) => profile.id !== active?.id && profile.kind === 'live')
      .map(
        (profile): Command => ({
          id: `profile.${profile.id}`,
          group: 'Exchanges',
          label: `Switch to ${profile.name}`,
          icon: 'server',
          note: (profile.hostUrl ?? '').replace(/^https?:\/\//, ''),
          run: () => select.mutate({ id: profile.id }),
        }),
      ),
    { id: 'profile.add', group: 'Exchanges', label: 'Add an exchange', icon: 'plus', run: () => navigate('settings/exchanges?add=1') },
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map(
        (one): Command => ({
          id: `theme.${one}`,
          group: 'Window',
          label: one === 'system' ? 'Theme: as the system' : `Theme: ${one}`,
          icon: 'eye',
          run: () => save.mutate({ theme: one }),
        }),
      ),
    {
      id: 'rail',
      group: 'Window',
      label: settings.data?.rail === 'collapsed' ? 'Expand the rail' : 'Collapse the rail',
      icon: 'sidebar',
      keys: ['Ctrl', 'B'],
      run: () => save.mutate({ rail: settings.data?.rail === 'collapsed' ? 'open' : 'collapsed' }),
    },
    lock.data?.state === 'open'
      ? { id: 'lock.now', group: 'Window', label: 'Lock now', icon: 'lock', keys: lockKeys, run: () => lockNow.mutate({}) }
      : { id: 'lock.set', group: 'Window', label: 'Set up the lock', icon: 'lock', run: () => navigate('settings/lock') },
    { id: 'shortcuts', group: 'Window', label: 'Keyboard shortcuts', icon: 'terminal', keys: ['?'], run: () => show('shortcuts') },
  ])
}
