const token = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Words for one thing; the first is the one that they are compared by. */
const synonyms = [
  'size qty quantity',
  'price px',
  'position pos',
  'order ord',
  'leverage lev',
  'amount amt',
  'max maximum',
  'side direction',
  'expiry expires expiration',
  'value val',
]
const meaning = new Map(synonyms.flatMap((line) => line.split(' ').map((word) => [word, line.split(' ')[0] ?? word])))

const unitWords: ReadonlySet<string> = new Set(
  'usdc usd cent pct percent percentage bps bip fraction ppm wei gwei base quote e x ms sec second minute hour day raw micro milli nano'.split(' '),
)

const singular = (word: string): string => (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word)

/** The words of a name as they are written, lower case and singular: `orderIds` is order, id. */
export const spelledWords = (name: string): readonly string[] => (name.slice(0, 120).match(token) ?? []).map((word) => singular(word.toLowerCase()))

/** The same with one word for each thing. */
export const meantWords = (name: string): readonly string[] => spelledWords(name).map((word) => meaning.get(word) ?? word)

/** The words of a name that say a unit. */
export const unitWordsOf = (name: string): readonly string[] => spelledWords(name).filter((word) => unitWords.has(word))
