import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '../../shared/ipc/contract.ts'
import { createQueryClient, dropWalletAnswers, invalidate } from './query-client.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function onScreen(...names: string[]) {
  const client = createQueryClient()
  client.mount()
  const reads = new Map<string, number>(names.map((name) => [name, 0]))
  for (const name of names)
    new QueryObserver(client, {
      queryKey: [name, {}],
      queryFn: async () => {
        reads.set(name, (reads.get(name) ?? 0) + 1)
        return reads.get(name)
      },
    }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  return { client, reads: () => Object.fromEntries(reads) }
}

test('the page rereads outdated account data once per action, even if the main process reports it as outdated several times', async () => {
  const { client, reads } = await onScreen('account.positions', 'account.orders', 'intents.list')
  // The main process reports three state changes of one order; then comes the answer to the command that placed the order.
  for (let count = 0; count < 3; count += 1) invalidate(client, ['intents.list', 'account.positions', 'account.orders'])
  await vi.advanceTimersByTimeAsync(100)
  invalidate(client, ['account.positions', 'account.orders'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads()).toMatchObject({ 'account.positions': 2, 'account.orders': 2 })
  // `intents.list` comes from the journal, so it is read again at once, without waiting for more notifications.
  const before = reads()['intents.list'] ?? 0
  invalidate(client, ['intents.list', 'account.orders'])
  await vi.advanceTimersByTimeAsync(1)
  expect(reads()).toMatchObject({ 'intents.list': before + 1, 'account.orders': 2 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reads()).toMatchObject({ 'account.positions': 2, 'account.orders': 3 })
})

test('when its page opens, a list that needs a sign-in, such as the keys, is read again; a list without this need is not', async () => {
  const { client, reads } = await onScreen('keys.list', 'markets.list')
  await vi.advanceTimersByTimeAsync(11_000)
  for (const name of ['keys.list', 'markets.list'])
    new QueryObserver(client, {
      queryKey: [name, {}],
      queryFn: client.getQueryCache().find({ queryKey: [name, {}] })?.options.queryFn as () => unknown,
    }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(reads()).toEqual({ 'keys.list': 2, 'markets.list': 1 })
})

test('the page drops all cached answers when the wallet changes, except answers that do not depend on the wallet [AUTH-03]', () => {
  const client = createQueryClient()
  const queries = Object.entries(contract).flatMap(([name, definition]) => (definition.kind === 'query' ? [{ name, of: definition.of }] : []))
  for (const name of [...queries.map((query) => query.name), 'nobody.knows']) client.setQueryData([name, {}], name)
  dropWalletAnswers(client)
  const kept = client.getQueriesData({}).flatMap(([[name], data]) => (data === undefined ? [] : [name]))
  expect(kept.toSorted()).toEqual(queries.flatMap(({ name, of }) => (of === 'app' ? [name] : [])).toSorted())
  expect(kept).toEqual(expect.arrayContaining(['markets.list', 'presets.list', 'wallet.storage']))
  expect(kept).not.toEqual(expect.arrayContaining(['wallet.shown']))
})
