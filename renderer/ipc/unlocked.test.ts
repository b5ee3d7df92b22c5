import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Answer, Bridge, Name } from '../../shared/ipc/contract.ts'
import type { LockState } from '../../shared/ipc/host/lock.ts'
import { fail, ok } from '../../shared/result.ts'
import { ask, callQuery } from './call-query.ts'
import { pageWork } from './page-work.ts'
import { createQueryClient, dropForLock, invalidate } from './query-client.ts'

function lockable() {
  let state: LockState['state'] = 'open'
  const done: string[] = []
  const heard: string[] = []
  const call = async (name: Name): Promise<Answer<unknown>> => {
    heard.push(name)
    if (name === 'lock.state') return { result: ok({ state, waitMs: 0, damaged: false, waiting: 0, theme: 'system', practice: false }), invalidates: [] }
    if (state === 'locked') return { result: fail({ kind: 'locked' }), invalidates: [] }
    done.push(name)
    return { result: ok(`${name} ${done.length}`), invalidates: [] }
  }
  // The cast is needed because the fake's answers do not have the types of the IPC contract.
  const bridge = { call, on: () => () => undefined } as unknown as Bridge
  const client = createQueryClient()
  client.mount()
  new QueryObserver(client, callQuery(bridge, client, 'lock.state', {})).subscribe(() => undefined)
  const become = (next: LockState['state']) => {
    state = next
    invalidate(client, ['lock.state'])
  }
  return { bridge, client, done, heard, become, set: (next: LockState['state']) => (state = next) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('while the app is locked, the page delays its requests to the main process, and sends each once after the unlock', async () => {
  const { bridge, client, done, become } = lockable()
  become('locked')
  const answers: unknown[] = []
  const asked = ask(bridge, client, 'intents.get', { ref: 'r1' }).then((answer) => answers.push(answer))
  await settled()
  expect([answers, done]).toEqual([[], []])
  become('open')
  await asked
  expect(answers).toEqual([ok('intents.get 1')])
  expect(done).toEqual(['intents.get'])
})

test('the page repeats a request that the main process refused before the page knew of the lock, but not a request that finished', async () => {
  const { bridge, client, done, become, set } = lockable()
  set('locked')
  const early = ask(bridge, client, 'keys.list', {})
  await settled()
  become('open')
  await early
  set('locked')
  const late = ask(bridge, client, 'keys.list', {})
  set('open')
  await late
  expect(done).toEqual(['keys.list', 'keys.list'])
})

test('while the app is locked, the page keeps no account data in its cache', async () => {
  const { client, become } = lockable()
  for (const name of ['keys.list', 'intents.list', 'account.summary', 'expiry.items', 'app.settings', 'profiles.list'])
    client.setQueryData([name, {}], 'an answer')
  become('locked')
  dropForLock(client)
  const kept = client
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey: [name], state }) => (state.data === undefined ? [] : [name]))
  expect(kept).toEqual(expect.arrayContaining(['app.settings', 'profiles.list']))
  expect(kept.filter((name) => !['lock.state', 'app.settings', 'profiles.list'].includes(String(name)))).toEqual([])
})

test('while the page knows that the app is locked, it sends only the requests that the lock page itself needs', async () => {
  const { bridge, client, heard, become } = lockable()
  become('locked')
  await settled()
  heard.length = 0
  const asked = [ask(bridge, client, 'keys.list', {}), ask(bridge, client, 'keys.revoke', { keyId: 'k1', confirmLabel: 'bot' })]
  await settled()
  expect(new Set(heard)).toEqual(new Set(['lock.state']))
  become('open')
  await Promise.all(asked)
  expect(heard).toEqual(expect.arrayContaining(['keys.list', 'keys.revoke']))
})

test('while the app is locked, the page keeps a requested revoke until it can be sent, but keeps no requested read', async () => {
  const { bridge, client, become } = lockable()
  become('locked')
  const asked = [ask(bridge, client, 'keys.list', {}), ask(bridge, client, 'keys.revoke', { keyId: 'k1', confirmLabel: 'bot' })]
  await settled()
  const held = () => pageWork(client).getState().held()
  expect(held()).toEqual([{ name: 'keys.revoke', input: { keyId: 'k1', confirmLabel: 'bot' } }])
  become('open')
  await Promise.all(asked)
  expect(held()).toEqual([])
})

test('after the page has handed its typed text and commands to the main process, it sends nothing, unless the main process refused them', async () => {
  const { bridge, client, done, become } = lockable()
  become('locked')
  const asked = ask(bridge, client, 'keys.revoke', { keyId: 'k1', confirmLabel: 'bot' })
  await settled()
  pageWork(client).setState({ phase: 'left' })
  become('open')
  await settled()
  expect(done).toEqual([])
  pageWork(client).setState({ phase: 'stays' })
  await asked
  expect(done).toEqual(['keys.revoke'])
})
