import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'

/** What a key reaches on one leg of its way: key → scopes → agent → executor → payment. */
export type Reach = 'open' | 'weak' | 'shut'

export interface Authority {
  /** Two to four words for the whole of its scopes. */
  readonly title: string
  readonly powers: readonly { readonly text: string; readonly held: boolean }[]
  /** weak: the leg is there and something about it keeps a bot from trading. shut: it is not there. */
  readonly agent: Reach
  readonly executor: Reach
  /** Trades without the wallet: scope, grant and executor are all there. */
  readonly tradesAlone: boolean
  /** What whoever holds the secret could do, the worst first. Never empty. */
  readonly thief: readonly { readonly text: string; readonly worst: boolean }[]
  /** What the secret alone is not enough for. */
  readonly not: readonly string[]
}

const held = (key: Pick<KeySummary, 'scopes'>, scope: string): boolean => key.scopes?.includes(scope) === true

function titleOf(key: KeySummary): string {
  if (key.scopes === null) return 'Not said'
  const trades = held(key, 'trade:execute')
  const moves = held(key, 'collateral:manage')
  if (trades && moves) return 'Trade and move collateral'
  if (moves) return 'Move collateral'
  if (trades) return 'Trade, not withdraw'
  if (held(key, 'trade:prepare') || held(key, 'orders:manage')) return 'Prepare, you sign'
  return 'Read only'
}

/** Authentication 4, in words. What the service did not say is taken as not held, and `title` says so. */
export function authorityOf(key: KeySummary): Authority {
  const executes = held(key, 'trade:execute')
  const granted = key.agent?.granted === true
  const bound = key.executor !== null
  const tradesAlone = executes && granted && bound
  const prepares = held(key, 'trade:prepare')
  const manages = held(key, 'orders:manage')
  const moves = held(key, 'collateral:manage')
  const reads = held(key, 'account:read')

  const thief: { text: string; worst: boolean }[] = []
  if (tradesAlone) {
    thief.push({
      text: manages
        ? 'Trade in your name with all of your margin, cancel and move your orders, and so lose it for you.'
        : 'Trade in your name with all of your margin, and so lose it for you.',
      worst: true,
    })
  }
  if (reads) thief.push({ text: 'See your balances, positions, orders and history.', worst: !tradesAlone })
  if (prepares && !tradesAlone) thief.push({ text: 'Prepare orders. They do nothing until your wallet signs.', worst: false })
  if (moves) thief.push({ text: 'Prepare deposits and withdrawals. Each still needs your wallet.', worst: false })
  if (thief.length === 0)
    thief.push(
      held(key, 'market:read')
        ? { text: 'Read market data, which is public.', worst: false }
        : { text: key.scopes === null ? 'The service did not say what it may do.' : 'Next to nothing.', worst: key.scopes === null },
    )

  const not = [
    'Withdraw without your wallet',
    ...(tradesAlone ? [] : executes ? [bound ? 'Trade alone: its agent has no grant' : 'Trade alone: no executor is bound'] : ['Trade without your wallet']),
    'Make, change or revoke keys',
    ...(key.allowlist !== null && key.allowlist.length > 0
      ? [`Anything from outside ${key.allowlist.length === 1 ? 'the one address or range' : `the ${key.allowlist.length} addresses and ranges`} on its list`]
      : []),
  ]

  return {
    title: titleOf(key),
    powers: [
      { text: 'Read markets', held: held(key, 'market:read') },
      { text: 'Read the account', held: reads },
      { text: 'Prepare trades', held: prepares },
      { text: 'Execute by itself', held: executes },
      { text: 'Cancel and replace', held: manages },
      { text: 'Move collateral', held: moves },
    ],
    agent: key.agent === null ? 'shut' : granted ? 'open' : 'weak',
    executor: bound ? (granted ? 'open' : 'weak') : 'shut',
    tradesAlone,
    thief,
    not,
  }
}
