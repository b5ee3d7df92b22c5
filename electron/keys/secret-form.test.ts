import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeySecret } from '../../shared/api/schemas/keys.ts'
import { DeveloperSession } from '../../shared/api/schemas/session.ts'
import { WebhookSecret } from '../../shared/api/schemas/webhooks.ts'
import { contentOf } from '../handover/plan.ts'
import { mergeEnv } from '../secrets/env-file-text.ts'
import { Secret } from '../secrets/secret.ts'
import { type Desk, failure, startDesk, value } from '../testing/desk.ts'

const tail = '3105d0a7f2c94e1b8a6d'
const session = (text: string) => ({ developer_session: text, expires_at_ms: 1_795_000_000_000, wallet: `0x${'ab'.repeat(20)}` })

const odd = [...Array.from({ length: 33 }, (_, code) => String.fromCharCode(code)), '\x7f', '\x85', '\u2028', '\u202e', 'ü', '\ud800']

test.each(odd.map((character) => [JSON.stringify(character), character]))('a secret with %s in it is not kept [V1, KEY-05]', (_, character) => {
  for (const place of [3, 9, 24]) {
    const written = (prefix: string) => `${prefix}${tail}`.slice(0, prefix.length + place) + character + tail
    expect(KeySecret.read({ api_key: written('SVC') }).ok).toBe(false)
    expect(WebhookSecret.read({ signing_secret: written('svc_whsec_'), webhook: { webhook_id: 'w' } }).ok).toBe(false)
    expect(DeveloperSession.read(session(written('svcds1.'))).ok).toBe(false)
  }
})

test.each(['short', 'x'.repeat(5_000)])('a secret that is too short or too long is not kept [V1]', (rest) => {
  expect(KeySecret.read({ api_key: `SVC${rest}` }).ok).toBe(false)
  expect(WebhookSecret.read({ signing_secret: `svc_whsec_${rest}` }).ok).toBe(false)
  expect(DeveloperSession.read(session(`svcds1.${rest}`)).ok).toBe(false)
})

test('every other character of a secret makes one line of a file and of what a server gets [V1]', () => {
  const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index))
  for (const character of visible) {
    const key = `SVC${tail}${character}x`
    expect(KeySecret.parse({ api_key: key }).apiKey).toBe(key)
    const handed = contentOf('env')({ key, baseUrl: 'https://dex.example/api/dex/v1' })
    expect(handed.split(/[\r\n]/)).toEqual([`SVC_API_KEY=${key}`, 'SVC_BASE_URL=https://dex.example/api/dex/v1', ''])
    expect(mergeEnv('', { SVC_API_KEY: key }).text.split(/[\r\n]/)).toHaveLength(2)
  }
})

let desk: Desk
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-form-'))
  desk = await startDesk()
  await desk.connect()
  await desk.signIn()
})
afterEach(async () => {
  await desk.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a key of several lines is nowhere, and the key is offered as one without its secret [V1, KEY-05]', async () => {
  await desk.rewriteAnswers((_, answer) =>
    JSON.parse(JSON.stringify(answer), (name, inner) => (name === 'api_key' ? `${inner}\nNODE_OPTIONS=--require=/tmp/x.js` : inner)),
  )
  const made = await desk.handlers()['keys.createCustom']({ label: 'all', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] })
  expect(failure(made).kind).toBe('unreadable')
  expect([...desk.secrets.entries.values()].filter((secret) => secret.reveal().startsWith('SVC'))).toEqual([])
  expect(value(await desk.handlers()['keys.list']({})).keys).toHaveLength(1)
})

test('an entry of the keychain that is no secret is not handed on [V1]', async () => {
  const keyId = await desk.createKey('grid')
  const [account] = [...desk.secrets.entries].find(([, secret]) => secret.reveal().startsWith('SVC')) ?? []
  if (account === undefined) throw new Error('The key is not in the keychain')
  await desk.restart()
  await desk.connect()
  await desk.secrets.set(account, new Secret(`SVC${tail}\nLD_PRELOAD=/tmp/x.so`))
  expect(failure(await desk.handlers()['secrets.reveal']({ keyId }))).toMatchObject({ kind: 'keychain', code: 'invalid' })
})
