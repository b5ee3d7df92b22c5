import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvTable } from './csv.ts'

function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = []
  let [cell, quoted, started] = ['', false, false]
  const text = csv.replace(/^\ufeff/, '')
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (character === '"' && !started) [quoted, started] = [true, true]
    else if (character === separator || character === '\n' || character === '\r') {
      cells.push(cell)
      ;[cell, started] = ['', false]
    } else {
      cell += character
      started = true
    }
  }
  return [...cells, cell]
}
const isFormula = (cell: string) => /^[\s"\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^[\s"\ufeff]*-\d+(\.\d+)?(,|$)/.test(cell)

test('the app writes no CSV cell that a spreadsheet could run as a formula, even if the spreadsheet splits lines at semicolons or tabs [F10] [V16]', () => {
  const piece = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', ';', '\t', ' ', '\n', '\r', '"', "'", ',', '\ufeff', 'a', '1', "cmd|' /C calc'!A0")
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, text, (one, other) => {
      const csv = csvTable(
        ['first', 'second'],
        [
          ['x', one],
          [other, 'y'],
        ],
      )
      for (const separator of [',', ';', '\t']) expect(cellsOf(csv, separator).filter(isFormula)).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  ['x;=1+1', "x;'=1+1"],
  ["a;=cmd|' /C calc'!A0", "a;'=cmd|' /C calc'!A0"],
  [' =1+1', " '=1+1"],
  ['＝1+1', "'＝1+1"],
  ['-12.5', '-12.5'],
  ['-12.5;1', "'-12.5;1"],
  ['bot 1', 'bot 1'],
])('the CSV export writes the cell %s as %s', (text, cell) => {
  expect(csvTable(['head'], [[text]])).toBe(`\ufeffhead\r\n${cell}\r\n`)
})

test('the app writes a CSV cell of only tabs and line breaks as fast as any other cell [F10]', () => {
  const text = '\t\r\n'.repeat(100_000)
  const startedMs = performance.now()
  expect(csvTable(['head'], [[text]])).toBe(`\ufeffhead\r\n"'${text}"\r\n`)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
})
