import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { day } from '../../../shared/time.ts'
import { compareVersions, type JudgeParts, judgeRelease, readPublicKey, signedBytes } from './release-statement.ts'

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, pinned: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') }
}
const [own, next, thief] = [pair(), pair(), pair()]
const sha512 = Buffer.alloc(64, 7).toString('base64')
const file = { platform: 'linux', arch: 'x64', kind: 'AppImage', name: 'Svc-Desk-0.2.0.AppImage', size: 9, sha512, blockMapSize: 3 } as const
const issuedAtMs = 100 * day
const release = (more: object = {}): string =>
  JSON.stringify({
    format: 1,
    product: 'svc-desk',
    version: '0.2.0',
    minimum: null,
    journal: 3,
    issuedAtMs,
    validUntilMs: issuedAtMs + 35 * day,
    files: [file],
    ...more,
  })
const signedBy = (signed: string, ...keys: (typeof own)[]): string =>
  JSON.stringify({ signed, signatures: keys.map(({ privateKey }) => sign(null, signedBytes(signed), privateKey).toString('base64')) })
const judge = (text: string, more: Partial<JudgeParts> = {}) =>
  judgeRelease({
    ...{ text, keys: [own.pinned], current: '0.1.0', seen: null, nowMs: issuedAtMs + day, platform: 'linux', arch: 'x64', kind: 'AppImage' },
    ...more,
  })
const outcome = (text: string, more: Partial<JudgeParts> = {}) => judge(text, more).verdict.outcome
const good = signedBy(release(), own)

test('the update check offers a newer release if a key of this build signed it, and remembers the release as the newest seen', () => {
  expect(judge(good)).toEqual({
    verdict: { outcome: 'newer', release: JSON.parse(release()), file, isUnsupported: false },
    seen: { version: '0.2.0', issuedAtMs },
  })
})

describe('the update check refuses a forged release.json', () => {
  test('the update check refuses a release.json that was signed with a key that the app’s build does not contain', () =>
    expect(outcome(signedBy(release(), thief))).toBe('unsigned'))
  test('the update check refuses a release.json whose text was changed after it was signed', () => {
    expect(outcome(JSON.stringify({ ...JSON.parse(good), signed: release({ version: '0.9.0' }) }))).toBe('unsigned')
  })
  test('the update check refuses a release.json without signatures', () =>
    expect(outcome(JSON.stringify({ signed: release(), signatures: [] }))).toBe('unsigned'))
  test('the update check refuses a release.json whose signature was made for another purpose', () => {
    const bare = sign(null, Buffer.from(release()), own.privateKey).toString('base64')
    expect(outcome(JSON.stringify({ signed: release(), signatures: [bare] }))).toBe('unsigned')
  })
  test('the update check refuses every release if the app’s build contains no public key', () => expect(outcome(good, { keys: [] })).toBe('unsigned'))
  test('the update check does not remember the version that an unsigned release.json names', () => {
    expect(judge(signedBy(release({ version: '99.0.0' }), thief)).seen).toBe(null)
  })
})

describe('the update check refuses an unreadable release.json', () => {
  test.each([1, 0.99, 0.5, 0.1, 0])('the update check accepts a complete release.json and refuses a cut one (%d of its length is left)', (part) => {
    expect(outcome(good.slice(0, Math.floor(good.length * part)))).toBe(part === 1 ? 'newer' : 'unreadable')
  })
  test.each(['', 'null', '[]', '{}', '<!doctype html>', '{"signed":1,"signatures":[]}', '{"signed":"","signatures":"x"}'])(
    'the app refuses the text %s as a release statement',
    (text) => {
      expect(outcome(text)).toBe('unreadable')
    },
  )
  test('the update check refuses a release.json with more than eight signatures', () => {
    expect(outcome(signedBy(release(), ...Array.from({ length: 8 }, () => own)))).toBe('newer')
    expect(outcome(signedBy(release(), ...Array.from({ length: 9 }, () => own)))).toBe('unreadable')
  })
  test.each([
    ['an unknown field', { channel: 'beta' }],
    ['an unknown field of a file', { files: [{ ...file, url: 'https://elsewhere.example' }] }],
    ['another format', { format: 2 }],
    ['a version with a suffix', { version: '0.2.0-rc.1' }],
    ['a file name that leads elsewhere', { files: [{ ...file, name: '../x' }] }],
    ['a file name with a quote', { files: [{ ...file, name: "a'b" }] }],
    ['a short hash', { files: [{ ...file, sha512: 'AAAA' }] }],
    ['a longer life than 35 days', { validUntilMs: issuedAtMs + 35 * day + 1 }],
    ['an end before its start', { validUntilMs: issuedAtMs }],
  ])('the app refuses a release statement with %s, although it is signed', (_, more) => expect(outcome(signedBy(release(more), own))).toBe('unreadable'))
  test('the update check refuses a release.json that is longer than 64 KiB', () => expect(outcome(`${good}${' '.repeat(65_536)}`)).toBe('unreadable'))
})

