import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  cellsOf,
  deletion,
  deletions,
  delivered,
  folder,
  keys,
  pass,
  reader,
  refused,
  restart,
  running,
  soon,
  states,
  statusOf,
  user,
  withPlans,
  workspace,
} from '../../../e2e/support/fleet/fleet-bench.ts'
import { callAsBot, standIn } from '../../../e2e/support/fleet/fleet-clients.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { reportLines } from '../../../shared/fleet-report.ts'
import { day, minute } from '../../../shared/time.ts'
import { dialogLines, most } from '../../kernel/files/dialogs.ts'
import { raw } from '../../store/records/raw.ts'

withPlans()

test('a key of a plan is revoked by revoke-all and by hand at any time, and the plan then says that it stopped', async () => {
  const { id, oldIds } = await running(2)
  value(await user.set(id, 'pause'))
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[1] ?? '', confirmLabel: 'bot-1' }))
  expect((await user.item(id, 1)).state).toBe('stopped')
  const { newKey } = await user.item(id)
  value(await workspace.handlers()['revokeAll.start']({ keyIds: [oldIds[0] ?? '', newKey?.id ?? ''], typed: 'revoke 2 keys' }))
  await workspace.settled()
  expect([await statusOf(oldIds[0] ?? ''), await statusOf(newKey?.id ?? '')]).toEqual(['revoked', 'revoked'])
  const plan = await user.plan(id)
  expect([plan.state, states(plan.items)]).toEqual([
    'ended',
    [
      ['stopped', null],
      ['stopped', null],
    ],
  ])
  expect(plan.items.map(({ revokedAtMs }) => revokedAtMs)).toEqual([null, null])
})

test('two plans never hold the same key, and a plan never takes a revoked or unknown key or a bad address', async () => {
  const { id, oldIds } = await running()
  const [keyId = ''] = oldIds
  const { newKey } = await user.item(id)
  for (const taken of [keyId, newKey?.id ?? ''])
    expect(failure(await user.ask([{ keyId: taken, target: pass() }]))).toMatchObject({ kind: 'bad_input', issue: 'named_twice' })
  const other = await reader('other')
  const twice = [
    { keyId: other, target: pass() },
    { keyId: other, target: pass() },
  ]
  expect(failure(await user.ask(twice))).toMatchObject({ kind: 'bad_input', field: 'items.1.keyId' })
  expect(failure(await user.ask([{ keyId: 'none', target: pass() }]))).toEqual({ kind: 'not_found', what: 'key' })
  expect(failure(await user.ask([{ keyId: other, target: pass('-x') }]))).toMatchObject({ kind: 'bad_input', field: 'items.0.options.name' })
  expect(failure(await user.ask([{ keyId: other, target: pass() }], { addresses: ['host'] }))).toMatchObject({ field: 'addresses.0' })
  value(await user.set(id, 'end'))
  expect(value(await user.ask([{ keyId, target: pass() }]))).toMatchObject({ state: 'paused' })
})

const put = (field: string, how: 'put' | 'patch') => ({ target: 'vault', options: { mount: 'secret', path: 'bots', field, how, content: 'key' } }) as const
const entry = (name: string, how: 'create' | 'replace' = 'replace') =>
  ({ target: 'kubernetes', options: { name: 'bots', entry: name, namespace: null, context: null, how, content: 'key' } }) as const
