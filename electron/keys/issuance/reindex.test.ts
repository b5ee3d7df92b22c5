import { writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, startDesk, value } from '../../../e2e/support/main/desk.ts'
import { fail, ok } from '../../../shared/result.ts'
import { noticeText } from '../../../shared/text/notice-text.ts'
import { minute, second } from '../../../shared/time.ts'

const statusRoute = 'GET /api/dex/v1/status'

let desk: Desk
beforeEach(async () => {
  desk = await startDesk()
  await desk.connect()
  await desk.signIn()
})
afterEach(() => desk.stop())

const list = async () => value(await desk.handlers()['keys.list']({})).keys
const rotate = (keyId: string, confirmLabel: string) => desk.handlers()['keys.rotate']({ keyId, confirmLabel })
const attention = async () => value(await desk.handlers()['app.attention']({}))
const notices = () => desk.events.flatMap((event) => (event.type === 'notice' ? [noticeText(event.notice).title] : []))

/** The file of the journal is damaged while the app is not running. */
async function damageJournal(): Promise<void> {
  desk.events.splice(0)
  await desk.restart((file) => writeFileSync(file, Buffer.alloc(8_192, 'not a database ')))
  expect(desk.journal().state()).toBe('rebuilt')
  await desk.connect()
}

/** Counts how often an entry of the keychain is read from now on; `answer` takes the place of what it says. */
function watchKeychain(answer?: Desk['secrets']['get']): string[] {
  const read: string[] = []
  const get = desk.secrets.get.bind(desk.secrets)
  Object.assign(desk.secrets, {
    get: (account: string) => {
      read.push(account)
      return (answer ?? get)(account)
    },
  })
  return read
}

/** A new secret from the service itself, as another computer would take it: the one here is dead. */
async function rotateElsewhere(keyId: string): Promise<void> {
  const bearer = desk.sent.findLast(({ headers }) => headers.authorization !== undefined)?.headers.authorization ?? ''
  desk.clock.advance(second)
  const answer = await fetch(`${desk.hostUrl}/api/dex/developer/keys/${keyId}/rotate`, { method: 'POST', headers: { authorization: bearer } })
  expect(answer.status).toBe(200)
}

test('after a damaged journal the keys that the service lists get their secrets back from the keychain, and it is said [KEY-05]', async () => {
  const id = await desk.createKey('kept')
  await damageJournal()
  expect(await attention()).toContainEqual(expect.objectContaining({ kind: 'journal_rebuilt', what: 'set_aside' }))
  expect(await list()).toMatchObject([{ id, secret: 'keychain', inUse: true }])
  expect(notices()).toEqual([expect.stringMatching(/^The secret of kept.* was found in the keychain$/)])
  value(await desk.handlers()['account.summary']({ watch: null }))
  value(await desk.handlers()['keys.copySecret']({ keyId: id }))
  expect(desk.copied[0]?.reveal()).toMatch(/^SVC/)
})

test('what was found again is rotated and revoked as before, and leaves nothing in the keychain [KEY-07, KEY-09]', async () => {
  const id = await desk.createKey('kept')
  await damageJournal()
  const [{ label } = { label: '' }] = await list()
  value(await rotate(id, label))
  expect(desk.secrets.entries.size).toBe(1)
  value(await desk.handlers()['account.summary']({ watch: null }))
  value(await desk.handlers()['keys.revoke']({ keyId: id, confirmLabel: label }))
  expect(desk.secrets.entries.size).toBe(0)
})

test('of an old and a new secret side by side the one that works is taken [KEY-07]', async () => {
  const id = await desk.createKey('turning')
  // The new secret cannot be proven, so the old one stays beside it.
  desk.faults.answer = [{ route: statusRoute, status: 403, code: 'NOT_NOW', times: 1 }]
  value(await rotate(id, 'turning'))
  expect(desk.secrets.entries.size).toBe(2)
  await damageJournal()
  expect(await list()).toMatchObject([{ id, secret: 'keychain' }])
  value(await desk.handlers()['account.summary']({ watch: null }))
})

test('a secret that the service calls dead is not taken: the key can be rotated', async () => {
  const id = await desk.createKey('turned elsewhere')
  await rotateElsewhere(id)
  await damageJournal()
  const [key] = await list()
  expect(key).toMatchObject({ id, secret: 'elsewhere' })
  expect(notices()).toEqual([])
  expect(value(await rotate(id, key?.label ?? '')).secret).toBe('keychain')
  value(await desk.handlers()['account.summary']({ watch: null }))
})

test('where no call tells, one secret is taken and of two none is guessed until a call tells', async () => {
  const sole = await desk.createKey('sole')
  const twice = await desk.createKey('twice')
  desk.faults.answer = [{ route: statusRoute, status: 403, code: 'NOT_NOW', times: 99 }]
  value(await rotate(twice, 'twice'))
  await damageJournal()
  const where = async () => Object.fromEntries((await list()).map(({ id, secret }) => [id, secret]))
  expect(await where()).toEqual({ [sole]: 'keychain', [twice]: 'elsewhere' })
  desk.faults.answer = []
  expect(await where()).toEqual({ [sole]: 'keychain', [twice]: 'keychain' })
})

test('only keys that may still work are looked for, under their own names, and each once', async () => {
  const id = await desk.createKey('here')
  const gone = await desk.createKey('gone')
  value(await desk.handlers()['keys.revoke']({ keyId: gone, confirmLabel: 'gone' }))
  await desk.secrets.delete(`key/practice/${id}/1`)
  await damageJournal()
  const read = watchKeychain()
  expect((await list()).map(({ secret }) => secret)).toEqual(['elsewhere', 'elsewhere'])
  expect(read).toEqual([`key/practice/${id}/1`, `key/practice/${id}/2`])
  await list()
  expect(read).toHaveLength(2)
})

test('a locked keychain keeps no list from being read, and is asked again when it had time to be opened', async () => {
  const id = await desk.createKey('kept')
  await damageJournal()
  const stored = desk.secrets.entries.get(`key/practice/${id}/1`) ?? expect.fail('no secret')
  let locked = true
  const read = watchKeychain(async (account) =>
    locked ? fail({ kind: 'keychain', code: 'locked', detail: null }) : ok(account.endsWith('/1') ? stored : null),
  )
  expect(await list()).toMatchObject([{ id, secret: 'elsewhere' }])
  await list()
  expect(read).toHaveLength(1)
  locked = false
  desk.clock.advance(minute)
  expect(await list()).toMatchObject([{ id, secret: 'keychain' }])
})
