import { expect, test } from 'vitest'
import { forms, lookAlikes, type Pick, seeded, shapes } from '../../../e2e/support/leaks/corpus.ts'
import { Secret } from '../../kernel/secret.ts'
import { createDetector, type Spot } from './detector.ts'
import { textOf } from './files/walk.ts'
import { createFingerprints, type Fingerprints } from './scan-job.ts'

const rounds = 6
const nobody = createFingerprints()

function spotsIn(content: string | Buffer, fingerprints: Fingerprints): Spot[] {
  const text = textOf(Buffer.from(content)) ?? expect.fail('taken for a binary file')
  const spots: Spot[] = []
  const detector = createDetector(fingerprints, (spot) => spots.push(spot))
  detector.push(text)
  detector.end()
  return spots
}

interface Tally {
  planted: number
  found: number
}

function tally(isFound: (content: string | Buffer, key: string, form: string) => boolean): {
  readonly all: number
  readonly missed: Readonly<Record<string, string>>
} {
  const byForm = new Map<string, Tally>()
  const pick: Pick = seeded(20_261_124)
  for (const [name, form] of Object.entries(forms)) {
    const counts: Tally = { planted: 0, found: 0 }
    byForm.set(name, counts)
    for (const shape of Object.values(shapes))
      for (let round = 0; round < rounds; round += 1) {
        const key = `SVC${shape(pick)}`
        if (!/\d/.test(key)) continue
        counts.planted += 1
        if (isFound(form(key, pick), key, name)) counts.found += 1
      }
  }
  const counts = [...byForm.values()]
  const planted = counts.reduce((sum, one) => sum + one.planted, 0)
  const found = counts.reduce((sum, one) => sum + one.found, 0)
  const missed = [...byForm].filter(([, one]) => one.found < one.planted).map(([name, one]) => [name, `${one.found} of ${one.planted}`] as const)
  return { all: found / planted, missed: Object.fromEntries(missed) }
}

test('the leak scan’s test files cover at least 50 ordinary kinds of file, 11 forms of keys and 30 look-alikes', () => {
  expect(Object.keys(forms).length).toBeGreaterThanOrEqual(50)
  expect(Object.keys(shapes)).toHaveLength(11)
  expect(Object.keys(lookAlikes).length).toBeGreaterThanOrEqual(30)
})

test('in ordinary files, the leak scan finds at least 95 % of the keys whose secrets are not stored on this computer [F4]', () => {
  const { all, missed } = tally((content, _, form) => spotsIn(content, nobody).length >= (form === 'list of keys' ? 2 : 1))
  expect(all, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.95)
})

test('in ordinary files, the leak scan finds at least 99.5 % of the keys stored on this computer, even in base64 with line breaks [F8]', () => {
  const { all, missed } = tally((content, key) => {
    const fingerprints = createFingerprints()
    fingerprints.learn([{ keyId: 'own', wallet: '0xa', secret: new Secret(key) }])
    return spotsIn(content, fingerprints).some(({ recognised }) => recognised?.keyId === 'own')
  })
  expect(all, JSON.stringify(missed)).toBeGreaterThanOrEqual(0.995)
})

test.each([64, 76])('the leak scan finds secrets of each kind in base64 with lines of %i characters, wherever the line breaks fall [F8]', (width) => {
  const secrets = ['SVC9b1f6a0c3e7d52884af0c6b1e93d7250', 'svcds1.q7Vx2LmZr9TbYc4HnKd8PwEs5JgUa3Rf6Xo1MiCvBtN', 'svc_whsec_Zk3vQ9xB7mT2rYc5LnHd8PwE4sJgUa6R']
  const fingerprints = createFingerprints()
  fingerprints.learn(secrets.map((secret, at) => ({ keyId: `k${at}`, wallet: '0xa', secret: new Secret(secret) })))
  for (const indent of ['', '    '])
    for (const [at, secret] of secrets.entries())
      for (let before = 0; before < width + 3; before += 1) {
        const written = Buffer.from(`${'#'.repeat(before)}${secret}\n`)
          .toString('base64')
          .replace(new RegExp(`.{${width}}`, 'g'), `$&\n${indent}`)
        const [spot] = spotsIn(`data:\n${indent}${written}\n`, fingerprints)
        expect(spot?.recognised?.keyId, `${before} bytes before, ${indent.length} spaces`).toBe(`k${at}`)
      }
})

test.each(Object.entries(lookAlikes))('the leak scan finds nothing in text that only looks like a key: %s [F8]', (_, lookAlike) => {
  const pick = seeded(7)
  for (let round = 0; round < 20; round += 1) {
    const text = lookAlike(pick)
    expect(spotsIn(`${text}\nname: ${text} "${text}"\n`, nobody), text).toEqual([])
  }
})

test.each([0, 64, 76])('the leak scan finds no key in 10 MB of random base64 with lines of %i characters', (width) => {
  const pick = seeded(width + 1)
  const bytes = Buffer.from(Uint32Array.from({ length: 1_875_000 }, () => pick(2 ** 32)).buffer).toString('base64')
  const text = width === 0 ? bytes : bytes.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
  expect(text.length).toBeGreaterThanOrEqual(10_000_000)
  expect(text.split('SVC').length).toBeGreaterThan(20)
  expect(spotsIn(text, nobody)).toEqual([])
})
