import { expect, test } from 'vitest'
import { KeySecret } from './schemas/keys/key-resources.ts'
import { DeveloperSession } from './schemas/keys/session-resources.ts'
import { WebhookSecret } from './schemas/keys/webhook-resources.ts'

const tail = '3105d0a7f2c94e1b8a6d'
const session = (text: string) => ({ developer_session: text, expires_at_ms: 1_795_000_000_000, wallet: `0x${'ab'.repeat(20)}` })

const odd = [...Array.from({ length: 33 }, (_, code) => String.fromCharCode(code)), '\x7f', '\x85', '\u2028', '\u202e', 'ü', '\ud800']

test.each(odd.map((character) => [JSON.stringify(character), character]))(
  'the app refuses a secret that contains the character %s [V1, KEY-05]',
  (_, character) => {
    for (const place of [3, 9, 24]) {
      const written = (prefix: string) => `${prefix}${tail}`.slice(0, prefix.length + place) + character + tail
      expect(KeySecret.read({ api_key: written('SVC') }).ok).toBe(false)
      expect(WebhookSecret.read({ signing_secret: written('svc_whsec_'), webhook: { webhook_id: 'w' } }).ok).toBe(false)
      expect(DeveloperSession.read(session(written('svcds1.'))).ok).toBe(false)
    }
  },
)

test.each([
  ['short', 'short'],
  ['long', 'x'.repeat(5_000)],
])('the app refuses a secret that is too %s [V1]', (_, rest) => {
  expect(KeySecret.read({ api_key: `SVC${rest}` }).ok).toBe(false)
  expect(WebhookSecret.read({ signing_secret: `svc_whsec_${rest}` }).ok).toBe(false)
  expect(DeveloperSession.read(session(`svcds1.${rest}`)).ok).toBe(false)
})