const toFile = (path: string) => ({ target: 'ssh', options: { host: 'bots', port: null, path, content: 'key' } }) as const
test.each([
  ['one pass entry', pass('a'), { target: 'pass', options: { name: 'a', content: 'env' } } as const, true],
  ['two pass entries', pass('a'), pass('b'), false],
  ['one file of another computer', toFile('bot/key'), toFile('./bot//key'), true],
  ['one path of a Vault whose fields are all replaced', put('a', 'patch'), put('b', 'put'), true],
  ['two fields of a Vault', put('a', 'patch'), put('b', 'patch'), false],
  ['one secret of Kubernetes, whose other entries an apply takes away', entry('a'), entry('b'), true],
  ['the gateway', { target: 'gateway', options: {} } as const, { target: 'gateway', options: {} } as const, false],
] as const)('two keys never share a destination, in one plan or in two: %s', async (_, one, two, isShared) => {
  const [first, second, third] = [await reader('first'), await reader('second'), await reader('third')]
  const both = await user.ask([
    { keyId: first, target: one },
    { keyId: second, target: two },
  ])
  if (isShared) expect(failure(both)).toEqual({ kind: 'bad_input', field: 'items.1.target', issue: 'named_twice' })
  else value(await user.set(value(both)?.id ?? '', 'end'))
  const plan = value(await user.ask([{ keyId: first, target: one }]))
  const other = () => user.ask([{ keyId: third, target: two }])
  if (isShared) expect(failure(await other())).toEqual({ kind: 'bad_input', field: 'items.0.target', issue: 'named_twice' })
  value(await user.set(plan?.id ?? '', 'end'))
  expect(value(await other())).not.toBeNull()
})

test('before a plan is stored, system dialogs show each command whole, with its program, what it gets and its key on one line', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `bots/${index}-${'x'.repeat(80)}`)
  const asked = await Promise.all(
    names.map(async (name) => ({
      keyId: await reader(`${'\u202e'.repeat(40)}\nlast`),
      target: { target: 'pass', options: { name, content: 'env' } } as const,
    })),
  )
  const missing = { target: 'vault', options: { mount: 'secret', path: 'bots', field: 'key', how: 'put', content: 'key' } } as const
  const item = { target: 'onepassword', options: { item: 'grid bot', vault: 'Bots', content: 'key' } } as const
  const gateway = { target: 'gateway', options: {} } as const
  const others = [
    { keyId: await reader('other'), target: missing },
    { keyId: await reader('whole'), target: item },
    { keyId: await reader('own'), target: gateway },
  ]
  value(await user.ask([...asked, ...others]))
  expect(workspace.confirmed.length).toBeGreaterThan(1)
  for (const { detail } of workspace.confirmed) expect(dialogLines(detail, most.detail)).toBe(detail)
  const lines = workspace.confirmed.flatMap(({ detail }) => detail.split('\n'))
  const program = realpathSync(join(folder, 'bin/pass'))
  for (const name of names) {
    const at = lines.findIndex((line) => line.endsWith(`: pass insert --multiline --force ${name}`))
    expect(lines.slice(at, at + 3)).toEqual([
      expect.stringMatching(/^“‹U\+202E›.*last”: /u),
      `    Program: ${program}`,
      '    Input: SVC_API_KEY and SVC_BASE_URL',
    ])
  }
  const unseen = ['    Program: not installed now', '    Input: the key']
  expect(lines.slice(-8)).toEqual([
    ...['“other”: vault kv put -mount=secret bots key=-', ...unseen],
    ...['“whole”: op item edit grid bot --vault=Bots', ...unseen, '    Replaces all fields of the item'],
    '“own”: gateway',
  ])
})

test('no plan takes the new key of another plan, not even one that was made while that plan was paused', async () => {
  const keyId = await workspace.createKey('agent')
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  value(await user.set(id, 'resume'))
  await user.look(id)
  value(await user.set(id, 'pause'))
  const made = await user.sign()
  expect(failure(await user.ask([{ keyId: made.id, target: pass('other') }]))).toMatchObject({ kind: 'bad_input', issue: 'named_twice' })
  expect((await user.item(id)).newKey?.id).toBe(made.id)
})

test('the report of an ended plan says that the plan revoked the old key, if the revocation was under way', async () => {
  const { id, oldIds } = await running()
  workspace.faults.delay = [{ route: deletion, ms: null }]
  await callAsBot(workspace.hostUrl, delivered())
  const look = user.look(id)
  await expect.poll(deletions, soon).toBe(1)
  value(await user.set(id, 'end'))
  expect(await user.plan(id)).toMatchObject({ state: 'ended', items: [{ state: 'revoking', may: [] }] })
  workspace.faults.delay = []
  await look
  expect([await statusOf(oldIds[0] ?? ''), await cellsOf(id)]).toMatchObject(['revoked', [{ state: 'done', 'verified by': 'audit' }]])
  expect((await cellsOf(id))[0]?.revoked).not.toBe('')
})

