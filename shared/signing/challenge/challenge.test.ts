import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nowMs, otherWallet, wallet } from '../../../e2e/support/fixtures/typed-data.ts'
import { challengeSentence, checkText } from '../../text/signing-text.ts'
import { type ChallengeExpectation, checkChallenge } from './challenge.ts'

const nonce = '6f1c0b7e94d2a835'

const lines = (change: Partial<Record<'host' | 'wallet' | 'network' | 'nonce' | 'expires' | 'end', string>> = {}): string =>
  [
    `${change.host ?? 'dex.example'} asks you to sign in to`,
    'its developer area with your wallet:',
    change.wallet ?? wallet,
    '',
    `Network: ${change.network ?? 'Base (8453)'}`,
    `Nonce: ${change.nonce ?? nonce}`,
    `Expires: ${change.expires ?? '2026-11-18T14:37:08Z'}`,
    '',
    'Signing is free. It sends no transaction',
    `and gives no access to your funds.${change.end ?? ''}`,
  ].join('\n')

const check = (message: string, change: Partial<ChallengeExpectation> = {}) =>
  checkChallenge({
    message,
    answer: { wallet, nonce, expiresAtMs: nowMs + 300_000, network: 'Base', chainId: 8453 },
    wallet,
    host: 'dex.example',
    nowMs,
    knownFormats: [],
    ...change,
  })
const verdictOf = (report: ReturnType<typeof check>, id: string) => report.checks.find((it) => it.id === id)?.verdict

test('the app accepts a sign-in message that contains all required values, and marks where in the message each value is [AUTH-06]', () => {
  const message = lines()
  const report = check(message)
  expect([report.verdict, report.passed, challengeSentence(report)]).toEqual(['pass', 6, null])
  const shown = report.checks.map((it) => {
    const { label, value } = checkText(it)
    return [label, value, it.at === null ? null : message.slice(it.at.start, it.at.start + it.at.length)]
  })
  expect(shown).toEqual([
    ['Host', 'dex.example', 'dex.example'],
    ['Wallet', wallet, wallet],
    ['Network', 'Base (8453)', 'Base (8453)'],
    ['Nonce', nonce, nonce],
    ['Expiry', 'in 5 min', '2026-11-18T14:37:08Z'],
    ['Nothing else', '8 lines', null],
  ])
})

const wrong: readonly (readonly [string, string, string, string])[] = [
  ['host', lines({ host: 'dex.example.evil.com' }), 'host', 'The message is from the host dex.example.evil.com. This profile is for dex.example.'],
  ['host with a prefix', lines({ host: 'evil-dex.example' }), 'host', 'The message is from the host evil-dex.example. This profile is for dex.example.'],
  ['host with a look-alike letter', lines({ host: 'dеx.example' }), 'host', 'The message is from the host dеx.example. This profile is for dex.example.'],
  ['host by its address', lines({ host: '203.0.113.9' }), 'host', 'The message is from the host 203.0.113.9. This profile is for dex.example.'],
  ['host at another port', lines({ host: 'dex.example:444' }), 'host', 'The message is from the host dex.example:444. This profile is for dex.example.'],
  ['wallet', lines({ wallet: otherWallet }), 'wallet', `The message names the wallet ${otherWallet}. Yours is ${wallet}.`],
  ['second wallet', lines({ end: ` ${otherWallet}` }), 'wallet', `The message names the wallet ${otherWallet}. Yours is ${wallet}.`],
  ['chain id', lines({ network: 'Base (84532)' }), 'network', 'The message is for another network: Base (84532). It must be Base (chain 8453).'],
  ['network', lines({ network: 'Ethereum (1)' }), 'network', 'The message is for another network: Ethereum. It must be Base (chain 8453).'],
  ['test network', lines({ network: 'Base Sepolia (8453)' }), 'network', 'The message is for another network: Sepolia. It must be Base (chain 8453).'],
  ['unknown network', lines({ network: 'Fantasy' }), 'network', 'The message is for another network: Fantasy. It must be Base (chain 8453).'],
  ['nonce', lines({ nonce: '0000000000000000' }), 'nonce', `The message contains the nonce 0000000000000000. The service’s response says ${nonce}.`],
  ['expiry that is over', lines({ expires: '2026-11-18T14:32:00Z' }), 'expiry', 'The message expired at 14:32:00 UTC.'],
  ['expiry too far off', lines({ expires: '2026-11-18T15:32:08Z' }), 'expiry', 'The message is valid for 1 h. A sign-in message is valid for 5 min.'],
  [
    'expiry other than the answer',
    lines({ expires: '2026-11-18T14:35:08Z' }),
    'expiry',
    'The message expires at 14:35:08 UTC. The service’s response says 14:37:08 UTC.',
  ],
  ['expiry that is none', lines({ expires: 'never' }), 'expiry', 'The message has no readable expiry: never.'],
  ['hidden direction', lines({ end: '\u202e' }), 'rest', 'The message contains a hidden character, U+202E.'],
  ['zero width space', lines({ end: '\u200b' }), 'rest', 'The message contains a hidden character, U+200B.'],
  ['control character', lines({ end: '\u0000' }), 'rest', 'The message contains a hidden character, U+0000.'],
  ['link elsewhere', lines({ end: ' See https://evil.example/claim' }), 'rest', 'The message names another host: https://evil.example/claim.'],
  ['host with a user name', lines({ end: ' https://dex.example@evil.example' }), 'rest', 'The message names another host: https://dex.example@evil.example.'],
  ['call data', lines({ end: ` 0x095ea7b3${'0'.repeat(128)}` }), 'rest', 'The message contains hex data that could be a transaction.'],
  ['typed data', lines({ end: ' {"primaryType": "Permit"}' }), 'rest', 'The message reads like a transaction: "primaryType":.'],
  ['an approval', lines({ end: ' approve(router, all)' }), 'rest', 'The message reads like a transaction: approve(.'],
  [
    'text far below',
    lines({ end: `${'\n'.repeat(20)}and everything else` }),
    'rest',
    'The message is longer than a sign-in needs, so you may miss a part of it.',
  ],
]

