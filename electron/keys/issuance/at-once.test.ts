import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { startFront } from '../../../e2e/support/main/front.ts'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const rotate = (keyId: string) => workspace.handlers()['keys.rotate']({ keyId, confirmLabel: 'bot' })
const states = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 20)
    .map(({ kind, state }) => `${kind} ${state}`)
const kept = () => [...workspace.secrets.entries].flatMap(([account, secret]) => (account.startsWith('key/') ? [secret] : []))

test('after two rotations of a key at once, the keychain has the secret that works [KEY-07]', async () => {
  const id = await workspace.createKey()
  for (const rotated of await Promise.all([rotate(id), rotate(id)])) value(rotated)
  const [only, ...more] = kept()
  expect([more, await elsewhere(workspace).works(only ?? expect.fail('no secret'))]).toEqual([[], true])
  expect(states()).toEqual(['rotate VERIFIED', 'rotate VERIFIED', 'create VERIFIED'])
})

test('the user can press twice to store a secret that the keychain refused before [KEY-05]', async () => {
  const id = await workspace.createKey()
  workspace.secrets.failWritesAfterProbe('failed')
  expect(value(await rotate(id)).secret).toBe('memory')
  workspace.secrets.failWrites(null)
  const store = () => workspace.handlers()['keys.retryStore']({ keyId: id })
  for (const stored of await Promise.all([store(), store()])) expect(value(stored).secret).toBe('keychain')
  expect(states()).toEqual(['rotate VERIFIED', 'create VERIFIED'])
})

test('the app keeps a rotation’s new secret if the user imports the old one while the app tests the new one [KEY-07]', async () => {
  const id = await workspace.createKey()
  const [old] = kept()
  workspace.copiedElsewhere = old?.reveal() ?? ''
  const { promise: imported, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: tested, resolve: tests } = Promise.withResolvers<void>()
  let isHeld = false
  await workspace.goThrough((url) =>
    startFront(
      url,
      (_, answer) => answer,
      async (route, body) => {
        if (isHeld && route === 'GET /api/dex/v1/status') {
          tests()
          await imported
        }
        return { body }
      },
    ),
  )
  const read = value(await workspace.handlers()['keys.importRead']({ source: 'clipboard' }))
  if (read.state !== 'read') throw new Error(read.state)
  isHeld = true
  const rotated = rotate(id)
  await tested
  isHeld = false
  value(await workspace.handlers()['keys.importStore']({ importId: read.importId, keyId: id }))
  goOn()
  value(await rotated)
  const works = await Promise.all(kept().map((secret) => elsewhere(workspace).works(secret)))
  expect(works).toContain(true)
})

test('the app sends the signature of a grant only once, although the user presses twice [KEY-10]', async () => {
  let isMade = false
  const { promise: refused, resolve: goOn } = Promise.withResolvers<void>()
  await workspace.goThrough((url) =>
    startFront(
      url,
      (_, answer) => answer,
      async (route, body) => {
        // The first list after the creation comes only when the second press has ended.
        if (isMade && route === 'GET /api/dex/developer/keys') {
          isMade = false
          await refused
        }
        isMade ||= route === 'POST /api/dex/developer/keys'
        return { body }
      },
    ),
  )
  const draft = value(await workspace.handlers()['keys.prepare']({ label: 'bot', expiresInDays: 90, ipAllowlist: [] }))
  const request = value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed }))
  const signature = await workspace.sign(request)
  const create = () => workspace.handlers()['keys.create']({ draftId: draft.id, signature })
  const [first, second] = [create(), create()]
  failure(await second)
  goOn()
  value(await first)
  expect(workspace.sent.filter(({ method, path }) => method === 'POST' && path === '/api/dex/developer/keys')).toHaveLength(1)
  expect(states()).toEqual(['create VERIFIED'])
})