test('the report names the time of the revocation, also if the app learns of it later', async () => {
  const { id } = await running()
  await callAsBot(workspace.hostUrl, delivered())
  workspace.beforeWrite = (what) => {
    if (what === 'value replacement' && deletions() > 0 && workspace.journal().secretOperations.unsettled('practice').length === 0) throw new Error('killed')
  }
  await user.look(id).catch(() => undefined)
  workspace.beforeWrite = () => {}
  const [revocation] = workspace.journal().secretOperations.list('practice', 1)
  expect(revocation).toMatchObject({ kind: 'revoke', state: 'SETTLED' })
  await restart(() => workspace.clock.advance(day))
  expect(await cellsOf(id)).toMatchObject([{ state: 'done', revoked: new Date(revocation?.updatedAtMs ?? 0).toISOString() }])
})

test('the report shows no end for unfinished keys, no proof from before the last delivery, and no revocation that was the user’s', async () => {
  const { id, oldIds } = await running()
  expect(await cellsOf(id)).toMatchObject([{ state: 'verifying', ended: '' }])
  await refused(id)
  const { newKey } = await user.item(id)
  value(await workspace.handlers()['keys.rotate']({ keyId: newKey?.id ?? '', confirmLabel: newKey?.label ?? '' }))
  expect(await cellsOf(id)).toMatchObject([{ 'verified by': '' }])
  await user.look(id)
  expect(await cellsOf(id)).toMatchObject([{ state: 'verifying', attempts: '2', 'verified by': '', verified: '', address: '' }])
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[0] ?? '', confirmLabel: 'bot-0' }))
  expect(await cellsOf(id)).toMatchObject([{ state: 'stopped', 'verified by': '', revoked: '' }])
  expect((await cellsOf(id))[0]?.ended).not.toBe('')
})

test('the report counts every attempt to deliver a key', async () => {
  standIn(folder, 'pass', 'exit 3')
  const { id } = await running()
  const { id: itemId } = await user.item(id)
  for (let count = 1; count < 22; count += 1) value(await user.choose(id, itemId, 'deliver'))
  expect(await cellsOf(id)).toMatchObject([{ attempts: '22' }])
})

test('the report counts a rotation of the new key before the end of its plan, and none after it', async () => {
  const { id } = await running()
  const { newKey } = await user.item(id)
  const rotate = async () => value(await workspace.handlers()['keys.rotate']({ keyId: newKey?.id ?? '', confirmLabel: newKey?.label ?? '' }))
  value(await user.set(id, 'pause'))
  await rotate()
  value(await user.set(id, 'end'))
  expect(await cellsOf(id)).toMatchObject([{ state: 'ended', delivered: '', delivery: 'done (0)' }])
  const other = await running(1)
  const [last] = (await user.plan(other.id)).items
  value(await user.choose(other.id, last?.id ?? '', 'skip'))
  const [before] = await cellsOf(other.id)
  expect(before).toMatchObject({ state: 'skipped', delivered: expect.stringMatching(/Z$/) })
  workspace.clock.advance(minute)
  value(await workspace.handlers()['keys.rotate']({ keyId: last?.newKey?.id ?? '', confirmLabel: last?.newKey?.label ?? '' }))
  expect(await cellsOf(other.id)).toEqual([before])
})