test.each(wrong)('the app blocks a sign-in message with a wrong or forbidden part (%s), and names the problem [AUTH-06]', (_name, message, id, sentence) => {
  const report = check(message)
  expect(verdictOf(report, id)).toBe('fail')
  expect([report.verdict, challengeSentence(report)]).toEqual(['block', sentence])
})

test('the app blocks a sign-in message in hex, which a wallet would sign as bytes and not as text [AUTH-06]', () => {
  expect(check(`0x${'ab'.repeat(16)}`).verdict).toBe('block')
})

test('the app blocks a sign-in message that contradicts the other fields of the same response [AUTH-06]', () => {
  const right = { wallet, nonce, expiresAtMs: nowMs + 300_000, network: 'Base', chainId: 8453 }
  for (const [id, change] of [
    ['wallet', { wallet: otherWallet }],
    ['network', { chainId: 1 }],
    ['network', { network: 'Ethereum' }],
    ['expiry', { expiresAtMs: nowMs + 3_600_000 }],
    ['nonce', { nonce: 'another-nonce' }],
  ] as const) {
    const report = check(lines(), { answer: { ...right, ...change } })
    expect([id, report.verdict, verdictOf(report, id)]).toEqual([id, 'block', 'fail'])
  }
})

test('the app blocks a sign-in message with a nonce that an earlier challenge used [AUTH-06]', () => {
  expect(check(lines(), { nonceSeen: (it) => it === nonce }).verdict).toBe('block')
})

const plain = (nonceLine: string): string =>
  `dex.example asks you to sign in.\nWallet ${wallet}\nNetwork: Base (8453)\n${nonceLine}\nExpires: 2026-11-18T14:37:08Z\nSigning is free.`

test.each([
  'Challenge: 0a1b2c3d4e5f6071',
  'Challenge code 0a1b2c3d4e5f6071',
  'Request ID: 0a1b2c3d4e5f6071',
  'request id is 0a1b2c3d4e5f6071',
  'Your one-time code is 0a1b2c3d4e5f6071.',
  'id: 0a1b2c3d4e5f6071',
  'Session token=0a1b2c3d4e5f6071',
  'Verification code: 93847561',
  'Please quote 0a1b2c3d4e5f6071 to support.',
  'Nonce\n  0a1b2c3d4e5f6071',
  `Nonce: ${nonce}\nReference 0a1b2c3d4e5f6071`,
  'Nonce: zero',
])('the app blocks a sign-in message with another nonce than the response, under any name: %s [AUTH-06]', (said) => {
  const report = check(plain(said))
  expect([report.verdict, verdictOf(report, 'nonce')]).toEqual(['block', 'fail'])
})

