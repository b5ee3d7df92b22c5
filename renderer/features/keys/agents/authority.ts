import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { keysText } from '../../../text/en/keys.en.tsx'

/** Whether a step on the path key → scopes → agent → executor → payment lets a bot trade: yes, not yet, or no. */
export type Reach = 'open' | 'weak' | 'shut'

export interface Authority {
  /** All scopes of the key, summarised in two to four words. */
  readonly title: string
  readonly powers: readonly { readonly text: string; readonly held: boolean }[]
  /** `open`: the agent lets a bot trade. `weak`: the agent exists, but something is still missing. `shut`: the key has no agent. */
  readonly agent: Reach
  readonly executor: Reach
  /** True if the key can trade without the wallet, because its scope, grant and executor are all set. */
  readonly tradesAlone: boolean
  /** What a thief of the secret could do, worst first. Never empty. */
  readonly thief: readonly { readonly text: string; readonly worst: boolean }[]
  /** What a thief could not do with the secret alone. */
  readonly not: readonly string[]
}

const held = (key: Pick<KeySummary, 'scopes'>, scope: string): boolean => key.scopes?.includes(scope) === true

function titleOf(key: KeySummary): string {
  if (key.scopes === null) return keysText.notGiven
  const trades = held(key, 'trade:execute')
  const moves = held(key, 'collateral:manage')
  if (trades && moves) return keysText.tradeAndMoveCollateral
  if (moves) return keysText.moveCollateral
  if (trades) return keysText.tradeNotWithdraw
  if (held(key, 'trade:prepare') || held(key, 'orders:manage')) return keysText.prepareOnly
  return keysText.readOnly
}

/**
 * Describes a key's authority (Authentication 4). If the service does not report the scopes, none counts as granted, and `title` states that the
 * service reported no scopes.
 */
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
      text: manages ? keysText.thiefTradesAndManages : keysText.thiefTrades,
      worst: true,
    })
  }
  if (reads) thief.push({ text: keysText.thiefReads, worst: !tradesAlone })
  if (prepares && !tradesAlone) thief.push({ text: keysText.thiefPreparesOrders, worst: false })
  if (moves) thief.push({ text: keysText.thiefPreparesTransfers, worst: false })
  if (thief.length === 0)
    thief.push(
      held(key, 'market:read')
        ? { text: keysText.thiefReadsMarkets, worst: false }
        : { text: key.scopes === null ? keysText.powersNotGiven : keysText.thiefAlmostNothing, worst: key.scopes === null },
    )

  const not = [
    keysText.withdrawWithoutWallet,
    ...(tradesAlone ? [] : executes ? [bound ? keysText.tradeNoGrant : keysText.tradeNoExecutor] : [keysText.tradeWithoutWallet]),
    keysText.manageKeys,
    ...(key.allowlist !== null && key.allowlist.length > 0 ? [keysText.actFromOutsideAllowlist(key.allowlist.length)] : []),
  ]

  return {
    title: titleOf(key),
    powers: [
      { text: keysText.readMarkets, held: held(key, 'market:read') },
      { text: keysText.readAccount, held: reads },
      { text: keysText.prepareTrades, held: prepares },
      { text: keysText.executeWithoutWallet, held: executes },
      { text: keysText.manageOrders, held: manages },
      { text: keysText.moveCollateral, held: moves },
    ],
    agent: key.agent === null ? 'shut' : granted ? 'open' : 'weak',
    executor: bound ? (granted ? 'open' : 'weak') : 'shut',
    tradesAlone,
    thief,
    not,
  }
}
