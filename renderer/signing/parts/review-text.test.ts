import { expect, test } from 'vitest'
import type { ComparisonLine } from '../../../shared/ipc/intents/comparison-lines.ts'
import { emptySide } from '../../parts/line-value.tsx'
import { settledText, verdictWords } from './review-text.ts'

const line = (part: Partial<ComparisonLine>): ComparisonLine => ({
  ...{ id: 'function', group: 'order', asked: 'Cancel the long order', signed: 'cancelOrder(1)', unit: null, field: 'data' },
  ...{ verdict: 'match', remark: null },
  ...part,
})

test('says that a value is missing from the message or from the request if only the other contains it', () => {
  const unasked = line({ id: 'orderNonce', asked: null, signed: '17954', verdict: 'absent', remark: { code: 'time_of_now' } })
  const unsaid = line({ id: 'slippage', asked: '0.5 %', signed: null, verdict: 'unmatched' })
  expect(emptySide(unasked)).toBe('Not in your request')
  expect(emptySide(unsaid)).toBe('Not in the message')
  expect(settledText(unasked)).toBe('not requested, and harmless')
  expect(settledText(line({ signed: null, verdict: 'absent' }))).toBe('not in the message, and not needed there')
})

test('never says about an unknown function that the transaction does nothing else', () => {
  const said = (verdict: ComparisonLine['verdict']) =>
    verdictWords(
      // The cast is safe: `verdictWords` reads only the lines, and whether there is a transaction.
      { comparison: { lines: [line({ verdict })] }, transaction: { word: null } } as unknown as Parameters<typeof verdictWords>[0],
      { asks: null, phrase: null, contracts: [] },
    )
  expect(said('match')).toBe('The transaction does nothing else.')
  expect(said('absent')).toBe('The transaction carries nothing else.')
})
