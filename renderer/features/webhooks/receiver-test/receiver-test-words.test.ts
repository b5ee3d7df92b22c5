import { expect, test } from 'vitest'
import type { ReceiverTestCheck, ReceiverTestRun } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { answersText, shortWhy, verdictWords } from './receiver-test-panel.tsx'

const checkOf = (result: ReceiverTestCheck['result'], over: Partial<ReceiverTestCheck> = {}): ReceiverTestCheck => ({
  ...{ id: 'valid', title: 'Takes a valid delivery', rule: 'HOOK-08', result, why: 'signed as the service does: answered 2xx', exchanges: [] },
  ...over,
})
const runOf = (verdict: ReceiverTestRun['verdict'], results: readonly ReceiverTestCheck['result'][], planned = results.length) => ({
  verdict,
  checks: results.map((result) => checkOf(result)),
  planned: Array.from({ length: planned }, (_, at) => ({ id: String(at), title: '' })),
})
const exchange = (status: number | null, ms: number, altered: string | null = null): ReceiverTestCheck['exchanges'][number] => ({
  sent: { type: 'order.filled', eventId: 'evt_1', attempt: 1, timestampS: 1_800_000_000, bytes: 200, altered },
  answered: { status, ms, text: String(status) },
})

test('what is unknown is told as such, never as passed', () => {
  expect(verdictWords(runOf('passed', ['passed', 'passed']))).toMatchObject({ tone: 'ok', words: 'all pass' })
  expect(verdictWords(runOf('passed', ['passed', 'unknown', 'unknown']))).toMatchObject({ tone: 'neutral', words: '1 pass, 2 unknown' })
  expect(verdictWords(runOf('failed', ['passed', 'failed', 'unknown']))).toMatchObject({ tone: 'warn', words: '1 of 3 pass' })
  expect(verdictWords(runOf('stopped', ['passed', 'unknown']))).toMatchObject({ tone: 'neutral', words: 'stopped, 1 pass' })
  expect(verdictWords(runOf(null, ['passed', 'unknown'], 22))).toMatchObject({ tone: 'neutral', words: '2 of 22' })
  expect(verdictWords(runOf(null, ['failed'], 22))).toMatchObject({ tone: 'warn', words: '1 of 22' })
})

test('a check says in two words what was answered, and in one line why not', () => {
  expect(answersText(checkOf('passed', { exchanges: [exchange(204, 38)] }))).toBe('204, 38 ms')
  expect(answersText(checkOf('passed', { exchanges: [exchange(200, 3), exchange(200, 5)] }))).toBe('2 × 200')
  expect(answersText(checkOf('passed', { exchanges: [exchange(500, 3), exchange(200, 5)] }))).toBe(null)
  expect(answersText(checkOf('passed', { exchanges: [exchange(401, 3, 'no signature'), exchange(400, 5, 'v1= alone')] }))).toBe('401, 400')
  for (const result of ['failed', 'unknown'] as const) expect(answersText(checkOf(result, { exchanges: [exchange(204, 3)] }))).toBe(null)
  expect(shortWhy(checkOf('failed', { why: 'a wrong signature: answered 204, where a refusal such as 401 is due' }))).toBe(
    'Answered 204, where a refusal such as 401 is due',
  )
  expect(shortWhy(checkOf('failed', { why: 'each of 11 types: order.filled: answered 500, where 2xx is due' }))).toBe(
    'order.filled: answered 500, where 2xx is due',
  )
  expect(shortWhy(checkOf('unknown', { why: 'nothing was answered' }))).toBe('Nothing was answered')
})