test('the report names the step at which a key was skipped or ended', async () => {
  const { id } = await running(2)
  value(await user.choose(id, (await user.item(id)).id, 'skip'))
  await user.look(id)
  expect(await cellsOf(id)).toMatchObject([
    { state: 'skipped', 'unfinished step': 'verifying' },
    { state: 'verifying', 'unfinished step': '' },
  ])
  value(await user.set(id, 'end'))
  expect(await cellsOf(id)).toMatchObject([
    { state: 'skipped', 'unfinished step': 'verifying' },
    { state: 'ended', 'unfinished step': 'verifying' },
  ])
})

test('a plan keeps a bounded number of attempts, and lists what a client wrote only of the last one of a key that is not over', async () => {
  standIn(folder, 'pass', 'echo said; exit 3')
  const { id } = await running()
  const { id: itemId } = await user.item(id)
  for (let count = 1; count < 25; count += 1) value(await user.choose(id, itemId, 'deliver'))
  const outputs = async () => (await user.item(id)).deliveries.map(({ output }) => output)
  expect([await cellsOf(id), await outputs()]).toMatchObject([[{ attempts: '25' }], [...Array.from({ length: 19 }, () => ''), 'said']])
  value(await user.set(id, 'end'))
  expect([await cellsOf(id), await outputs()]).toMatchObject([[{ state: 'ended', attempts: '25' }], Array.from({ length: 20 }, () => '')])
})

test('only an ended plan can be removed, and its report stays until then', async () => {
  const { id, oldIds } = await running()
  const remove = () => workspace.handlers()['fleet.remove']({ id })
  expect(failure(await remove())).toEqual({ kind: 'wrong_state', state: 'running', wanted: 'ended' })
  value(await user.set(id, 'pause'))
  expect(failure(await remove())).toEqual({ kind: 'wrong_state', state: 'paused', wanted: 'ended' })
  value(await user.set(id, 'end'))
  expect(await cellsOf(id)).toMatchObject([{ state: 'ended' }])
  value(await remove())
  expect(failure(await remove())).toEqual({ kind: 'not_found', what: 'fleet plan' })
  await restart()
  expect([await user.plans(), await statusOf(oldIds[0] ?? '')]).toEqual([[], 'active'])
})

test('an ended plan cannot be removed while its revocation is under way', async () => {
  const { id, oldIds } = await running()
  workspace.faults.delay = [{ route: deletion, ms: null }]
  await callAsBot(workspace.hostUrl, delivered())
  const look = user.look(id)
  await expect.poll(deletions, soon).toBe(1)
  value(await user.set(id, 'end'))
  const remove = () => workspace.handlers()['fleet.remove']({ id })
  expect(failure(await remove())).toEqual({ kind: 'wrong_state', state: 'revoking', wanted: 'ended' })
  workspace.faults.delay = []
  await look
  expect(await cellsOf(id)).toMatchObject([{ state: 'done' }])
  value(await remove())
  expect([await user.plans(), await statusOf(oldIds[0] ?? '')]).toEqual([[], 'revoked'])
})

test.each(['revoke all', 'the kill switch'] as const)('%s pauses the running plans first, until the user runs them again', async (what) => {
  const { id } = await running()
  const other = await reader('other')
  const records = workspace.journal().records.fleetPlans
  const { write } = records
  records.write = () => {
    throw new Error('no space')
  }
  if (what === 'revoke all') value(await workspace.handlers()['revokeAll.start']({ keyIds: [other], typed: 'revoke 1 key' }))
  else value(await workspace.handlers()['bulkActions.start']({ kind: 'kill', by: { way: 'wallet' }, keyIds: [other], typed: 'stop everything' }))
  await workspace.settled()
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id).catch(() => undefined)
  expect(await user.plan(id)).toMatchObject({ state: 'paused', items: [{ state: 'verifying' }] })
  records.write = write
  await user.look(id)
  expect(await user.plan(id)).toMatchObject({ state: 'paused', items: [{ state: 'verifying' }] })
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.plan(id)).toMatchObject({ state: 'ended', items: [{ state: 'done' }] })
})

