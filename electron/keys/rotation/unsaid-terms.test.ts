import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { replacing } from '../../../e2e/support/main/replacing.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'

type Key = Readonly<Record<string, unknown>>

let workspace: Workspace
let user: ReturnType<typeof replacing>
/** How the service lists a key. */
let lists: (key: Key) => Key
beforeEach(async () => {
  lists = (key) => key
  workspace = await startWorkspace({
    speaks: (route, body) => {
      if (route !== 'GET /api/dex/developer/keys') return body
      const { keys, ...rest } = body as { keys: Key[] }
      return { ...rest, keys: keys.map((key) => lists(key)) }
    },
  })
  await workspace.connect()
  await workspace.signIn()
  user = replacing(workspace)
})
afterEach(() => workspace.stop())

test('a replacement copies the addresses and the executor of a key from the app’s own requests if the service does not list them [KEY-03, KEY-12]', async () => {
  lists = ({ ip_allowlist: _, executor: __, ...key }) => key
  const keyId = await user.reader()
  value(await workspace.handlers()['agents.bindExecutor']({ keyId, executor: 'exec-fra-1', before: null, confirmLabel: 'reader' }))
  expect(value(await user.start(keyId)).plan).toMatchObject({ ipAllowlist: ['127.0.0.1'], executor: 'exec-fra-1' })
})

test.each<[string, (key: Key) => Key]>([
  ['does not list', ({ ip_allowlist: _, ...key }) => key],
  ['lists in an unreadable form', (key) => ({ ...key, ip_allowlist: [{ from: '127.0.0.1' }] })],
])('the app does not replace a key whose addresses the service %s, because the new key would work from any address [KEY-03]', async (_, lists_) => {
  lists = lists_
  const { keyId } = await elsewhere(workspace).create({ ip_allowlist: ['127.0.0.1'] })
  expect(failure(await user.start(keyId))).toEqual({ kind: 'bad_input', field: 'keyId', issue: 'addresses_unknown' })
})

test('a key whose addresses the service lists as null works from any address, and so does its replacement [KEY-03]', async () => {
  lists = (key) => ({ ...key, ip_allowlist: null })
  const { keyId } = await elsewhere(workspace).create()
  expect(value(await user.start(keyId)).plan.ipAllowlist).toEqual([])
})
