import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { createDetector, type Spot } from './detector.ts'
import { createFingerprints } from './scan-job.ts'

const own = `SVC${randomBytes(24).toString('hex')}`
const other = `SVC${randomBytes(24).toString('hex')}`
const odd = `SVC${randomBytes(20).toString('base64url')}+a/b=c~%`
const foreign = 'SVC4f9a1c77e0b2d86a53c1908e7fb24d6ca0e95b3817cd42f6'
const session = 'svcds1.q7Vx2LmZr9TbYc4HnKd8PwEs5JgUa3Rf6Xo1MiCvBtN'
const webhook = 'svc_whsec_Zk3vQ9xB7mT2rYc5LnHd8PwE4sJgUa6R'

const fingerprints = createFingerprints()
fingerprints.learn([
  { keyId: 'key_own', wallet: '0xa', secret: new Secret(own) },
  { keyId: 'key_other', wallet: '0xb', secret: new Secret(other) },
  { keyId: 'key_odd', wallet: '0xa', secret: new Secret(odd) },
])

function spotsIn(text: string, cuts: readonly number[] = []): Spot[] {
  const bytes = Buffer.from(text).toString('latin1')
  const spots: Spot[] = []
  const detector = createDetector(fingerprints, (spot) => spots.push(spot))
  const places = [0, ...[...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b), bytes.length]
  for (const [index, from] of places.entries()) detector.push(bytes.slice(from, places[index + 1] ?? bytes.length))
  detector.end()
  return spots
}
const keysIn = (text: string) => spotsIn(text).map(({ recognised }) => recognised?.keyId ?? null)

test('the leak scan finds a secret stored on this computer anywhere in a text, and names the key of the secret', () => {
  for (const text of [own, `SVC_API_KEY=${own}`, `{"key":"${own}"}`, `x${own}y`, `https://x.example/?key=${own}&a=1`, `${own}.`])
    expect(spotsIn(text), text.replace(own, '…')).toMatchObject([
      { kind: 'api_key', form: 'plain', sure: 'certain', recognised: { keyId: 'key_own', secret: 'current' } },
    ])
  expect(keysIn(`${own}\n${other}\n${own}`)).toEqual(['key_own', 'key_other', 'key_own'])
  expect(keysIn(`${own}${other}`)).toEqual(['key_own', 'key_other'])
})

test.each([0, 1, 2, 3, 4, 5])(
  'the leak scan finds a stored secret that follows %i other bytes in base64, in both alphabets and across line breaks',
  (before) => {
    for (const secret of [own, odd]) {
      const text = Buffer.from(`${'#'.repeat(before)}${secret}#`)
      const wrapped = text.toString('base64').replace(/.{24}/g, '$&\n  ')
      for (const written of [text.toString('base64'), text.toString('base64url'), wrapped])
        expect(spotsIn(`secret: ${written}\n`)).toMatchObject([{ form: 'base64', recognised: { keyId: secret === own ? 'key_own' : 'key_odd' } }])
    }
  },
)

test('the leak scan finds a secret stored on this computer if a text contains it in hexadecimal or in a URL', () => {
  expect(spotsIn(Buffer.from(`=${own}`).toString('hex'))).toMatchObject([{ form: 'hex', recognised: { keyId: 'key_own' } }])
  expect(spotsIn(Buffer.from(own).toString('hex').toUpperCase())).toMatchObject([{ form: 'hex', recognised: { keyId: 'key_own' } }])
  expect(spotsIn(`?key=${encodeURIComponent(odd)}&x`)).toMatchObject([{ form: 'url', recognised: { keyId: 'key_odd' } }])
})

