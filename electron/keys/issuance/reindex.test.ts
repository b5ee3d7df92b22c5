import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { fail, ok } from '../../../shared/result.ts'
import { noticeText } from '../../../shared/text/notice-text.ts'
import { minute, second } from '../../../shared/time.ts'

const statusRoute = 'GET /api/dex/v1/status'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const rotate = (keyId: string, confirmLabel: string) => workspace.handlers()['keys.rotate']({ keyId, confirmLabel })
const attention = async () => value(await workspace.handlers()['app.attention']({}))
const notices = () => workspace.events.flatMap((event) => (event.type === 'notice' ? [noticeText(event.notice).title] : []))

async function damageJournal(): Promise<void> {
  workspace.events.splice(0)
  await workspace.restart((file) => writeFileSync(file, Buffer.alloc(8_192, 'not a database ')))
  expect(workspace.journal().state()).toBe('rebuilt')
  await workspace.connect()
}

function watchKeychain(answer?: Workspace['secrets']['get']): string[] {
  const read: string[] = []
  const get = workspace.secrets.get.bind(workspace.secrets)
  Object.assign(workspace.secrets, {
    get: (account: string) => {
      read.push(account)
      return (answer ?? get)(account)
    },
  })
  return read
}

async function rotateElsewhere(keyId: string): Promise<void> {
  const bearer = workspace.sent.findLast(({ headers }) => headers.authorization !== undefined)?.headers.authorization ?? ''
  workspace.clock.advance(second)
  const answer = await fetch(`${workspace.hostUrl}/api/dex/developer/keys/${keyId}/rotate`, { method: 'POST', headers: { authorization: bearer } })
  expect(answer.status).toBe(200)
}

test('after the journal was damaged, the app finds the secrets of listed keys in the keychain again, and notifies the user [KEY-05]', async () => {
  const id = await workspace.createKey('kept')
  await damageJournal()
  expect(await attention()).toContainEqual(expect.objectContaining({ kind: 'journal_rebuilt', what: 'set_aside' }))
  expect(await list()).toMatchObject([{ id, secret: 'keychain', inUse: true }])
  expect(notices()).toEqual([expect.stringMatching(/^Found the secret of kept.* in the keychain$/)])
  value(await workspace.handlers()['account.summary']({ watch: null }))
  value(await workspace.handlers()['keys.copySecret']({ keyId: id }))
  expect(workspace.copied[0]?.reveal()).toMatch(/^SVC/)
})

test('after the journal was damaged, the user can rotate and revoke a key whose secret was found again, and the app deletes old secrets [KEY-07, KEY-09]', async () => {
  const id = await workspace.createKey('kept')
  await damageJournal()
  const [{ label } = { label: '' }] = await list()
  value(await rotate(id, label))
  expect(workspace.secrets.entries.size).toBe(1)
  value(await workspace.handlers()['account.summary']({ watch: null }))
  value(await workspace.handlers()['keys.revoke']({ keyId: id, confirmLabel: label }))
  expect(workspace.secrets.entries.size).toBe(0)
})

test('after the journal was damaged, the app takes the secret that works if the keychain contains an old and a new one of a key [KEY-07]', async () => {
  const id = await workspace.createKey('turning')
  // The service answers every test call with a 403, so no call can prove that the new secret works. The old secret must therefore stay in the
  // keychain.
  workspace.faults.answer = [{ route: statusRoute, status: 403, code: 'NOT_NOW', times: 1 }]
  value(await rotate(id, 'turning'))
  expect(workspace.secrets.entries.size).toBe(2)
  await damageJournal()
  expect(await list()).toMatchObject([{ id, secret: 'keychain' }])
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('after the journal was damaged, the app does not take a secret from the keychain that the service refuses', async () => {
  const id = await workspace.createKey('turned elsewhere')
  await rotateElsewhere(id)
  await damageJournal()
  const [key] = await list()
  expect(key).toMatchObject({ id, secret: 'elsewhere' })
  expect(notices()).toEqual([])
  expect(value(await rotate(id, key?.label ?? '')).secret).toBe('keychain')
  value(await workspace.handlers()['account.summary']({ watch: null }))
})

test('after the journal was damaged, the app takes a key’s only secret without a test; of two secrets, it takes the one that passes a test call', async () => {
  const sole = await workspace.createKey('sole')
  const twice = await workspace.createKey('twice')
  workspace.faults.answer = [{ route: statusRoute, status: 403, code: 'NOT_NOW', times: 99 }]
  value(await rotate(twice, 'twice'))
  await damageJournal()
  const where = async () => Object.fromEntries((await list()).map(({ id, secret }) => [id, secret]))
  expect(await where()).toEqual({ [sole]: 'keychain', [twice]: 'elsewhere' })
  workspace.faults.answer = []
  expect(await where()).toEqual({ [sole]: 'keychain', [twice]: 'keychain' })
})

test('after the journal was damaged, the app searches the keychain once for each active key, and reads only that key’s entries', async () => {
  const id = await workspace.createKey('here')
  const gone = await workspace.createKey('gone')
  value(await workspace.handlers()['keys.revoke']({ keyId: gone, confirmLabel: 'gone' }))
  await workspace.secrets.delete(`key/practice/${id}/1`)
  await damageJournal()
  const read = watchKeychain()
  expect((await list()).map(({ secret }) => secret)).toEqual(['elsewhere', 'elsewhere'])
  expect(read).toEqual([`key/practice/${id}/1`, `key/practice/${id}/2`])
  await list()
  expect(read).toHaveLength(2)
})

test('after the journal was damaged and while the keychain is locked, the app lists the keys, and tries the keychain again after a minute', async () => {
  const id = await workspace.createKey('kept')
  await damageJournal()
  const stored = workspace.secrets.entries.get(`key/practice/${id}/1`) ?? expect.fail('no secret')
  let locked = true
  const read = watchKeychain(async (account) =>
    locked ? fail({ kind: 'keychain', code: 'locked', detail: null }) : ok(account.endsWith('/1') ? stored : null),
  )
  expect(await list()).toMatchObject([{ id, secret: 'elsewhere' }])
  await list()
  expect(read).toHaveLength(1)
  locked = false
  workspace.clock.advance(minute)
  expect(await list()).toMatchObject([{ id, secret: 'keychain' }])
})
