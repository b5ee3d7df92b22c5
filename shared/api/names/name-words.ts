import { fillers, phrases, synonyms } from './vocabulary.ts'

/** `tickSize`, `tick_size` and `tick-size` are one name. */
export const canonical = (name: string): string => name.replace(/[_\-\s.]/g, '').toLowerCase()

/** Characters of a name that are looked at. */
const longestName = 120

/** First: a candle's letter before its scale, so that `LE8` is l, e8. */
const token = /(?<![A-Za-z])[OHLCV](?=[EX]\d{1,2}(?![A-Za-z0-9]))|(?:1)?[eExX]\d{1,2}(?![A-Za-z0-9])|\d+[hdwmy](?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** `price`, not `prices`. */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

const meaning = (word: string): readonly string[] => {
  if (Object.hasOwn(synonyms, word)) return synonyms[word] ?? [word]
  const one = singular(word)
  return Object.hasOwn(synonyms, one) ? (synonyms[one] ?? [one]) : [one]
}

const startsWith = (words: readonly string[], place: number, phrase: readonly string[]): boolean => phrase.every((word, index) => words[place + index] === word)

function withPhrases(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let place = 0; place < words.length; ) {
    const found = phrases.find(([phrase]) => startsWith(words, place, phrase))
    const word = words[place]
    if (found !== undefined) joined.push(...found[1])
    else if (word !== undefined) joined.push(word)
    place += found?.[0].length ?? 1
  }
  return joined
}

/** Words in lower case without separators, cut where known words meet: `markprice`. Linear in the name's length times the longest word. */
function cutGlued(word: string, known: ReadonlySet<string>): readonly string[] {
  if (word.length < 6 || word.length > 40 || known.has(word) || known.has(singular(word)) || Object.hasOwn(synonyms, word)) return [word]
  const best: (readonly string[] | null)[] = [[]]
  for (let end = 1; end <= word.length; end += 1) {
    best[end] = null
    for (let start = Math.max(0, end - 14); start < end; start += 1) {
      const head = best[start]
      if (head == null) continue
      const part = word.slice(start, end)
      if ((part.length < 2 || !(known.has(part) || known.has(singular(part)))) && !(part.length > 1 && Object.hasOwn(synonyms, part))) continue
      const current = best[end]
      if (current == null || head.length + 1 < current.length) best[end] = [...head, part]
    }
  }
  return best[word.length] ?? [word]
}

const partsOf = (name: string): readonly string[] =>
  (name.slice(0, longestName).replaceAll('PnL', 'Pnl').replaceAll('USDc', 'Usdc').match(token) ?? []).map((part) => part.toLowerCase())

/** The words of a name as they are written, in lower case and singular: `orderIds` is order, id. */
export const spelledWords = (name: string): readonly string[] => partsOf(name).map(singular)

/** The words that a name is made of, as the app writes them: `avgEntryPx` is average, entry, price. `known`: words to cut glued names at. */
export function wordsOf(name: string, known: ReadonlySet<string>): readonly string[] {
  const words = partsOf(name).flatMap((part) => cutGlued(part, known))
  return withPhrases(words.flatMap(meaning)).filter((word) => !fillers.has(word))
}

/** One text for the same words in any order. */
export const keyOf = (words: readonly string[]): string => [...new Set(words)].sort().join(' ')