test.each([
  ['a URL', 'url', (key: string) => encodeURIComponent(key)],
  ['a URL, every byte', 'url', (key: string) => Buffer.from(key).toString('hex').replace(/../g, '%$&')],
  ['JSON', 'plain', (key: string) => key.replaceAll('/', '\\/').replaceAll('+', '\\u002b')],
  ['HTML', 'plain', (key: string) => key.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')],
  ['a mail', 'plain', (key: string) => key.replaceAll('=', '=3D').replace(/.{20}/g, '$&=\r\n')],
])('the leak scan finds a stored secret as it is written in %s [F8]', (_, form, write) => {
  expect(spotsIn(`key: ${write(odd)}\n`)).toMatchObject([{ form, recognised: { keyId: 'key_odd' } }])
})

test('the leak scan still recognises a key’s earlier secret after the secret was replaced, and marks it as no longer in use', () => {
  const prints = createFingerprints()
  prints.learn([{ keyId: 'k', wallet: '0xa', secret: new Secret(own) }])
  prints.learn([{ keyId: 'k', wallet: '0xa', secret: new Secret(other) }])
  expect(prints.recognise(`${own} `)).toMatchObject({ keyId: 'k', secret: 'former' })
  expect(prints.recognise(other)).toMatchObject({ keyId: 'k', secret: 'current' })
  expect(prints.recognise(`${own.slice(0, -1)}_`)).toBeNull()
})

test('the leak scan finds API keys, sign-in tokens and webhook secrets that this computer does not store, by prefix and randomness', () => {
  const found = spotsIn(`a: ${foreign}\nb: ${session}\nc: "${webhook}"\n${Buffer.from(`KEY=${foreign}\n`).toString('base64')}`)
  expect(found.map(({ kind, form, sure, line, column }) => [kind, form, sure, line, column])).toEqual([
    ['api_key', 'plain', 'medium', 1, 4],
    ['sign_in', 'plain', 'high', 2, 4],
    ['webhook', 'plain', 'high', 3, 5],
    ['api_key', 'base64', 'medium', 4, 7],
  ])
  expect(found.every(({ recognised }) => recognised === null)).toBe(true)
})

test.each([
  'SVC_API_KEY=',
  'SVC_API_KEY=SVCxxxxxxxxxxxxxxxxxxxxxxxx',
  'SVC_API_KEY=SVC0123456789abcdef0123456789abcdef',
  'SVC_API_KEY=SVC...your-key-here-2024',
  'SVC_API_KEY=$SVC_API_KEY_OF_PROD_2',
  'svcds1.<the bearer of the session>',
  'begins `svc_whsec_`; returned only once',
  'svc_whsec_xxxxxxxxxxxxxxxxxxxxxxxx',
  'class SVCOrderHandlerV2Factory {}',
  'SVC-REPORT-2024-FINAL.pdf',
  'sha512-SVC4f9a1c77e0b2d86a53c1908e7fb24d6c',
  `data:font/woff2;base64,${'d09GMgABAAAAAE'.repeat(4)}/SVC4f9a1c77e0b2d86a53c1908e7fb24d6c`,
  'integrity: a+SVC4f9a1c77e0b2d86a53c1908e7fb24d6c',
])('the leak scan does not report a placeholder, name or document as a secret: %s', (text) => {
  expect(spotsIn(text)).toEqual([])
})

test('the leak scan finds the same secrets at the same line and column, no matter where the text is split into pieces', () => {
  const filler = fc
    .array(fc.constantFrom('a', ' ', '\n', 'é', '🗝', 'SVC', 'U1ZD', '535643', 'line of text\n', 'x'.repeat(400)), { maxLength: 12 })
    .map((all) => all.join(''))
  const secret = fc.constantFrom(
    own,
    other,
    odd,
    foreign,
    session,
    webhook,
    Buffer.from(own).toString('base64'),
    Buffer.from(`12${own}`).toString('base64'),
    Buffer.from(own).toString('hex'),
  )
  const text = fc.array(fc.tuple(filler, secret, fc.constantFrom('\n', ' ', '"')), { minLength: 1, maxLength: 4 }).map((all) => all.flat().join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(8_000), { maxLength: 12 }), (whole, cuts) => {
      expect(spotsIn(whole, cuts)).toEqual(spotsIn(whole))
    }),
    { numRuns: 300 },
  )
})

test('the leak scan finds a secret even if the text that contains it arrives one byte at a time', () => {
  const encoded = Buffer.from(`a${own}`).toString('base64')
  const text = `${'é'.repeat(700)}\n  ${own}\n${'x'.repeat(2_000)}${encoded}\nsha512-${foreign}\nkey ${foreign}\n${'y'.repeat(2_000)}`
  const spots = spotsIn(
    text,
    Array.from({ length: Buffer.byteLength(text) }, (_, index) => index),
  )
  expect(spots.map(({ line, column, form }) => [line, column, form])).toEqual([
    [2, 3, 'plain'],
    [3, 2_003, 'base64'],
    [5, 5, 'plain'],
  ])
})

test('the leak scan counts lines and columns as a text editor does, even after many lines', () => {
  const [spot] = spotsIn(`${'línea\r\n'.repeat(50_000)}clave é: ${own}\r\n`)
  expect(spot).toMatchObject({ line: 50_001, column: 10 })
})

test('the leak scan’s report about a found secret contains no part of that secret', () => {
  const told = JSON.stringify(spotsIn(`${own} ${odd} ${foreign} ${session} ${webhook} ${Buffer.from(other).toString('base64')}`))
  expect(JSON.parse(told)).toHaveLength(6)
  for (const secret of [own, odd, other, foreign, session, webhook]) {
    const body = secret.replace(/^(SVC|svcds1\.|svc_whsec_)/, '')
    for (let at = 0; at + 6 <= body.length; at += 1) expect(told.includes(body.slice(at, at + 6))).toBe(false)
  }
})
