import { expect, test } from 'vitest'
import type { ReportLine } from '../../../shared/ipc/reads/account-history.ts'
import { heightOf, resultCurve, spanOf } from './equity-panel.tsx'

const line = (name: string | null, net: string | null): ReportLine => ({ name, net, realised: net, fees: '0', funding: '0', trades: 1, closed: 1, untold: 0 })
const whole = (lines: ReportLine[]) => ({ lines, wholeFromMs: null })
const now = Date.UTC(2026, 10, 22, 10)

test('the account’s result curve shows every day, even one without a result; the total is unknown after a day with an unknown result [ERR-02]', () => {
  const points = resultCurve(whole([line('2026-11-22', '0.1'), line('2026-11-20', '0.2'), line(null, '99'), line('2026-11-21', null)]), now, null)
  expect(points).toEqual([
    { isRead: true, day: '2026-11-20', net: '0.2', sum: '0.2' },
    { isRead: true, day: '2026-11-21', net: null, sum: null },
    { isRead: true, day: '2026-11-22', net: '0.1', sum: null },
  ])
})

test('the result curve has neither a result nor a total for days of which the app has not read every row', () => {
  const lines = [line('2026-11-22', '0.1'), line('2026-11-21', '0.2'), line('2026-11-20', '0.4')]
  const readBackTo = (wholeFromMs: number) =>
    resultCurve({ lines, wholeFromMs }, now, Date.UTC(2026, 10, 19)).map(({ day, isRead, net, sum }) => [day, isRead, net, sum])
  expect(readBackTo(Date.UTC(2026, 10, 20, 15))).toEqual([
    ['2026-11-19', false, null, null],
    ['2026-11-20', false, null, null],
    ['2026-11-21', true, '0.2', '0.2'],
    ['2026-11-22', true, '0.1', '0.3'],
  ])
  expect(readBackTo(now).map(([, isRead]) => isRead)).toEqual([false, false, false, false])
})

test('a day without trades adds nothing to the result curve’s total', () => {
  expect(resultCurve(whole([line('2026-11-22', '0.1'), line('2026-11-20', '0.2')]), now, null).map(({ sum }) => sum)).toEqual(['0.2', '0.2', '0.3'])
})

test('the result curve starts at the requested day, is flat without data, and covers at most 400 days', () => {
  expect(resultCurve(whole([]), now, now - 2 * 86_400_000).map(({ sum }) => sum)).toEqual(['0', '0', '0'])
  const long = resultCurve(whole([line('2020-01-01', '5')]), now, null)
  expect([long.length, long[0]?.sum]).toEqual([400, '5'])
})

test('the result curve’s scale runs from the lowest to the highest value, and always includes 0', () => {
  const span = spanOf(['5', '-15'])
  expect(span).toEqual({ low: '-15', high: '5' })
  expect(['5', '0', '-15'].map((value) => heightOf(value, span))).toEqual([0, 250, 1_000])
  expect(spanOf([])).toEqual({ low: '0', high: '1' })
})
