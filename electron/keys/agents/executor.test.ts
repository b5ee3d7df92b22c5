import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'

const route = 'PUT /api/dex/developer/keys/{key_id}/executor'

let workspace: Workspace
let keyId: string
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  keyId = await workspace.createKey('grid')
})
afterEach(() => workspace.stop())

const check = (executor: string) => workspace.handlers()['agents.checkExecutor']({ keyId, executor })
const bind = (executor: string, before: string | null = null, confirmLabel = 'grid') =>
  workspace.handlers()['agents.bindExecutor']({ keyId, executor, before, confirmLabel })
const bound = async () => value(await workspace.handlers()['keys.list']({})).keys.find(({ id }) => id === keyId)?.executor
const sent = () => workspace.sent.filter(({ method, path }) => method === 'PUT' && path.endsWith('/executor'))
const operations = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 10)
    .filter(({ kind }) => kind === 'executor')

test('before it binds an executor to a key, the app shows the key’s old and new executor, and the user must type the key’s label [KEY-12]', async () => {
  expect(value(await check('  exec-fra-1 '))).toMatchObject({ before: null, after: 'exec-fra-1', kind: 'first', label: 'grid' })
  expect(sent()).toEqual([])
  expect(failure(await bind('exec-fra-1', null, 'gird'))).toMatchObject({ kind: 'bad_input', field: 'confirmLabel' })
  expect(sent()).toEqual([])
  expect(value(await bind('exec-fra-1')).executor).toBe('exec-fra-1')
  expect(await bound()).toBe('exec-fra-1')
  expect(operations()).toMatchObject([{ state: 'SETTLED', keyId }])
})

test('the app shows which executor a key has, and replaces that executor only if it is still the one that the user saw [KEY-12]', async () => {
  value(await bind('exec-1'))
  const change = value(await check('exec-2'))
  expect(change).toMatchObject({ before: 'exec-1', after: 'exec-2', kind: 'different' })
  expect(value(await check('exec-1')).kind).toBe('same')
  expect(failure(await bind('exec-2', null))).toEqual({ kind: 'wrong_state', state: 'exec-1', wanted: 'none' })
  expect(await bound()).toBe('exec-1')
  expect(value(await bind('exec-2', 'exec-1')).executor).toBe('exec-2')
})

test.each(['', '   ', 'two words', 'exec\u202e1', '0x1234', 'x'.repeat(257)])(
  'the app refuses %j as the name of an executor, and sends nothing [KEY-12]',
  async (executor) => {
    expect(failure(await check(executor))).toMatchObject({ kind: 'bad_input', field: 'executor' })
    expect(failure(await bind(executor))).toMatchObject({ kind: 'bad_input', field: 'executor' })
    expect(sent()).toEqual([])
  },
)

test('if an executor is given by its address, the app converts the address to checksum form before binding, and compares addresses ignoring letter case', async () => {
  const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  expect(value(await check(address.toLowerCase())).after).toBe(address)
  value(await bind(address.toLowerCase()))
  expect(value(await check(address.toLowerCase())).kind).toBe('same')
})

test('if the service bound another executor to a key than the app requested, the app reports this [KEY-12]', async () => {
  workspace.faults.keyRecord = 'other_executor'
  const before = (await bound()) ?? null
  expect(failure(await bind('exec-1', before))).toMatchObject({ kind: 'executor_differs', sent: 'exec-1' })
  expect(operations()).toMatchObject([{ note: expect.stringMatching(/^executor_differs /) }])
})

test('if the service’s answer does not name the executor that it bound to a key, the app records the requested executor [KEY-12]', async () => {
  await workspace.rewriteAnswers((_, answer) => JSON.parse(JSON.stringify(answer), (name, inner) => (name === 'executor' ? undefined : inner)))
  expect(value(await bind('exec-1')).executor).toBe('exec-1')
  expect(operations()).toMatchObject([{ state: 'SETTLED', note: 'executor_bound exec-1' }])
  expect(await bound()).toBeNull()
  const limit = { orderType: 'limit', limitPrice: '20000', timeInForce: 'gtc', postOnly: false } as const
  const order = { pairId: 1, side: 'long', marginMode: 'isolated', leverage: 5, orderValueUsdc: '300', takeProfit: null, stopLoss: null, ...limit } as const
  const { executors } = value(await workspace.handlers()['intents.methods']({ ticket: order }))
  expect(executors).toMatchObject([{ executor: 'exec-1', why: null }])
})

test('if all answers to binding an executor are lost, the app reports an unknown outcome, and then finds the outcome in the key list', async () => {
  workspace.faults.dropAnswer = [{ route, times: 20 }]
  expect(failure(await bind('exec-1')).kind).toBe('unreachable')
  expect(operations()).toMatchObject([{ state: 'UNKNOWN' }])
  workspace.faults.dropAnswer = []
  expect(value(await check('exec-1'))).toMatchObject({ before: 'exec-1', kind: 'same' })
  expect(operations()).toMatchObject([{ state: 'SETTLED', note: 'executor_listed' }])
})
