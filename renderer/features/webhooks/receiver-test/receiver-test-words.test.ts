import { expect, test } from 'vitest'
import type { ReceiverTestCheck, ReceiverTestRun } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { answersText, shortWhy, verdictWords } from './receiver-test-panel.tsx'

const checkOf = (result: ReceiverTestCheck['result'], over: Partial<ReceiverTestCheck> = {}): ReceiverTestCheck => ({
  ...{ id: 'valid', rule: 'HOOK-08', result, why: { code: 'taken', count: 1, retried: 0 }, exchanges: [] },
  ...over,
})
const runOf = (verdict: ReceiverTestRun['verdict'], results: readonly ReceiverTestCheck['result'][], planned = results.length) => ({
  verdict,
  checks: results.map((result) => checkOf(result)),
  planned: Array.from({ length: planned }, () => 'valid' as const),
})
const exchange = (
  status: number | null,
  ms: number,
  altered: ReceiverTestCheck['exchanges'][number]['sent']['altered'] = null,
): ReceiverTestCheck['exchanges'][number] => ({
  sent: { type: 'order.filled', eventId: 'evt_1', attempt: 1, timestampS: 1_800_000_000, bytes: 200, altered },
  answered: { outcome: status === null ? 'late' : 'answered', status, code: '', ms, said: '' },
})

test('the receiver test reports checks with an unknown result as unknown, never as passed', () => {
  expect(verdictWords(runOf('passed', ['passed', 'passed']))).toMatchObject({ tone: 'ok', words: 'all pass' })
  expect(verdictWords(runOf('passed', ['passed', 'unknown', 'unknown']))).toMatchObject({ tone: 'neutral', words: '1 pass, 2 unknown' })
  expect(verdictWords(runOf('failed', ['passed', 'failed', 'unknown']))).toMatchObject({ tone: 'warn', words: '1 of 3 pass' })
  expect(verdictWords(runOf('stopped', ['passed', 'unknown']))).toMatchObject({ tone: 'neutral', words: 'stopped, 1 passed' })
  expect(verdictWords(runOf(null, ['passed', 'unknown'], 22))).toMatchObject({ tone: 'neutral', words: '2 of 22' })
  expect(verdictWords(runOf(null, ['failed'], 22))).toMatchObject({ tone: 'warn', words: '1 of 22' })
})

test('the receiver test sums up the answers to a passed check briefly, and explains a failed check in one line', () => {
  expect(answersText(checkOf('passed', { exchanges: [exchange(204, 38)] }))).toBe('204, 38 ms')
  expect(answersText(checkOf('passed', { exchanges: [exchange(200, 3), exchange(200, 5)] }))).toBe('2 × 200')
  expect(answersText(checkOf('passed', { exchanges: [exchange(500, 3), exchange(200, 5)] }))).toBe(null)
  expect(answersText(checkOf('passed', { exchanges: [exchange(401, 3, 'no_signature'), exchange(400, 5, 'no_digits')] }))).toBe('401, 400')
  for (const result of ['failed', 'unknown'] as const) expect(answersText(checkOf(result, { exchanges: [exchange(204, 3)] }))).toBe(null)
  expect(shortWhy(checkOf('failed', { id: 'wrong_signature', why: { code: 'forged_taken', got: { outcome: 'answered', status: 204, code: '' } } }))).toBe(
    'Answered 204, expected a refusal such as 401',
  )
  expect(
    shortWhy(
      checkOf('failed', {
        id: 'event_types',
        why: { code: 'not_taken', count: 11, types: ['order.filled'], got: { outcome: 'answered', status: 500, code: '' }, attempt: 1 },
      }),
    ),
  ).toBe('order.filled: answered 500, expected 2xx')
  expect(shortWhy(checkOf('unknown', { why: { code: 'nothing_answered' } }))).toBe('Nothing was answered')
})
