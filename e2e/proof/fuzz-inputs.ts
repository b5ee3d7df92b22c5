/** A random number generator; the same seed gives the same numbers. */
export interface Dice {
  /** A random whole number from 0 to `below` - 1. */
  roll(below: number): number
  of<T>(list: readonly [T, ...T[]]): T
}

/** Creates a generator (mulberry32) from a seed. The seed is the number of an input, so a faulty input can be reproduced. */
export function createDice(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0
  const roll = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below) | 0
  }
  return { roll, of: (list) => list[roll(list.length)] ?? list[0] }
}

export interface Grammar {
  /** Valid inputs, from which random inputs are derived. */
  readonly seeds: readonly [string, ...string[]]
  /** Building blocks of the format, and texts on which parsers often fail. */
  readonly fragments: readonly [string, ...string[]]
  /** Maximum length of the text that the product passes to the parser, in characters. */
  readonly most: number
}

const hostile = [
  '\0',
  '\n',
  '\r\n',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\ud800',
  '\u202e',
  '\u2028',
  '\ufeff',
  'é',
  '😀',
  '__proto__',
  '1e999',
  '-0',
  'null',
  '0x',
  '%00',
] as const
const open: Readonly<Record<string, string>> = { '[': ']', '{': '}', '{"a":': '}', '(': ')', '<a>': '</a>', '{"a":[': ']}' }
const openings = ['[', '{', '{"a":', '(', '<a>', '{"a":['] as const

/** A random length. Most are short, so that many inputs can be tried; one in 40 is the parser’s maximum length. */
const length = (dice: Dice, most: number): number => Math.min(most, dice.roll(40) === 0 ? most : 1 + dice.roll(2 ** (1 + dice.roll(14))))

const filled = (unit: string, characters: number): string => unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters)

function mutated(dice: Dice, { seeds, fragments, most }: Grammar): string {
  let text = dice.of(seeds)
  for (let left = 1 + dice.roll(8); left > 0; left -= 1) {
    const at = dice.roll(text.length + 1)
    const end = Math.min(text.length, at + dice.roll(64))
    const [before, piece, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)]
    switch (dice.roll(6)) {
      case 0:
        text = before + after
        break
      case 1:
        text = before + filled(piece === '' ? 'x' : piece, length(dice, most)) + after
        break
      case 2:
        text = before + dice.of(fragments) + after
        break
      case 3:
        text = before + dice.of(hostile) + piece + after
        break
      case 4:
        text = before + String.fromCharCode(dice.roll(dice.roll(2) === 0 ? 256 : 65_536)) + text.slice(at + 1)
        break
      default:
        text = before + dice.of(seeds).slice(dice.roll(8)) + after
    }
    if (text.length > most) text = text.slice(0, most)
  }
  return text
}

/** A random text in the format of `grammar`, at most `grammar.most` characters long. The same state of `dice` gives the same text. */
export const draw = (dice: Dice, grammar: Grammar): string => drawn(dice, grammar).slice(0, grammar.most)

function drawn(dice: Dice, grammar: Grammar): string {
  const { fragments, most } = grammar
  switch (dice.roll(6)) {
    case 0:
      return Array.from({ length: Math.min(length(dice, most), 65_536) }, () => String.fromCharCode(dice.roll(256))).join('')
    case 1:
      return filled(dice.of(fragments), length(dice, most))
    case 2: {
      const opening = dice.of(openings)
      const depth = Math.min(dice.of([10, 1_000, 100_000]), Math.floor(most / (2 * opening.length)))
      return opening.repeat(depth) + (dice.roll(4) === 0 ? '' : filled(open[opening] ?? '', depth * (open[opening]?.length ?? 0)))
    }
    case 3:
      return filled(dice.of(fragments) + dice.of(hostile) + dice.of(fragments), length(dice, most))
    default:
      return mutated(dice, grammar)
  }
}