describe('the update check refuses a release.json that is too old', () => {
  const seen = { version: '0.2.0', issuedAtMs }
  test('the update check refuses a release older than the newest release it has seen, even if it is newer than the running app', () => {
    expect(judge(signedBy(release({ version: '0.1.5' }), own), { seen })).toEqual({ verdict: { outcome: 'rollback' }, seen })
  })
  test('the update check refuses a release older than the running app', () => expect(outcome(good, { current: '0.3.0' })).toBe('rollback'))
  test('the update check refuses a release.json that is older than the newest one it has seen for the same version', () => {
    expect(outcome(signedBy(release({ issuedAtMs: issuedAtMs - 1, validUntilMs: issuedAtMs + 30 * day }), own), { seen })).toBe('rollback')
  })
  test('the update check accepts the same release.json again, and also a later release.json of the same version', () => {
    expect(outcome(good, { seen })).toBe('newer')
    const later = { issuedAtMs: issuedAtMs + 1, validUntilMs: issuedAtMs + 30 * day }
    expect(judge(signedBy(release(later), own), { seen }).seen).toEqual({ version: '0.2.0', issuedAtMs: issuedAtMs + 1 })
  })
  test('the update check refuses an expired release.json, but remembers the version that it names', () => {
    expect(outcome(good, { nowMs: issuedAtMs + 35 * day })).toBe('newer')
    expect(judge(good, { nowMs: issuedAtMs + 35 * day + 1 })).toEqual({ verdict: { outcome: 'stale' }, seen })
  })
  test('the update check refuses an expired release.json even if this computer’s clock is set to the past', () => {
    expect(outcome(good, { nowMs: issuedAtMs - day })).toBe('newer')
    expect(judge(good, { nowMs: issuedAtMs - day - 1 })).toEqual({ verdict: { outcome: 'clock_behind' }, seen: null })
    const newest = { version: '0.3.0', issuedAtMs: issuedAtMs + 60 * day }
    expect(outcome(good, { nowMs: issuedAtMs, seen: newest })).toBe('clock_behind')
  })
})

test('the update check offers no release of the running version, for another system or of another app', () => {
  expect(outcome(good, { current: '0.2.0' })).toBe('current')
  expect(outcome(good, { arch: 'arm64' })).toBe('no_file')
  expect(outcome(good, { kind: 'deb' })).toBe('no_file')
  expect(outcome(signedBy(release({ product: 'other' }), own))).toBe('other_app')
})

test('after the signing keys of releases change, builds with the old or the new key accept a release that both keys signed', () => {
  const both = signedBy(release(), own, next)
  for (const keys of [[own.pinned], [next.pinned], [own.pinned, next.pinned]]) expect(outcome(both, { keys })).toBe('newer')
  expect(outcome(signedBy(release(), next), { keys: [own.pinned] })).toBe('unsigned')
})

test('the update check reports if the newest release no longer supports the running version', () => {
  const unsupported = (minimum: string) => {
    const { verdict } = judge(signedBy(release({ minimum }), own))
    return verdict.outcome === 'newer' && verdict.isUnsupported
  }
  expect([unsupported('0.1.1'), unsupported('0.1.0')]).toEqual([true, false])
})

test('the update check compares release versions by number, not as text, so that 0.9.10 is newer than 0.9.9', () => {
  expect(['0.10.0', '0.9.9', '1.0.0', '0.9.10'].toSorted(compareVersions)).toEqual(['0.9.9', '0.9.10', '0.10.0', '1.0.0'])
})

test('the app’s build accepts only Ed25519 public keys for checking releases', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  expect(() => readPublicKey(other)).toThrow('Ed25519')
  expect(() => readPublicKey('AAAA')).toThrow()
})
