import type { Faults } from '../../base/faults.ts'
import { unlisted } from './distort.ts'

export type Shape = Omit<Faults['shapes'][number], 'route'>

type Leaf = string | number | boolean | null

/** Names of fields that contain text for people, for example a label. Such a text may come from another person. */
const labels = new Set([
  'label',
  'symbol',
  'base',
  'quote',
  'name',
  'reason',
  'history_sources',
  'client_order_id',
  'liquidation_state',
  'order_type',
  'status',
])

const endings: readonly string[] = [
  // A character that reverses the direction of the following text, and invisible characters.
  '\u202Eevil\u2066\u200B\u2069\u202C\u200F',
  // Control characters, a terminal escape sequence, line breaks and a line separator.
  '\u0000\u0007\u001B[31m\r\n\t\u007F\u0085\u2028',
  // 10 KB of text without a place to break the line.
  'W'.repeat(10_240),
  '<img src=x onerror=window.planted=1;alert(1)>&lt;b&gt;{{7*7}}"\'`',
  // A letter with many combining marks, and a family emoji: each shows as one character but consists of many code points.
  `Z${'\u0301\u0316'.repeat(40)}👩‍👩‍👧‍👦`,
  ' שלום עולם مرحبا بالعالم',
  'ВТС-РЕRР',
  // Links that run code, and a cell that a spreadsheet would execute.
  ' javascript:window.planted=1',
  ' <a href="javascript:window.planted=1">x</a><script>window.planted=1</script><svg onload="window.planted=1"/>',
  ' data:text/html,<script>window.planted=1</script>',
  '\n=HYPERLINK("https://example.org/","x")',
]

/** Returns the body of a GET response, changed according to the fault. */
export function reshaped(body: unknown, { kind, third = 0 }: Shape): unknown {
  let labelled = 0
  const leafOf = (name: string, value: Leaf): Leaf => {
    switch (kind) {
      case 'swapped':
        return swapped(value)
      case 'nulls':
        return isStruck(name, third) ? null : value
      case 'labels': {
        if (typeof value !== 'string' || !labels.has(name)) return value
        labelled += 1
        return `${value}${endings[labelled % endings.length] ?? ''}`
      }
      case 'missing':
      case 'unknown':
        return value
    }
  }
  const through = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => through(name, each))
    if (typeof value !== 'object' || value === null) return leafOf(name, value as Leaf)
    const entries = Object.entries(value).filter(([inner, each]) => kind !== 'missing' || isContainer(each) || !isStruck(inner, third))
    const inside = Object.fromEntries(entries.map(([inner, each]) => [inner, through(inner, each)]))
    return kind === 'unknown' ? { ...inside, ...unlisted } : inside
  }
  return through('', body)
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

function swapped(value: Leaf): Leaf {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value
}

/**
 * True if the field's name belongs to the given third of all names. Every name belongs to exactly one third, so three responses, one for each third,
 * affect every field.
 */
const isStruck = (name: string, third: 0 | 1 | 2): boolean => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3 === third
