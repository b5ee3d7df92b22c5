import { expect, test } from 'vitest'
import { hashPassphrase, isPassphrase, PassphraseHash, usualCost } from './lock-file.ts'

const cheap = { n: 2, r: 1, p: 1 }

test('the app unlocks only with exactly the passphrase that was set, and not with a similar one', async () => {
  const usual = await hashPassphrase('correct horse battery', usualCost)
  expect(await isPassphrase('correct horse battery', usual)).toBe(true)
  expect(await isPassphrase('correct horse batter', usual)).toBe(false)
  const hash = await hashPassphrase('correct horse battery', cheap)
  for (const other of ['', 'correct horse battery ', 'Correct horse battery']) expect(await isPassphrase(other, hash)).toBe(false)
})

test('the lock file contains no part of the passphrase, and setting the same passphrase again stores another hash', async () => {
  const [one, two] = await Promise.all([hashPassphrase('correct horse battery', cheap), hashPassphrase('correct horse battery', cheap)])
  expect(JSON.stringify(one)).not.toMatch(/correct|horse|battery/)
  expect(one.salt).not.toBe(two.salt)
  expect(one.hash).not.toBe(two.hash)
  expect(Buffer.from(one.hash, 'base64')).toHaveLength(32)
})

test('the lock checks a passphrase with the scrypt parameters that the lock file contains beside the passphrase’s hash', async () => {
  const hash = await hashPassphrase('correct horse battery', { n: 4, r: 2, p: 2 })
  expect(hash).toMatchObject({ kdf: 'scrypt', n: 4, r: 2, p: 2 })
  expect(await isPassphrase('correct horse battery', hash)).toBe(true)
  expect(await isPassphrase('correct horse battery', { ...hash, n: 8 })).toBe(false)
})

test('the lock accepts a passphrase whether the keyboard sends its letters and accents combined or separately', async () => {
  expect(await isPassphrase('cafe\u0301 creme', await hashPassphrase('caf\u00e9 creme', cheap))).toBe(true)
})

test('the lock refuses scrypt parameters in the lock file that would use up the computer’s memory', () => {
  const hash = { kdf: 'scrypt', n: 2 ** 17, r: 8, p: 1, salt: 'AAAA', hash: 'AAAA' }
  expect(PassphraseHash.safeParse(hash).success).toBe(true)
  for (const change of [{ n: 2 ** 30 }, { r: 1_000 }, { p: 1_000 }, { n: 0 }]) expect(PassphraseHash.safeParse({ ...hash, ...change }).success).toBe(false)
})
