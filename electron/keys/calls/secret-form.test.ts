import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { KeySecret } from '../../../shared/api/schemas/keys/key-resources.ts'
import { Secret } from '../../kernel/secret.ts'
import { mergeEnv } from '../delivery/env-file-text.ts'
import { contentOf } from '../delivery/outlets/outlet-plan.ts'

const tail = '3105d0a7f2c94e1b8a6d'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

test('if the service returns a key’s secret with a line break, the app does not store it, and shows that the key’s secret is not here [V1, KEY-05]', async () => {
  await workspace.rewriteAnswers((_, answer) =>
    JSON.parse(JSON.stringify(answer), (name, inner) => (name === 'api_key' ? `${inner}\nNODE_OPTIONS=--require=/tmp/x.js` : inner)),
  )
  const made = await workspace.handlers()['keys.createCustom']({ label: 'all', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] })
  expect(failure(made).kind).toBe('unreadable')
  expect([...workspace.secrets.entries.values()].filter((secret) => secret.reveal().startsWith('SVC'))).toEqual([])
  expect(value(await workspace.handlers()['keys.list']({})).keys).toMatchObject([{ secret: 'elsewhere' }])
})

test('the app never shows or passes on a keychain entry that does not look like a key’s secret [V1]', async () => {
  const keyId = await workspace.createKey('grid')
  const [account] = [...workspace.secrets.entries].find(([, secret]) => secret.reveal().startsWith('SVC')) ?? []
  if (account === undefined) throw new Error('The key is not in the keychain')
  await workspace.restart()
  await workspace.connect()
  await workspace.secrets.set(account, new Secret(`SVC${tail}\nLD_PRELOAD=/tmp/x.so`))
  expect(failure(await workspace.handlers()['secrets.reveal']({ keyId }))).toMatchObject({ kind: 'keychain', code: 'invalid' })
})

test('a key’s secret with any visible character stays on one line, both in a .env file and in a file sent to another computer [V1]', () => {
  const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index))
  for (const character of visible) {
    const key = `SVC${tail}${character}x`
    expect(KeySecret.parse({ api_key: key }).apiKey).toBe(key)
    const handed = contentOf('env')({ key, baseUrl: 'https://dex.example/api/dex/v1' })
    expect(handed.split(/[\r\n]/)).toEqual([`SVC_API_KEY=${key}`, 'SVC_BASE_URL=https://dex.example/api/dex/v1', ''])
    expect(mergeEnv('', { SVC_API_KEY: key }).text.split(/[\r\n]/)).toHaveLength(2)
  }
})
