import { QueryClient } from '@tanstack/react-query'
import type { AppEvent, Bridge, QueryName, WalletlessQuery } from '../../shared/ipc/contract.ts'
import { signInQueries } from '../../shared/ipc/intents/intent-queries.ts'
import { second } from '../../shared/time.ts'

const ofSignIn: ReadonlySet<string> = new Set(signInQueries)
const signInFreshMs = 10 * second

/**
 * How old a stored answer may be, in ms, for a view that opens to show it without reading it again. This is the view's own interval `every`, or less
 * for lists that need a sign-in.
 */
export const freshMs = (name: string, every: number | false): number =>
  Math.min(ofSignIn.has(name) ? signInFreshMs : Number.POSITIVE_INFINITY, every === false ? Number.POSITIVE_INFINITY : every)

/**
 * Creates the query client. Its queries neither retry nor pause, because the main process does both and knows better whether there is a network.
 * An answer counts as fresh until the main process reports a change or the query's own interval has passed.
 */
export function createQueryClient(): QueryClient {
  const always = { retry: false, networkMode: 'always' } as const
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...always,
        // A sign-in can end at the service without notice. So answers that need a sign-in soon count as outdated, and a page that opens reads them
        // again.
        staleTime: ({ queryKey: [name] }) => freshMs(String(name), false),
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: always,
    },
  })
}

/** Queries for which the main process always asks the service. To save requests, several notifications within `momentMs` cause only one reread. */
const gathered: ReadonlySet<string> = new Set([
  'account.summary',
  'account.positions',
  'account.orders',
  'account.collateral',
  'account.riskPreview',
  'account.history',
  'account.finality',
  'riskLimits.today',
] satisfies QueryName[])
/**
 * Notifications within this time, in ms, cause one reread. A command's answer and the main process's event about the same change arrive this close
 * together.
 */
const momentMs = 150
const waiting = new WeakMap<QueryClient, Set<string>>()

/**
 * Marks all results of the named queries as outdated and rereads the visible ones. Account data is reread only once for notifications that come
 * close together.
 */
export function invalidate(client: QueryClient, queries: readonly string[]): void {
  for (const name of queries) if (!gathered.has(name)) void client.invalidateQueries({ queryKey: [name] })
  const old = queries.filter((name) => gathered.has(name))
  const known = waiting.get(client)
  if (known !== undefined) for (const name of old) known.add(name)
  else if (old.length > 0) {
    const names = new Set(old)
    waiting.set(client, names)
    setTimeout(() => {
      waiting.delete(client)
      for (const name of names) void client.invalidateQueries({ queryKey: [name] })
    }, momentMs)
  }
}

/**
 * Queries whose answers do not depend on the wallet; all others do. This repeats a part of the IPC contract, so that the page need not load the
 * contract's schemas. The compiler checks that both agree.
 */
const walletless: Readonly<Record<string, true>> = {
  'app.clock': true,
  'app.health': true,
  'app.info': true,
  'app.pollingRate': true,
  'app.settings': true,
  'chain.rpc': true,
  'fieldMap.get': true,
  'lock.choice': true,
  'lock.state': true,
  'markets.breakers': true,
  'markets.candles': true,
  'markets.config': true,
  'markets.favourites': true,
  'markets.funding': true,
  'markets.history': true,
  'markets.liquidations': true,
  'markets.list': true,
  'markets.marks': true,
  'markets.meta': true,
  'markets.openInterest': true,
  'markets.orderbook': true,
  'markets.ownToken': true,
  'markets.ownTokenMetrics': true,
  'markets.snapshot': true,
  'markets.status': true,
  'markets.summaries': true,
  'markets.summary': true,
  'markets.trends': true,
  'markets.vault': true,
  'phone.state': true,
  'practice.status': true,
  'presets.list': true,
  'presets.settings': true,
  'profiles.list': true,
  'updates.state': true,
  'wallet.bootstrap': true,
  'wallet.storage': true,
} satisfies Record<WalletlessQuery, true>
const ofWallet = { predicate: ({ queryKey: [name] }: { readonly queryKey: readonly unknown[] }) => !Object.hasOwn(walletless, String(name)) }

/** The queries whose answers stay in memory while the app is locked. None contains account data. */
const shownLocked: ReadonlySet<string> = new Set(['lock.state', 'lock.choice', 'app.info', 'app.settings', 'app.clock', 'profiles.list'] satisfies QueryName[])

/** Forgets every answer except those that the lock page needs. */
export function dropForLock(client: QueryClient): void {
  const predicate = ({ queryKey: [name] }: { readonly queryKey: readonly unknown[] }) => !shownLocked.has(String(name))
  void client.cancelQueries({ predicate })
  client.removeQueries({ predicate })
}

/** Drops every answer that depends on the wallet, finished or still running. Visible queries start over (AUTH-03). */
export const dropWalletAnswers = (client: QueryClient): void => void client.resetQueries(ofWallet)

/** Marks every answer that depends on the wallet as outdated. */
export const refreshWalletAnswers = (client: QueryClient): void => void client.invalidateQueries(ofWallet)

export interface EventEffects {
  readonly onNotice: (notice: Extract<AppEvent, { type: 'notice' }>) => void
  readonly onOpen: (to: string) => void
  readonly onReload: () => void
  readonly onReopen: () => void
}

/** Handles events of the main process. Returns a function that stops listening. */
export function followEvents(bridge: Bridge, client: QueryClient, effects: EventEffects): () => void {
  return bridge.on((event) => {
    switch (event.type) {
      case 'invalidate':
        invalidate(client, event.queries)
        return
      case 'answer': {
        const queryKey = [event.name, event.input]
        // Another window read this answer. Storing it restarts this window's interval, so that the windows share reads instead of taking turns.
        if (client.getQueryCache().find({ queryKey, exact: true }) !== undefined) client.setQueryData(queryKey, event.value)
        return
      }
      case 'notice':
        effects.onNotice(event)
        return
      case 'open':
        effects.onOpen(event.to)
        return
      case 'reload':
        effects.onReload()
        return
      case 'reopen':
        effects.onReopen()
    }
  })
}
