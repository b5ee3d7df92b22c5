import { expect, test } from 'vitest'
import { readCommandLine } from '../commands/command-line.ts'
import { meant } from './choose.ts'

test.each([
  ['order.filed', 'order.filled'],
  ['order.canceled', 'order.cancelled'],
  ['Order.Filled', 'order.filled'],
  ['liquidations', 'liquidation'],
])('the terminal program svc-desk suggests the right word for the typo %s: %s', (typed, wanted) => {
  expect(meant(typed, ['order.accepted', 'order.filled', 'order.cancelled', 'liquidation'])).toBe(` Did you mean ${wanted}?`)
})

test('for a mistyped word, svc-desk suggests no correction if no known word is similar', () => {
  expect([meant('invoice.paid', ['order.filled']), meant('ab', ['cd']), meant('x', [])]).toEqual(['', '', ''])
})

test.each([
  ['listen --forward-to http://localhost:3000/hook', 'Unknown option --forward-to. Did you mean --forward? Run `svc-desk help listen`.'],
  ['listen --web-hook w1', 'Unknown option --web-hook. Did you mean --webhook? Run `svc-desk help listen`.'],
  ['listne', 'Unknown command listne. Did you mean listen? Run `svc-desk --help`.'],
  ['pay', 'Unknown command pay. Run `svc-desk --help`.'],
])('the terminal program svc-desk explains the mistake in the command line: %s: %s', (line, sentence) => {
  expect(readCommandLine(line.split(' '))).toEqual({ ok: false, failure: sentence })
})
