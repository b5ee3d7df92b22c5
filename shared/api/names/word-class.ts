/** Words in lower case, apart by spaces: `PartiallyFilled`, `PARTIALLY_FILLED` and `partially-filled` are the same. */
const plain = (value: unknown): string =>
  typeof value === 'string' && value.length <= 60
    ? value
        .trim()
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/[_\-\s.]+/g, ' ')
        .toLowerCase()
    : ''

/** What a word of a class means; undefined: it is none of the class. */
export interface WordClass<W extends string> {
  (value: unknown): W | undefined
  readonly meanings: readonly W[]
}

/** A class of words: each meaning with the words that services write for it, and what it is about, which may stand before a word: `ORDER_STATUS_FILLED`. */
export function wordClass<W extends string>(about: readonly string[], meanings: Readonly<Record<W, readonly string[]>>): WordClass<W> {
  const known = new Map<string, W>()
  for (const [meaning, words] of Object.entries(meanings) as [W, readonly string[]][]) for (const word of [plain(meaning), ...words]) known.set(word, meaning) // its own keys
  const subjects = about.map((subject) => `${subject} `)
  const meaningOf = (value: unknown): W | undefined => {
    const written = plain(value)
    const bare = subjects.find((subject) => written.startsWith(subject))
    return known.get(written) ?? (bare === undefined ? undefined : known.get(written.slice(bare.length)))
  }
  return Object.assign(meaningOf, { meanings: Object.keys(meanings) as W[] }) // its own keys
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
