// The practice exchange in a process of its own, with a key for each wallet. Answers questions over the channel to its parent. When the parent ends for
// any reason, it ends the processes that it guards, so that an interrupted proof leaves none behind.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { getAddress, toHex } from 'viem'
import { noFaults } from '../../../electron/practice/base/faults.ts'
import { createPracticeClock } from '../../../electron/practice/base/practice-clock.ts'
import { hashOf, newApiKey } from '../../../electron/practice/base/tokens.ts'
import { createExchange } from '../../../electron/practice/exchange/exchange.ts'
import { day, systemClock } from '../../../shared/time.ts'
import { createFakeChain } from '../../support/practice/fake-chain.ts'

export interface ExchangeKey {
  readonly id: string
  readonly wallet: string
  readonly secret: string
}

/** What the exchange has seen and done. Times are in Unix ms. */
export interface Asks {
  readonly keys: { readonly hostUrl: string; readonly keys: readonly ExchangeKey[] }
  /** When each request of the last minutes was answered. */
  readonly calls: readonly number[]
  /** The idempotency keys of all commands, oldest first. */
  readonly commands: readonly string[]
  /** Mines blocks until every order has its outcome. */
  readonly mine: null
  readonly guard: null
}

export type Question = { readonly [Name in keyof Asks]: { readonly number: number; readonly ask: Name; readonly of: string | number | null } }[keyof Asks]

const quota = 1_000_000
const [, , count = '1'] = process.argv
const clock = createPracticeClock(systemClock)
const chain = createFakeChain()
const exchange = createExchange({
  ...{ chain, clock, faults: noFaults(), seed: 7, dataDir: null, resolve: async () => [] },
  quotaCaps: { maxKeyQuota: quota, defaultKeyQuota: quota },
})
const { hostUrl } = await exchange.listen(0)
const keys = Array.from({ length: Number(count) }, (_, at) => ({ id: `key_${at}`, wallet: getAddress(toHex(randomBytes(20))), secret: newApiKey() }))
for (const { wallet } of keys) exchange.seedCollateral(wallet, '100000000')
exchange.adopt({
  keys: keys.map(({ id, wallet, secret }) => ({
    ...{ id, wallet, label: id, scopes: ['account:read', 'market:read', 'trade:execute', 'orders:manage'], secretHash: hashOf(secret) },
    ...{ prefix: secret.slice(0, 6), createdAtMs: clock.now(), expiresAtMs: clock.now() + 30 * day, revokedAtMs: null, lastUsedAtMs: null },
    ...{ lastUsedIp: null, ipAllowlist: [], quotas: {}, agent: null, executor: 'exec-fra-1' },
  })),
  audit: [],
})

const guarded: (string | number)[] = []
const answer = async ({ ask, of }: Question): Promise<Asks[keyof Asks]> => {
  switch (ask) {
    case 'keys':
      return { hostUrl, keys }
    case 'calls':
      return exchange.calls().map(({ atMs }) => atMs)
    case 'commands':
      return exchange.effects().commands.flatMap((key) => key ?? [])
    case 'mine':
      await chain.mine(9)
      await exchange.settle()
      return null
    case 'guard':
      if (of !== null) guarded.push(of)
      return null
  }
}
process.on('message', (question: Question) => {
  void answer(question).then(
    (value) => process.send?.({ number: question.number, value }),
    (error: unknown) => process.send?.({ number: question.number, error: String(error) }),
  )
})
process.on('SIGINT', () => undefined)
process.on('disconnect', () => {
  for (const one of guarded)
    try {
      if (typeof one === 'number') process.kill(one, 'SIGKILL')
      else rmSync(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    } catch {
      // It has ended already.
    }
  process.exit(0)
})