test.each(['pause', 'end', 'skip'] as const)('a plan whose %s cannot be stored lets nothing leave until the user runs it again', async (what) => {
  const { id, oldIds } = await running()
  const { id: itemId } = await user.item(id)
  const records = workspace.journal().records.fleetPlans
  const { write } = records
  records.write = () => {
    throw new Error('no space')
  }
  await Promise.resolve(what === 'skip' ? user.choose(id, itemId, 'skip') : user.set(id, what)).catch(() => undefined)
  records.write = write
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect([await user.plan(id), await statusOf(oldIds[0] ?? '')]).toMatchObject([{ state: 'paused' }, 'active'])
  value(await user.set(id, 'resume'))
  await user.look(id)
  expect(await user.item(id)).toMatchObject({ state: 'done' })
})

test.each([
  ['is stored once that is possible', true],
  ['is not lost if it never can be stored', false],
] as const)('a pause that could not be stored although the disk has space %s, also if the app is then killed', async (_, isPossible) => {
  const { id, oldIds } = await running()
  // Another plan that runs, so that the app looks again.
  const other = value(await user.ask([{ keyId: await reader('other'), target: pass('other') }]))
  value(await user.set(other?.id ?? '', 'resume'))
  await workspace.settled()
  const records = workspace.journal().records.fleetPlans
  const { write } = records
  records.write = (key, record) => {
    if (key.id === id) throw new Error('broken')
    return write(key, record)
  }
  await Promise.try(() => user.set(id, 'pause')).catch(() => undefined)
  if (isPossible) records.write = write
  await workspace.tick()
  await restart()
  await workspace.signIn()
  await callAsBot(workspace.hostUrl, delivered())
  await user.look(id)
  expect([(await user.plan(id)).state, await statusOf(oldIds[0] ?? '')]).toEqual(['paused', 'active'])
})

test('a plan that cannot be stored does not hide the other plans', async () => {
  const { id, oldIds } = await running()
  const other = value(await user.ask([{ keyId: await reader('other'), target: pass('other') }]))
  const records = workspace.journal().records.fleetPlans
  const { write } = records
  records.write = (key, record) => {
    if (key.id === id) throw new Error('broken')
    return write(key, record)
  }
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[0] ?? '', confirmLabel: 'bot-0' }))
  const listed = value(await workspace.handlers()['fleet.list']({}))
  records.write = write
  expect(listed.map((plan) => plan.id).sort()).toEqual([id, other?.id ?? ''].sort())
  expect(workspace.logged.join()).toContain('broken')
})

test('a choice counts only for what the user saw, but a skip always', async () => {
  standIn(folder, 'pass', 'exit 1')
  const { id } = await running()
  const item = await user.item(id)
  const seen = { newKeyId: item.newKey?.id ?? null, startedAtMs: item.deliveries.at(-1)?.startedAtMs ?? null, reason: item.reason }
  const choose = (choice: 'confirm' | 'deliver' | 'skip', saw: Partial<typeof seen>) =>
    workspace.handlers()['fleet.choose']({ id, itemId: item.id, choice, seen: { ...seen, ...saw } })
  for (const old of [{ newKeyId: 'other' }, { startedAtMs: 1 }, { reason: 'delivery_unknown' as const }])
    expect(failure(await choose('confirm', old))).toMatchObject({ kind: 'wrong_state' })
  value(await choose('deliver', {}))
  expect((await user.item(id)).deliveries).toHaveLength(2)
  value(await choose('skip', { newKeyId: 'other' }))
  expect((await user.item(id)).state).toBe('skipped')
})

