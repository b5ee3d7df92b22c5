import { expect, test } from 'vitest'
import { problemReport, type ReportFacts } from './about-chapter.tsx'

const facts: ReportFacts = {
  info: { version: '1.2.3', host: 'electron', platform: 'linux', hasProjectId: true, hasTray: true, seesScreenLock: true, hasTouchId: false },
  health: {
    service: 'up',
    serviceAgeMs: 12,
    outage: null,
    hosts: [{ which: 'first', host: 'api.secret-host.example', state: 'up', lastAnswerAgeMs: 5, answering: true }],
    stream: { state: 'polling', sinceMs: 0, nextTryAtMs: null, lastEventAtMs: null },
    keychain: 'ready',
    journal: 'ready',
  },
  status: { apiVersion: 'v1', schema: 'svc-dex-api-v1.1' },
  offsetMs: 41.6,
  kind: 'live',
  failures: [{ atMs: 0, endpoint: 'GET /api/dex/v1/account', status: 503, outcome: 'MARKET_DATA_STALE', requestId: 'req-7' }],
  commit: 'abcdef123456',
  agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.1 Electron/45.4.1 Safari/537.36',
  nowMs: 1_000,
}

test('the problem report names versions, states and the last error codes', () => {
  expect(problemReport(facts)).toBe(
    [
      'Svc Desk 1.2.3, commit abcdef123456',
      'system: linux, electron, Chrome/140.0.1, Electron/45.4.1',
      'time: 1970-01-01T00:00:01.000Z, exchange clock 42 ms ahead',
      'profile: live',
      'service: up, API v1, schema svc-dex-api-v1.1, stream polling',
      'hosts: first up (answering)',
      'keychain: ready, journal: ready',
      'failed requests, newest first:',
      '- 1970-01-01T00:00:00.000Z GET /api/dex/v1/account 503 MARKET_DATA_STALE request req-7',
    ].join('\n'),
  )
})

test('the problem report marks missing values as unknown or with “?”', () => {
  const nothing = { info: undefined, health: undefined, status: undefined, offsetMs: null, kind: null, failures: [], commit: null }
  expect(problemReport({ ...facts, ...nothing })).toContain('Svc Desk ?, commit unknown')
})

const canaries = ['SVCcanary0123456789abcdef', 'svcds1.canary-0123456789', 'svc_whsec_canary0123456789']
const address = '0xC0ffee254729296a45a3885639AC7E10F9d54979'

test.each([...canaries, address, `0x${'ab'.repeat(32)}`, `symKey=${'0f'.repeat(32)}`, `0x${'cd'.repeat(65)}`])(
  'the summary for a problem report leaves out %s, whichever part of the app it comes from [AUTH-09]',
  (secret) => {
    const failure = { atMs: 0, endpoint: `GET /x/${secret}`, status: 400, outcome: secret, requestId: secret }
    const report = problemReport({
      ...facts,
      info: { version: secret, host: 'electron', platform: secret, hasProjectId: true, hasTray: true, seesScreenLock: true, hasTouchId: false },
      status: { apiVersion: secret, schema: secret },
      failures: [failure],
      commit: secret,
      agent: `Chrome/1.2 ${secret}`,
    })
    for (const part of [secret, secret.slice(-12)]) expect(report.toLowerCase()).not.toContain(part.toLowerCase())
  },
)

test('the problem report names no host, and lists at most ten failures', () => {
  const report = problemReport({ ...facts, failures: Array.from({ length: 30 }, () => facts.failures).flat() })
  expect(report).not.toContain('secret-host')
  expect(report.match(/^- /gm)).toHaveLength(10)
})
