import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { createLog } from './log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const clock = { now: () => 0, monotonic: () => 0 }
const canaries = ['SVCcanary0123456789abcdef', 'svcds1.canary-0123456789', 'svc_whsec_canary0123456789']

test('the app’s log stores an error under a reference, after removing secrets from every part of the error [AUTH-09]', () => {
  const file = join(folder, 'logs/main.log')
  const log = createLog({ file, clock })
  for (const secret of canaries) {
    const cause = new Error(`inner ${secret}`)
    log.error('e-1', 'keys.create', new Error(`outer ${secret}`, { cause }))
    log.error('e-2', 'keys.create', { apiKey: secret, text: `${secret}` })
    log.note('start', { where: `/x?key=${secret}`, nested: { developer_session: secret } })
  }
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('canary')
  expect(text.split('\n').filter(Boolean)).toHaveLength(9)
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    at: '1970-01-01T00:00:00.000Z',
    level: 'error',
    reference: 'e-1',
    what: 'keys.create',
    error: { name: 'Error', message: expect.stringMatching(/^outer SVC/), cause: { message: expect.stringMatching(/^inner SVC/) } },
  })
  expectMode(file, 0o600)
})

test('the app’s log consists of at most one current and one old file, each of at most 1 MiB', () => {
  const file = join(folder, 'main.log')
  const log = createLog({ file, clock })
  for (let count = 0; count < 400; count += 1) log.note('x'.repeat(10_000))
  expect(readdirSync(folder).sort()).toEqual(['main.log', 'main.log.old'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_048_576)
})

test('the app keeps running if it cannot write to its log', () => {
  const log = createLog({ file: join(folder, 'main.log', '\0'), clock })
  expect(() => log.error('e-1', 'x', new Error('y'))).not.toThrow()
})
