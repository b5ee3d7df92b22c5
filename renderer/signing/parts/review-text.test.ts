import { expect, test } from 'vitest'
import type { ComparisonLine } from '../../../shared/ipc/intents/comparison-lines.ts'
import { emptySide } from '../../parts/line-value.tsx'
import { settledText, verdictTone, verdictWords } from './review-text.ts'

const line = (part: Partial<ComparisonLine>): ComparisonLine => ({
  ...{ id: 'function', group: 'order', asked: 'Cancel the long order', signed: 'cancelOrder(1)', unit: null, field: 'data' },
  ...{ verdict: 'match', remark: null },
  ...part,
})

test('the comparison says “Not in the message” for a value only in the request, and “Not in your request” for one only in the message', () => {
  const unasked = line({ id: 'orderNonce', asked: null, signed: '17954', verdict: 'absent', remark: { code: 'time_of_now' } })
  const unsaid = line({ id: 'slippage', asked: '0.5 %', signed: null, verdict: 'unmatched' })
  expect(emptySide(unasked)).toBe('Not in your request')
  expect(emptySide(unsaid)).toBe('Not in the message')
  expect(settledText(unasked)).toBe('not requested, and harmless')
  expect(settledText(line({ signed: null, verdict: 'absent' }))).toBe('not in the message, and not needed there')
  expect(settledText(line({ verdict: 'absent', remark: { code: 'also', value: '0.0002', unit: 'BTC' } }))).toBe('can be read as requested')
})

test('the signing sheet never claims that a transaction with an unknown function does nothing else', () => {
  const said = (verdict: ComparisonLine['verdict']) =>
    verdictWords(
      // The cast is safe: `verdictWords` reads only the lines, and whether `transaction` is null.
      { comparison: { lines: [line({ verdict })] }, transaction: { word: null } } as unknown as Parameters<typeof verdictWords>[0],
      { asks: null, phrase: null, contracts: [] },
    )
  expect(said('match')).toBe('The transaction does nothing else.')
  expect(said('absent')).toBe('The transaction carries nothing else.')
})

test('the signing sheet does not ask the user to confirm the signing format if pressing Send accepts the format', () => {
  const said = (complete: boolean) =>
    verdictWords(
      // The cast is safe: `verdictWords` reads only the lines and their counts.
      { comparison: { lines: [line({})], matched: 1, total: 1 }, transaction: null } as unknown as Parameters<typeof verdictWords>[0],
      { asks: { kind: 'format', complete }, phrase: 'sign this layout', contracts: [] },
    )
  expect(said(false)).toBe('You must confirm the signing format once.')
  expect(said(true)).toBe('The message holds nothing else.')
})

test('the signing sheet shows the comparison as a warning only if something is unusual, and not just because the signing format is new', () => {
  const complete = { kind: 'format', complete: true } as const
  const all = { verdict: 'confirm', matched: 18, total: 18 } as const
  const asking = (asks: Parameters<typeof verdictTone>[1]['asks']) => ({ asks, phrase: 'sign it', contracts: [] })
  expect(verdictTone({ ...all, verdict: 'pass' }, { asks: null, phrase: null, contracts: [] })).toBe('ok')
  expect(verdictTone(all, asking(complete))).toBe('neutral')
  expect(verdictTone(all, asking({ ...complete, complete: false }))).toBe('warn')
  expect(verdictTone({ ...all, matched: 17 }, asking(complete))).toBe('warn')
  expect(verdictTone(all, asking({ kind: 'unknown_field', field: 'referrer', value: '0x01' }))).toBe('warn')
  expect(verdictTone(all, asking(null))).toBe('warn')
})

test('the signing sheet warns if a trusted contract changed, even if every line of the comparison matches', () => {
  // The casts are safe: `verdictTone` reads only the state of a contract.
  const contracts = (state: string) => [{ what: 'router', check: { state } }] as unknown as Parameters<typeof verdictTone>[1]['contracts']
  const all = { verdict: 'pass', matched: 18, total: 18 } as const
  expect(verdictTone(all, { asks: null, phrase: null, contracts: contracts('new') })).toBe('neutral')
  expect(verdictTone(all, { asks: null, phrase: null, contracts: contracts('changed') })).toBe('warn')
})
