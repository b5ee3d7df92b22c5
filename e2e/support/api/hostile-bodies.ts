const size = 7 * 1_048_576
const full = (unit: string): string => unit.repeat(Math.floor(size / unit.length))
const nested = (open: string, close: string, depth: number, inner = '1'): string => `${open.repeat(depth)}${inner}${close.repeat(depth)}`

/** Response bodies of 7 MiB that are not what the API document describes, by what they are. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  'one endless word': () => full('a'),
  'one endless text': () => `{"message":"${full('a')}"}`,
  'an endless text and nothing else': () => `"${full('a')}"`,
  'an endless secret': () => `{"message":"SVC${full('a1')}"}`,
  'endless beginnings of secrets': () => full('SVC-'),
  'an endless signature': () => `"0x${full('ab')}`,
  'an endless number': () => `{"id":${full('1')}}`,
  'an endless text under a secret name': () => `{"api_key":"${full('\\n')}`,
  'endless blanks after a name': () => `{"api_key"${full(' ')}`,
  'endless opening brackets': () => full('['),
  'endless names': () => full('{"a":'),
  'a million empty lists': () => `[${full('[],').slice(0, -1)}]`,
  'lists 100,000 deep': () => `{"success":true,"a":${nested('[', ']', 100_000)}}`,
  'objects 100,000 deep, with a long number': () => `{"success":true,"id":12345678901234567890,"a":${nested('{"a":', '}', 100_000)}}`,
  'an error 100,000 deep': () => nested('{"error":', '}', 100_000, '"CODE_DEEP_INSIDE"'),
}

export const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = (count: number, name: (index: number) => string, make: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [name(index), make(index)]))
export const row = (index: number) => ({
  id: index,
  order_id: index,
  pair_id: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  mark_price: '65000.5',
  created_at: 1_790_000_000,
})
const within = (depth: number, name: (index: number) => string, inner: unknown): unknown =>
  depth === 0 ? inner : { [name(depth)]: within(depth - 1, name, inner) }

/** JSON whose records are as expensive to read as possible, by what it is. */
export const hostileRecords: Readonly<Record<string, () => unknown>> = {
  'records that cannot be read': () => ({ data: many(50_000, () => ({})) }),
  'more columns than rows fill': () => ({ columns: many(100_000, (index) => `c${index}`), rows: many(100_000, () => []) }),
  'many places for one field, and as many that tell its unit': () => ({
    data: {
      ...named(
        8_000,
        (index) => `d${index}_unit`,
        () => 'usdc',
      ),
      ...named(
        4_000,
        (index) => `g${index}`,
        () => ({ mark_price: '15', equity: '7', equity_decimals: 3, unit: 'usdc' }),
      ),
    },
  }),
  'records of different names': () => ({
    data: many(60, (at) =>
      named(
        600,
        (index) => `f${at}_${index}`,
        () => 'long',
      ),
    ),
  }),
  'records that no plan is kept for': () => ({ data: many(4_000, (index) => ({ ...row(index), token: `SVC${index}0123456789abcdef` })) }),
  'many places deep inside': () => ({
    data: [
      {
        ...row(1),
        deep: within(
          60,
          (depth) => `g${depth}`,
          named(
            19_000,
            (index) => `mark_price_${index}`,
            () => 1,
          ),
        ),
      },
    ],
  }),
  'many places below long names': () => ({
    data: [
      {
        ...row(1),
        deep: within(
          60,
          (depth) => `${'n'.repeat(30_000)}${depth}`,
          named(
            19_000,
            (index) => `k${index}`,
            () => 1,
          ),
        ),
      },
    ],
  }),
}