test.each([
  `Challenge: ${nonce}`,
  `Request ID: ${nonce}.`,
  `Your one-time code is "${nonce}"`,
  `Please sign the nonce ${nonce} below.`,
  `The nonce below is used once.\n${nonce}`,
  `Nonce: ${nonce}\nChain ID: 8453\nIssued At: 2026-11-18T14:32:08Z\nVersion: 1`,
  `Code of conduct applies. Nonce ${nonce}`,
  `Nonce: ${nonce} (1763476328)`,
])('the app accepts a sign-in message with the response’s nonce, under any name: %s [AUTH-06]', (said) => {
  expect(check(plain(said)).verdict).toBe('pass')
})

test('the app asks the user about values that a sign-in message lacks, but only once per message format [AUTH-06]', () => {
  const bare = (of: string) => `Welcome to dex.example\nWallet ${of}\nNonce: ${nonce}`
  const first = check(bare(wallet))
  expect([first.verdict, challengeSentence(first)]).toEqual(['confirm', 'Missing in the message: Network, Expiry.'])
  expect(check(bare(wallet), { knownFormats: [first.formatHash] }).verdict).toBe('pass')
  expect(check(`${bare(wallet)}\nAnd more`, { knownFormats: [first.formatHash] }).verdict).toBe('confirm')
  expect(check(bare(otherWallet), { knownFormats: [first.formatHash] }).verdict).toBe('block')
})

test('the app recognises the same message format in sign-in messages that differ only in the wallet, the nonce and the time [AUTH-06]', () => {
  const second = check(lines({ wallet: otherWallet, nonce: 'ffff0000ffff0000', expires: '2026-11-18T14:36:00Z' }), {
    wallet: otherWallet,
    answer: { wallet: otherWallet, nonce: 'ffff0000ffff0000', expiresAtMs: Date.UTC(2026, 10, 18, 14, 36), network: null, chainId: null },
  })
  expect(second.formatHash).toBe(check(lines()).formatHash)
})

test('the app reads sign-in messages in the usual “Sign-In with Ethereum” format [AUTH-06]', () => {
  const message = `dex.example wants you to sign in with your Ethereum account:\n${wallet}\n\nURI: https://dex.example/api\nVersion: 1\nChain ID: 8453\nNonce: ${nonce}\nIssued At: 2026-11-18T14:32:08Z\nExpiration Time: 2026-11-18T14:37:08Z`
  const report = check(message)
  expect([report.verdict, report.passed]).toEqual(['pass', 6])
  expect(check(message.replace('8453', '1')).verdict).toBe('block')
})

test('the app accepts the exchange’s host in a sign-in message with or without its port, but not with another port [AUTH-06]', () => {
  expect(check(lines({ host: '127.0.0.1:8787' }), { host: '127.0.0.1:8787' }).verdict).toBe('pass')
  expect(check(lines({ host: '127.0.0.1:8788' }), { host: '127.0.0.1:8787' }).verdict).toBe('block')
  expect(check(lines(), { host: 'dex.example:8443' }).verdict).toBe('pass')
})

test('the app does not accept a sign-in message if any single character of a checked value is changed [AUTH-06]', () => {
  const message = lines()
  const spans = check(message).checks.flatMap(({ at }) => (at === null ? [] : [at]))
  const letters = 'abcdefghjkmnpqrstuvwxyz0123456789'
  fc.assert(
    fc.property(fc.constantFrom(...spans), fc.nat(), fc.constantFrom(...letters), (span, offset, letter) => {
      const at = span.start + (offset % span.length)
      fc.pre(/[\p{L}\p{N}]/u.test(message[at] ?? '') && message[at]?.toLowerCase() !== letter)
      expect(check(message.slice(0, at) + letter + message.slice(at + 1)).verdict).not.toBe('pass')
    }),
    { numRuns: 300 },
  )
})

test.each(['', '000', '000000', '000000000'])(
  'the app reads a sign-in message’s expiry in Unix seconds, milliseconds or a finer unit, here with the extra digits %j [AUTH-06]',
  (finer) => {
    const seconds = (nowMs + 300_000) / 1_000
    expect(verdictOf(check(lines({ expires: `${seconds}${finer}` })), 'expiry')).toBe('pass')
    expect(verdictOf(check(lines({ expires: `${seconds + 3_600}${finer}` })), 'expiry')).toBe('fail')
  },
)

test.each(['0xab', 'a.', 'https://a.', 'SVC-', '\n', 'nonce: '])(
  'the app quickly refuses a sign-in message that is too long, even 8 MiB of repeated “%s” [F5]',
  (unit) => {
    for (const size of [65_536, 8_388_608]) {
      const before = process.cpuUsage().user
      expect(check(unit.repeat(size / unit.length)).verdict).toBe('block')
      expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(300)
    }
  },
)
