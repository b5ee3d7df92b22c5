import { fillers, phrases, synonyms } from './vocabulary.ts'

/** Normalises a name, so that `tickSize`, `tick_size` and `tick-size` become equal. */
export const canonical = (name: string): string => name.replace(/[_\-\s.]/g, '').toLowerCase()

/** Maximum number of characters of a name that the app reads. */
const longestName = 120

/** Matches one word of a name. The first alternative separates the letter of a candle value from the scale that follows: `LE8` becomes l, e8. */
const token = /(?<![A-Za-z])[OHLCV](?=[EX]\d{1,2}(?![A-Za-z0-9]))|(?:1)?[eExX]\d{1,2}(?![A-Za-z0-9])|\d+[hdwmy](?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

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

/** The phrases by their first word, each list in the order of the vocabulary. */
const phrasesFrom = Map.groupBy(phrases, ([[first = '']]) => first)

function withPhrases(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let place = 0; place < words.length; ) {
    const word = words[place]
    const found = phrasesFrom.get(word ?? '')?.find(([phrase]) => startsWith(words, place, phrase))
    if (found !== undefined) joined.push(...found[1])
    else if (word !== undefined) joined.push(word)
    place += found?.[0].length ?? 1
  }
  return joined
}

/**
 * Splits a lower-case name without separators into known words: `markprice` becomes mark, price. Needs at most as many steps as the name's length
 * times the longest word's length.
 */
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

/** Returns the words of a name as the service spells them, but in lower case and singular: `orderIds` becomes order, id. */
export const spelledWords = (name: string): readonly string[] => partsOf(name).map(singular)

/**
 * Returns the words of a name in the app's own vocabulary: `avgEntryPx` gives average, entry, price. `known`: words at which to split names without
 * separators.
 */
export function wordsOf(name: string, known: ReadonlySet<string>): readonly string[] {
  const words = partsOf(name).flatMap((part) => cutGlued(part, known))
  return withPhrases(words.flatMap(meaning)).filter((word) => !fillers.has(word))
}

/** Returns a key for a set of words. The order of the words does not matter. */
export const keyOf = (words: readonly string[]): string => (words.length === 1 && words[0] !== undefined ? words[0] : [...new Set(words)].sort().join(' '))

/**
 * Everyday synonyms, one meaning per line. They are too imprecise for reading answers automatically. They only help to suggest a field to the user,
 * who then sees the field's value.
 */
const lines: readonly string[] = [
  'price rate quote level',
  'fee charge commission cost',
  'size quantity lot volume',
  'value worth exposure',
  'amount value sum',
  'balance gross holding held',
  'total overall gross sum issued',
  'locked frozen reserved hold encumbered blocked use',
  'free available spare idle unused transferable withdrawable cashable room',
  'margin collateral',
  'liquidation forced bankruptcy closeout',
  'unrealised open paper floating upl',
  'realised booked closed',
  'pnl upl profit gain result',
  'interest outstanding exposure',
  'volume traded turnover',
  'change move return difference',
  'high top highest peak',
  'low bottom lowest trough',
  '24h day daily 1d',
  'yearly yield return annual interest',
  'utilisation usage lent borrowed used',
  'asset pool fund aum',
  'share unit lp',
  'circulating float circulation',
  'supply token issued outstanding',
  'burned burnt destroyed removed',
  'staked bonded locked delegated',
  'holder owner wallet member',
  'max cap most largest ceiling limit',
  'min least smallest floor',
  'leverage multiplier gearing',
  'created born inserted opened started added c',
  'updated modified changed u',
  'next upcoming due coming',
  'expiry until end deadline valid',
  'used seen use',
  'start begin began since from',
  'name label title memo nickname alias',
  'token asset currency coin ccy',
  'executor operator relayer runner bot',
  'agent delegate bot',
  'url destination target callback endpoint address',
  'ip from remote source',
  'event what activity action kind topic',
  'status state phase stage lifecycle progress code',
  'reason cause why detail because',
  'client customer user cl',
  'order ord',
  'side direction way',
  'closed closure exit end',
  'id number no ref tid ticket',
  'key kid credential',
  'block height depth',
  'history series past timeline sample',
  'preparation draft pending ticket',
]

