import { expect, test } from 'vitest'
import { findConditions } from './sentence-conditions.ts'

test.each([
  "if (line.remark === 'Nobody asked for this') refuse()",
  "const open = 'Over already' !== line.remark",
  "if (line.remark === emptyRemark || reason.startsWith('Could also be read as ')) ask()",
  "const own = asked?.startsWith('Router you pinned')",
  'rows.filter((row) => /liquidation/i.test(row.label))',
  "const none = line.asked === 'None'",
  "switch (it.text) { case 'It would never end': refuse() }",
  "const held = note.includes('it is looked up again')",
  'const called = row.label.match(/margin/)',
  'const mine = note === `The router is not pinned yet`',
])('the check for decisions that compare display text finds a decision in this code: %s', (source) => {
  expect(findConditions(source)).toEqual([{ line: 1, text: expect.any(String) }])
})

test.each([
  "if (line.remark?.code === 'unasked') refuse()",
  "if (line.code === 'two_scales' || path.startsWith('domain.')) block()",
  "const known = names.includes('take_profit')",
  "const text = line.asked === null ? 'Nobody asked for this' : line.asked",
  'const short = /^0x[0-9a-f]{40}$/.test(line.signed)',
  "const shown = text.replace(/^At most/, 'at most')",
])('the check for decisions that compare display text accepts code that compares codes or paths, or builds display text: %s', (source) => {
  expect(findConditions(source)).toEqual([])
})

test('the check for decisions that compare display text reports the line of each such decision, also in TSX files', () => {
  expect(findConditions("const Row = () => (\n  <b>{row.label === 'Fee' ? null : row.label}</b>\n)\n", true)).toEqual([{ line: 2, text: 'Fee' }])
})
