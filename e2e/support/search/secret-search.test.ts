import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSearch } from './secret-search.ts'

const secret = 'SVCq7w/Ze+9_canary-0123456789'
const search = createSearch([{ name: 'the key', value: secret }])
const found = (bytes: Buffer | string) => search.inBytes('here', typeof bytes === 'string' ? Buffer.from(bytes) : bytes)

const writings: readonly (readonly [string, string])[] = [
  ['as it is', `header ${secret} trailer`],
  ['in hex', Buffer.from(`a${secret}b`).toString('hex')],
  ['in upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['in a URL', `https://x.test/?k=${encodeURIComponent(secret)}`],
  ['percent by percent', [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['as a list of bytes', JSON.stringify([...Buffer.from(`xy${secret}z`)])],
  ...['', 'x', 'xy', 'xyz'].flatMap((before) =>
    ['', '!', '!?'].flatMap((after): (readonly [string, string])[] => [
      [`in base64 between "${before}" and "${after}"`, Buffer.from(before + secret + after).toString('base64')],
      [`in base64url between "${before}" and "${after}"`, Buffer.from(before + secret + after).toString('base64url')],
      [`in base64 of UTF-16 between "${before}" and "${after}"`, Buffer.from(before + secret + after, 'utf16le').toString('base64')],
    ]),
  ),
]

test.each(writings)('the tests’ search for leaked secrets finds a secret in this encoding: %s', (_how, text) => {
  expect(found(text)).not.toEqual([])
  expect(found(Buffer.from(text, 'utf16le'))).not.toEqual([])
})

test('the tests’ search for leaked secrets reports nothing when only part of a secret is present, and its report never repeats the secret', () => {
  expect(found(secret.slice(0, -1))).toEqual([])
  expect(found(Buffer.from(secret.slice(1)).toString('base64'))).toEqual([])
  expect(JSON.stringify(found(secret))).not.toContain(secret)
})

test('the tests’ search for leaked secrets reads the content and the name of every file in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-search-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'deep/deeper'), { recursive: true })
  writeFileSync(join(folder, 'clean.txt'), 'nothing')
  expect(search.inFolder(folder)).toEqual([])
  writeFileSync(join(folder, 'deep/deeper/store.db'), Buffer.concat([Buffer.alloc(70_000), Buffer.from(secret)]))
  writeFileSync(join(folder, `deep/${Buffer.from(secret).toString('base64url')}`), '')
  expect(search.inFolder(folder).map(({ place }) => place.includes('store.db') || place.startsWith('the name of'))).toEqual([true, true])
})

test('the tests’ search for leaked secrets refuses to search for a secret so short that it could occur by chance', () => {
  expect(() => createSearch([{ name: 'pin', value: '1234' }])).toThrow('pin is too short')
})