const groupsOf = new Map<string, Set<number>>()
lines.forEach((line, group) => {
  for (const word of line.split(' ')) groupsOf.set(word, (groupsOf.get(word) ?? new Set()).add(group))
})

export const areRelated = (one: string, other: string): boolean => {
  const groups = groupsOf.get(one)
  return groups !== undefined && [...(groupsOf.get(other) ?? [])].some((group) => groups.has(group))
}

/** Normalises text to lower-case words separated by spaces, so that `PartiallyFilled`, `PARTIALLY_FILLED` and `partially-filled` become equal. */
const plain = (value: unknown): string =>
  typeof value === 'string' && value.length <= 60
    ? value
        .trim()
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/[_\-\s.]+/g, ' ')
        .toLowerCase()
    : ''

/** Text that consists of one word, such as `Long` or `LONG`, and so needs only lower case to be normalised. */
const oneWord = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/

/** Maps a word of the service to its meaning, such as a side or a status. `undefined` for a word that the class does not contain. */
export interface WordClass<W extends string> {
  (value: unknown): W | undefined
  readonly meanings: readonly W[]
}

/**
 * Creates a class of words. `meanings`: for each meaning, the words that services use. `about`: subjects that may precede a word, as in
 * `ORDER_STATUS_FILLED`.
 */
export function wordClass<W extends string>(about: readonly string[], meanings: Readonly<Record<W, readonly string[]>>): WordClass<W> {
  const known = new Map<string, W>()
  for (const [meaning, words] of Object.entries(meanings) as [W, readonly string[]][]) for (const word of [plain(meaning), ...words]) known.set(word, meaning) // the cast is safe: the keys of `meanings` are `W`
  const subjects = about.map((subject) => `${subject} `)
  const meaningOf = (value: unknown): W | undefined => {
    // Most services write a word exactly as the class does.
    const same = typeof value === 'string' ? (known.get(value) ?? (oneWord.test(value) ? known.get(value.toLowerCase()) : undefined)) : undefined
    if (same !== undefined) return same
    const written = plain(value)
    const bare = subjects.find((subject) => written.startsWith(subject))
    return known.get(written) ?? (bare === undefined ? undefined : known.get(written.slice(bare.length)))
  }
  return Object.assign(meaningOf, { meanings: Object.keys(meanings) as W[] }) // the cast is safe: the keys of `meanings` are `W`
}

export const sides = wordClass(['side', 'position side', 'pos side', 'order side', 'trade side', 'direction', 'position', 'order'], {
  long: ['buy', 'bid', 'b', 'l', 'bull', 'bullish', 'bought', 'buyer', 'buying', '+1', '+'],
  short: ['sell', 'ask', 'offer', 's', 'a', 'bear', 'bearish', 'sold', 'seller', 'selling', '-1', '-'],
})

export const orderTypes = wordClass(['order type', 'ord type', 'type', 'order'], {
  market: ['mkt', 'at market', 'market order'],
  limit: ['lmt', 'limit order'],
  stop: ['stop market', 'stp', 'stop order', 'stop mkt'],
})

export const marginModes = wordClass(['margin mode', 'margin type', 'margin', 'mode'], {
  cross: ['crossed', 'cross margin', 'shared', 'crossing'],
  isolated: ['iso', 'segregated', 'isolated margin', 'separate', 'separated'],
})

export const timesInForce = wordClass(['time in force', 'tif', 'order'], {
  gtc: ['good till cancelled', 'good till canceled', 'good until cancelled', 'good until canceled', 'good till cancel'],
  ioc: ['immediate or cancel', 'fill and kill', 'fak'],
  fok: ['fill or kill', 'all or none'],
})
