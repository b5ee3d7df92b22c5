import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Answer, Bridge, Name, QueryName } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { callQuery } from './call-query.ts'
import { createQueryClient, dropWalletAnswers, freshMs, refreshWalletAnswers } from './query-client.ts'

function mainSaying(script: Partial<Record<QueryName, (Result<unknown, Failure> | Promise<Result<unknown, Failure>>)[]>>) {
  const asked: string[] = []
  const call = async (name: Name): Promise<Answer<unknown>> => {
    asked.push(name)
    const answers = script[name as QueryName] ?? []
    const result = await (answers.length > 1 ? answers.shift() : answers[0])
    return { result: result ?? fail({ kind: 'no_wallet' }), invalidates: [] }
  }
  // The cast is needed because the scripted answers do not have the types of the IPC contract.
  return { asked, bridge: { call, on: () => () => undefined } as unknown as Bridge }
}

/** Creates a query that a page shows, and the scripted main process that answers the query. `seen` collects the data in order. */
function onScreen(script: Parameters<typeof mainSaying>[0], name: 'keys.list' | 'app.info') {
  const client = createQueryClient()
  client.mount()
  const main = mainSaying(script)
  const seen: unknown[] = []
  const observer = new QueryObserver<unknown, Error>(client, callQuery(main.bridge, client, name, {}))
  observer.subscribe(({ data }) => seen.push(data))
  return { client, main, seen, now: () => observer.getCurrentResult() }
}

const unreachable: Failure = { kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: null }

test.each([{ kind: 'sign_in_required' }, { kind: 'no_wallet' }, { kind: 'wrong_wallet', wallet: '0xB', expected: '0xA' }] satisfies Failure[])(
  'after the failure $kind, the app removes from the screen the data that the user may no longer see [AUTH-03]',
  async (failure) => {
    const { client, now } = onScreen({ 'keys.list': [ok('of A'), fail(failure)] }, 'keys.list')
    await expect.poll(() => now().data).toBe('of A')
    await client.invalidateQueries({ queryKey: ['keys.list'] })
    expect(now().data).toBeUndefined()
    expect(now().error).toMatchObject({ failure })
  },
)

test('a view keeps its data on screen, marked as outdated, if the service does not answer', async () => {
  const { client, now } = onScreen({ 'keys.list': [ok('of A'), fail(unreachable)] }, 'keys.list')
  await expect.poll(() => now().data).toBe('of A')
  await client.invalidateQueries({ queryKey: ['keys.list'] })
  expect(now()).toMatchObject({ data: 'of A', error: { failure: unreachable } })
})

test('when another wallet connects, a view reads its data again, and never shows a late answer for the previous wallet [AUTH-03]', async () => {
  const late = Promise.withResolvers<Result<unknown, Failure>>()
  const fresh = Promise.withResolvers<Result<unknown, Failure>>()
  const { client, now, seen, main } = onScreen({ 'keys.list': [ok('of A'), late.promise, fresh.promise] }, 'keys.list')
  await expect.poll(() => now().data).toBe('of A')
  void client.invalidateQueries({ queryKey: ['keys.list'] })
  await expect.poll(() => main.asked.length).toBe(2)
  dropWalletAnswers(client)
  expect(now().data).toBeUndefined()
  const from = seen.length
  late.resolve(ok('of A, late'))
  fresh.resolve(ok('of B'))
  await expect.poll(() => now().data).toBe('of B')
  expect(seen.slice(from).filter((data) => data !== undefined && data !== 'of B')).toEqual([])
})

test('a view ignores a late refusal of a call that was made for the previous wallet', async () => {
  const late = Promise.withResolvers<Result<unknown, Failure>>()
  const { client, now, main } = onScreen({ 'keys.list': [ok('of A'), late.promise, ok('of B')] }, 'keys.list')
  await expect.poll(() => now().data).toBe('of A')
  void client.invalidateQueries({ queryKey: ['keys.list'] })
  await expect.poll(() => main.asked.length).toBe(2)
  dropWalletAnswers(client)
  await expect.poll(() => now().data).toBe('of B')
  late.resolve(fail({ kind: 'wrong_wallet', wallet: '0xB', expected: '0xA' }))
  await new Promise((resolve) => setImmediate(resolve))
  expect(now()).toMatchObject({ data: 'of B', error: null })
})

test('a view keeps public data on screen when the wallet changes, and does not request the data again', async () => {
  const { client, now, main } = onScreen({ 'app.info': [ok('version')] }, 'app.info')
  await expect.poll(() => now().data).toBe('version')
  dropWalletAnswers(client)
  refreshWalletAnswers(client)
  expect(now()).toMatchObject({ data: 'version', fetchStatus: 'idle' })
  expect(main.asked).toEqual(['app.info'])
})

test('a view that opens rereads its data only if the data is older than the view’s own reading interval', async () => {
  const client = createQueryClient()
  client.mount()
  const main = mainSaying({ 'markets.list': [ok('now')], 'app.info': [ok('now')] })
  const open = (name: 'markets.list' | 'app.info', every: number | false, ageMs: number) => {
    client.setQueryData([name, {}], 'before', { updatedAt: Date.now() - ageMs })
    const view = new QueryObserver<unknown, Error>(client, { ...callQuery(main.bridge, client, name, {}), staleTime: freshMs(name, every) })
    return view.subscribe(() => undefined)
  }
  open('markets.list', 2_000, 1_000)()
  open('app.info', false, 60_000)()
  expect(main.asked).toEqual([])
  open('markets.list', 2_000, 3_000)
  await expect.poll(() => main.asked).toEqual(['markets.list'])
})
