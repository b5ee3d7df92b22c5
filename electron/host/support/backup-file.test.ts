import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { openBackup, sealBackup } from './backup-file.ts'

/** An scrypt cost low enough for hundreds of attempts. Another test checks the cost that the app uses. */
const cheap = { n: 2 ** 10, r: 8, p: 1 }
const passphrase = 'four words that open it'
const content = { orders: Array.from({ length: 50 }, (_, index) => ({ ref: index, noise: randomBytes(20).toString('hex') })) }

test('a backup opens with its passphrase whether the keyboard sends the passphrase’s letters and accents combined or separately', async () => {
  const composed = 'schlüssel für später'.normalize('NFC')
  const file = await sealBackup(content, composed)
  expect(await openBackup(file, composed)).toEqual(content)
  expect(await openBackup(file, composed.normalize('NFD'))).toEqual(content)
  expect(file.subarray(0, 12)).toEqual(Buffer.from([...Buffer.from('SvcDeskB'), 1, 17, 8, 1]))
}, 60_000)

test('a backup file contains none of its content in plain text, and two backups of the same content differ', async () => {
  const [first, second] = [
    await sealBackup({ canary: 'CANARY-IN-A-BACKUP' }, passphrase, cheap),
    await sealBackup({ canary: 'CANARY-IN-A-BACKUP' }, passphrase, cheap),
  ]
  expect(first.includes('CANARY')).toBe(false)
  expect(first.equals(second)).toBe(false)
})

test('the app gives the same result for a wrong passphrase, a damaged backup file and a file that is no backup', async () => {
  const file = await sealBackup(content, passphrase, cheap)
  const flipped = (at: number) => {
    const bytes = Buffer.from(file)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomInt(8))
    return bytes
  }
  // The test damages every byte of the header and of the tag, and random bytes of the content.
  const places = [
    ...Array(40).keys(),
    ...Array.from({ length: 16 }, (_, index) => file.length - 1 - index),
    ...Array.from({ length: 100 }, () => randomInt(40, file.length)),
  ]
  const cut = [0, 1, 8, 39, 40, 55, 56, file.length - 1, ...Array.from({ length: 60 }, () => randomInt(file.length))]
  const answers = [
    await openBackup(file, `${passphrase} `),
    await openBackup(file, ''),
    ...(await Promise.all(places.map((at) => openBackup(flipped(at), passphrase)))),
    ...(await Promise.all(cut.map((length) => openBackup(file.subarray(0, length), passphrase)))),
    await openBackup(Buffer.concat([file, Buffer.from([0])]), passphrase),
    await openBackup(randomBytes(500), passphrase),
    await openBackup(Buffer.from('SvcDeskB'), passphrase),
  ]
  expect(new Set(answers)).toEqual(new Set([null]))
  expect(await openBackup(file, passphrase)).toEqual(content)
}, 60_000)

test('the app refuses a backup file that demands more scrypt work than any real backup, even with the right passphrase', async () => {
  expect(await openBackup(await sealBackup(content, passphrase, { n: 2 ** 10, r: 8, p: 4 }), passphrase)).toEqual(content)
  expect(await openBackup(await sealBackup(content, passphrase, { n: 2 ** 10, r: 8, p: 5 }), passphrase)).toBeNull()
})
