import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { sheetPlace } from '../../features/keys/key-view.ts'
import { keyCommands } from '../../features/keys/list/key-bar.tsx'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { hintOf } from '../../kit/key-bindings.ts'
import type { Command } from '../../kit/layout/commands.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { shortId, useAmountText } from '../../kit/number.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { usePauseBots } from '../../parts/pause-bots.ts'
import { appText } from '../../text/en/app.en.tsx'
import { keysText } from '../../text/en/keys.en.tsx'
import { searchText } from '../../text/en/search.en.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'

/** For each command, by its id: its search terms, and for a command that stops something, the name of the risky action. */
const known: Readonly<Record<string, Pick<Command, 'terms' | 'risk'>>> = {
  'go.overview': { terms: searchText.wordsOverview },
  'go.trade': { terms: searchText.wordsTrade },
  'go.account': { terms: searchText.wordsAccount },
  'go.markets': { terms: searchText.wordsMarkets },
  'go.keys': { terms: searchText.wordsKeys },
  'go.webhooks': { terms: searchText.wordsWebhooks },
  'go.activity': { terms: searchText.wordsActivity },
  'go.settings': { terms: searchText.wordsSettings },
  'go.help': { terms: searchText.wordsHelp },
  stop: { terms: searchText.wordsKillSwitch, risk: `${appText.killSwitchCommand} ${searchText.wordsKillSwitch}` },
  'stop.orders': { terms: searchText.wordsCancelAll, risk: appText.cancelAllOrders },
  'stop.positions': { terms: searchText.wordsCloseAll, risk: appText.closeAllPositions },
  'revoke-all': { terms: searchText.wordsRevokeAll, risk: appText.revokeAllKeys },
  'collateral.in': { terms: searchText.wordsDeposit },
  'collateral.out': { terms: searchText.wordsWithdraw },
  'key.new': { terms: searchText.wordsNewKey },
  'import-key': { terms: searchText.wordsImportKey },
  'webhook.new': { terms: searchText.wordsNewWebhook },
  'session.in': { terms: searchText.wordsSignIn },
  'wallet.connect': { terms: searchText.wordsConnect },
  'account.reports': { terms: searchText.wordsReports },
  'account.trades': { terms: searchText.wordsTrades },
  'markets.exchange': { terms: searchText.wordsExchange },
  expiry: { terms: searchText.wordsExpiry },
  leaks: { terms: searchText.wordsLeaks },
  gateway: { terms: searchText.wordsGateway },
  'bot.new': { terms: searchText.wordsGateway },
  shortcuts: { terms: searchText.wordsShortcuts },
  'theme.dark': { terms: searchText.wordsTheme },
  'theme.light': { terms: searchText.wordsTheme },
  'theme.system': { terms: searchText.wordsTheme },
  'profile.add': { terms: searchText.wordsExchanges },
}

/** Adds to each command the search terms under which it is found. */
export const withTerms = (commands: readonly Command[]): readonly Command[] => commands.map((command) => ({ ...command, ...known[command.id] }))

/** The parts of the settings page: their address, name and search terms. */
const settingsParts = [
  ['exchanges', settingsText.exchanges, searchText.wordsExchanges],
  ['risk-limits', settingsText.riskLimits, searchText.wordsRiskLimits],
  ['service', settingsText.service, searchText.wordsService],
  ['check', settingsText.serviceCheck, searchText.wordsServiceCheck],
  ['fields', settingsText.fieldMap, searchText.wordsFieldMap],
  ['appearance', settingsText.appearance, searchText.wordsAppearance],
  ['lock', settingsText.lock, searchText.wordsLock],
  ['wallet', settingsText.walletConnection, searchText.wordsWallet],
  ['terminal', settingsText.terminalCommands, searchText.wordsTerminal],
  ['backup', settingsText.backupAndSupport, searchText.wordsBackup],
  ['about', settingsText.about, searchText.wordsAbout],
] as const

/** Whether a text may be the id of a request, an order or a transaction: it contains a digit and no space. */
const mayBeId = (typed: string): boolean => /^[\w:.-]{6,80}$/.test(typed) && /\d/.test(typed)

const termsOfKey = ({ id, agent, executor, note, allowlist }: KeySummary): string =>
  [id, agent?.address, executor, note?.text, ...(allowlist ?? []), searchText.wordsKey].filter((term) => term != null).join(' ')

/**
 * What the palette finds besides commands: settings, keys, markets, webhooks, open orders and past requests. Each is found by its name, its id and
 * search terms. Loads nothing until the user types.
 */
