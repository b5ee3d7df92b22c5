import { expect, test } from 'vitest'
import { Remark } from '../ipc/intents/comparison-lines.ts'
import { remarkText } from './intent-text.ts'

test('the app has a text for every remark about a compared value, except the remark that the comparison line already states', () => {
  const plain = Remark.options.flatMap(({ shape: { code } }) => ('options' in code ? code.options : []))
  expect(plain.length).toBeGreaterThan(30)
  expect(plain.filter((code) => remarkText({ code }) === null)).toEqual(['no_limit'])
  expect(remarkText(null)).toBeNull()
})

test('the app includes the details of a remark about a compared value in the remark’s text, such as a ratio or a date', () => {
  expect(remarkText({ code: 'ratio', is: 'times', by: '10', of: 'order' })).toBe('10 times your order')
  expect(remarkText({ code: 'ratio', is: 'less', by: '0.5', of: 'stopLoss' })).toBe('0.5% less than your stop loss')
  expect(remarkText({ code: 'also', value: '2.5', unit: 'BTC' })).toBe('Could also be read as 2.5 BTC')
  expect(remarkText({ code: 'also', value: '2.5', unit: null })).toBe('Could also be read as 2.5')
  expect(remarkText({ code: 'outlives_key', endsAtMs: Date.UTC(2027, 1, 16) })).toBe('Longer than the key, which expires on 16 Feb 2027')
  expect(remarkText({ code: 'called', kind: 'approval' })).toBe('The service calls this an approval')
})