test('a new key that was made while its old key was revoked, and that no bot got, is named until it is revoked', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }]))
  const id = plan?.id ?? ''
  const creation = 'POST /api/dex/developer/keys'
  workspace.faults.delay = [{ route: creation, ms: null }]
  const before = workspace.sent.length
  value(await user.set(id, 'resume'))
  await expect.poll(() => workspace.sent.slice(before).filter(({ method, path }) => method === 'POST' && path.endsWith('/keys')).length, soon).toBe(1)
  value(await workspace.handlers()['revokeAll.start']({ keyIds: [keyId], typed: 'revoke 1 key' }))
  await expect.poll(async () => value(await workspace.handlers()['revokeAll.state']({})).state, soon).toBe('done')
  expect(await user.item(id)).toMatchObject({ state: 'stopped' })
  workspace.faults.delay = []
  await workspace.settled()
  const [made] = (await keys.keys()).filter(({ status }) => status === 'active')
  const named = async () => value(await workspace.handlers()['app.attention']({})).filter(({ kind }) => kind.startsWith('fleet'))
  expect(await named()).toMatchObject([{ kind: 'fleet_left', severity: 'danger', label: made?.label, to: `/keys/${made?.id}` }])
  expect(await cellsOf(id)).toMatchObject([{ state: 'stopped', 'unfinished step': 'making', 'left keys': `${made?.label} (${made?.id})` }])
  value(await workspace.handlers()['keys.revoke']({ keyId: made?.id ?? '', confirmLabel: made?.label ?? '' }))
  await keys.keys()
  expect(await named()).toEqual([])
})

test('reading plans costs nothing for finished keys, and little for keys that wait for their turn', async () => {
  const { id } = await running(5)
  const { records, secretOperations } = workspace.journal()
  let reads = 0
  const counted =
    <A extends unknown[], R>(read: (...input: A) => R) =>
    (...input: A): R => {
      reads += 1
      return read(...input)
    }
  Object.assign(records.replacements, { list: counted(records.replacements.list), read: counted(records.replacements.read) })
  Object.assign(secretOperations, { list: counted(secretOperations.list) })
  await user.look(id)
  expect(reads).toBeLessThan(40)
  value(await user.set(id, 'end'))
  await user.plans()
  reads = 0
  await user.plans()
  expect(reads).toBe(0)
})

test('a skipped key and an ended plan leave both keys alone, and the report names them', async () => {
  const { id, oldIds } = await running(2)
  const { id: itemId } = await user.item(id)
  value(await user.choose(id, itemId, 'skip'))
  value(await user.set(id, 'end'))
  const plan = await user.plan(id)
  expect(reportLines(plan).map((line) => line[7])).toEqual(['skipped', 'ended'])
  for (const oldId of oldIds) expect(await statusOf(oldId)).toBe('active')
})

test('before a plan is stored, a system dialog shows the addresses whose calls prove a use', async () => {
  const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:ffff:ffff:ffff:ffff:ffff:${(0xf000 + index).toString(16)}/128`)
  value(await user.ask([{ keyId: await reader(), target: pass() }], { addresses }))
  const shown = workspace.confirmed.map(({ detail }) => detail)
  for (const detail of shown) expect(dialogLines(detail, most.detail)).toBe(detail)
  for (const address of addresses) expect(shown.join('\n')).toContain(address)
  expect(shown[0]).toMatch(/^Addresses of the bots: 2001:db8:/)
})

test('a plan whose time has come is proposed and never starts alone; after a restart it is as it was', async () => {
  const keyId = await reader()
  const plan = value(await user.ask([{ keyId, target: pass() }], { dueAtMs: workspace.clock.now() + day }))
  workspace.clock.advance(2 * day)
  await workspace.signIn()
  await workspace.tick()
  expect(await user.plan(plan?.id ?? '')).toMatchObject({ state: 'paused', isDue: true })
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('fleet_due')
  await restart()
  expect(await user.plan(plan?.id ?? '')).toMatchObject({ state: 'paused', items: [{ state: 'waiting' }] })
})

test('an unreadable plan never keeps its keys from being revoked', async () => {
  const { id, oldIds } = await running()
  workspace.journal()[raw].values.set(`fleet/practice/${id}`, 'no record')
  await restart()
  expect(await user.plans()).toEqual([])
  value(await workspace.handlers()['keys.revoke']({ keyId: oldIds[0] ?? '', confirmLabel: 'bot-0' }))
  expect(await statusOf(oldIds[0] ?? '')).toBe('revoked')
})