export function useSearchCommands(typed: string): readonly Command[] {
  const navigate = useNavigate()
  const amount = useAmountText()
  const toast = useToast()
  const copy = useIpcCommand('keys.copySecret')
  const wanted = { enabled: typed.trim() !== '' }
  const keys = useIpcQuery('keys.list', {}, wanted).data?.keys ?? []
  const markets = useIpcQuery('markets.list', {}, wanted).data?.markets ?? []
  const webhooks = useIpcQuery('webhooks.list', {}, wanted).data?.webhooks ?? []
  const orders = useIpcQuery('account.orders', { watch: null }, wanted).data?.orders ?? []
  const gateway = useIpcQuery('gateway.status', {}, wanted).data
  const { pause } = usePauseBots()
  const intents = useIpcQuery('intents.list', { beforeMs: null, limit: 50 }, wanted).data?.intents ?? []
  const go = (to: string) => () => navigate(to)
  const copySecret = (keyId: string) => () =>
    copy.mutate(
      { keyId },
      {
        onSuccess: () => toast({ tone: 'ok', title: keysText.secretCopied, text: keysText.clipboardClears, action: null }),
        onError: () => toast({ tone: 'danger', title: keysText.secretNotCopied, text: keysText.retryAdvice, action: null }),
      },
    )
  const id = typed.trim()
  return [
    ...settingsParts.map(
      ([part, name, terms]): Command => ({
        id: `settings.${part}`,
        group: searchText.settings,
        label: searchText.settingsPart(name),
        icon: 'settings',
        terms,
        run: go(`settings/${part}`),
      }),
    ),
    ...keys.flatMap((key): Command[] => [
      {
        id: `key.${key.id}`,
        group: keysText.keys,
        label: searchText.openKey(key.label),
        icon: 'key',
        note: shortId(key.id),
        terms: termsOfKey(key),
        run: go(`keys/${encodeURIComponent(key.id)}`),
      },
      ...(key.secret === 'keychain' && isLiveKey(key)
        ? [
            {
              id: `copy.${key.id}`,
              group: keysText.keys,
              label: searchText.copySecretOf(key.label),
              icon: 'copy' as const,
              terms: `${key.id} ${searchText.wordsCopySecret}`,
              run: copySecret(key.id),
            },
          ]
        : []),
      ...(isLiveKey(key)
        ? keyCommands(key, ['rotate', 'revoke'], (action) => navigate(sheetPlace(key.id, action, null))).map((command) => ({
            ...command,
            terms: `${key.id} ${command.id.startsWith('rotate') ? searchText.wordsRotate : searchText.wordsRevoke}`,
          }))
        : []),
    ]),
    ...(gateway?.isOn === true
      ? [
          {
            id: 'bots.pause',
            group: appText.keys,
            label: appText.pauseAllBots,
            icon: 'pause' as const,
            keys: hintOf('pauseBots'),
            terms: searchText.wordsPauseBots,
            run: () => pause(null),
          },
        ]
      : []),
    ...(gateway?.bots ?? []).flatMap((bot): Command[] => [
      {
        id: `bot.${bot.id}`,
        group: appText.keys,
        label: searchText.openBot(bot.label),
        icon: 'bot',
        note: bot.id,
        terms: searchText.wordsGateway,
        run: go(`keys/gateway/${bot.id}`),
      },
      ...(bot.state === 'paused' || bot.state === 'expired'
        ? []
        : [
            {
              id: `bot.pause.${bot.id}`,
              group: appText.keys,
              label: searchText.pauseBot(bot.label),
              icon: 'pause' as const,
              note: bot.id,
              run: () => pause(bot.id),
            },
          ]),
    ]),
    ...markets.flatMap(({ id: pairId, symbol }): Command[] => [
      {
        id: `trade.${pairId}`,
        group: appText.markets,
        label: searchText.tradeMarket(symbol),
        icon: 'trade',
        terms: searchText.wordsMarket,
        run: go(`trade/${symbol}`),
      },
      {
        id: `market.${pairId}`,
        group: appText.markets,
        label: searchText.marketData(symbol),
        icon: 'markets',
        terms: searchText.wordsMarket,
        run: go(`markets/${pairId}`),
      },
    ]),
    ...webhooks.map(
      (webhook): Command => ({
        id: `webhook.${webhook.id}`,
        group: appText.webhooks,
        label: searchText.openWebhook(webhook.url ?? webhook.id),
        icon: 'webhook',
        terms: `${webhook.id} ${searchText.wordsWebhook}`,
        run: go(`webhooks/${encodeURIComponent(webhook.id)}`),
      }),
    ),
    ...orders.map(
      (order): Command => ({
        id: `order.${order.id}`,
        group: searchText.orders,
        label: searchText.openOrder([order.side, order.type, order.symbol].filter((part) => part !== null).join(' ')),
        icon: 'doc',
        note: shortId(order.id),
        terms: [order.id, order.clientOrderId ?? '', order.positionId ?? '', searchText.wordsOrder].join(' '),
        run: go(order.symbol === null ? 'trade' : `trade/${order.symbol}`),
      }),
    ),
    ...intents.map(
      (intent): Command => ({
        id: `intent.${intent.ref}`,
        group: searchText.orders,
        label: searchText.pastRequest(titleText(intent.title, amount)),
        icon: 'activity',
        terms: [intent.ref, intent.intentId ?? '', intent.txHash ?? '', intent.commandId ?? ''].join(' '),
        run: go(`activity/${intent.ref}`),
      }),
    ),
    ...(mayBeId(id)
      ? [
          {
            id: 'find.request',
            group: searchText.orders,
            label: searchText.findRequest(id),
            icon: 'search' as const,
            run: go(`activity?tab=requests&text=${encodeURIComponent(id)}`),
          },
        ]
      : []),
  ]
}
