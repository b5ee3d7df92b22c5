import { type CaseStyle, isScaled, type Never, type NumberForm, type TimeUnit } from './forms.ts'
import type { IdFamily, IdForm } from './ids.ts'
import { createDraw, type Draw } from './seeded.ts'

/**
 * How the dialect writes numbers of one kind, such as prices. `decimals` applies to numbers that are written as whole numbers: with two decimals, 1.5
 * becomes 150.
 */
export interface Decimals {
  readonly form: NumberForm
  readonly decimals: number
  /** The word at the end of the field's name that shows the unit or the scale, such as `usdc` or `e6`; empty if the name contains no such word. */
  readonly word: string
}

export type PercentUnit = 'percent' | 'fraction' | 'bps'

/** A dialect: a randomly chosen format for everything that the API document does not define. Each property is chosen independently of the others. */
export interface Dialect {
  readonly seed: number
  readonly draw: Draw
  readonly style: CaseStyle
  readonly price: Decimals
  /** How amounts of USDC are written: in USDC, or in cents if `inCents`. */
  readonly usdc: Decimals & { readonly inCents: boolean }
  /**
   * How sizes are written: in the base asset or in USDC. The field name of a size in USDC contains `unitWord`. The exception is a position's size: if
   * `isNamed` is false, its name lacks that word, and only the position’s notional shows the unit. If `isOpen`, the notional is missing too, so
   * nothing shows the unit.
   */
  readonly size: Decimals & { readonly unit: 'base' | 'usdc'; readonly unitWord: 'usd' | 'usdc'; readonly isNamed: boolean; readonly isOpen: boolean }
  readonly token: Decimals
  readonly ratio: Decimals
  /** How percentages are written. If `isNamed` is false, nothing in the response shows their unit. */
  readonly percent: Decimals & { readonly unit: PercentUnit; readonly isNamed: boolean }
  readonly count: 'number' | 'text'
  readonly time: { readonly unit: TimeUnit; readonly asText: boolean; readonly word: string; readonly never: Never }
  readonly flags: readonly [false, true] | readonly [0, 1] | readonly ['0', '1'] | readonly ['false', 'true']
  /** How the side of an order or a position is written: a word, a flag for long, or a sign. */
  readonly side: 'word' | 'flag' | 'sign'
  readonly nulls: 'null' | 'absent'
  readonly ids: Readonly<Record<IdFamily, IdForm>>
}

const plainForms = ['text', 'text', 'number', 'zeros', 'exponent'] as const
const allForms = [...plainForms, 'scaled_name', 'scaled_sibling', 'scaled_object'] as const
const idForms = ['text', 'integer', 'integer', 'big_integer', 'digits', 'hex'] as const

function scaleWord(form: NumberForm, decimals: number, draw: Draw, dimension: string): string {
  if (form !== 'scaled_name') return ''
  const word = `e${decimals}`
  return decimals === 18 ? draw.pick(`${dimension}.scale word`, [word, 'wei', 'x18']) : draw.pick(`${dimension}.scale word`, [word, `x${decimals}`])
}

const percentWords: Readonly<Record<PercentUnit, readonly [string, string]>> = {
  percent: ['pct', 'percent'],
  fraction: ['fraction', 'frac'],
  bps: ['bps', 'bp'],
}
const timeWords: Readonly<Record<TimeUnit, readonly [string, ...string[]]>> = {
  s: ['', 's', 'sec', 'unix'],
  ms: ['', 'ms', 'millis', 'ms'],
  us: ['', 'us', 'micros'],
  ns: ['', 'ns', 'nanos'],
  utc: ['', 'iso', 'utc'],
  offset: ['', 'iso'],
}

/** Chooses a dialect at random from a seed. The same seed always gives the same dialect. */
export function drawDialect(seed: number): Dialect {
  const draw = createDraw(seed)
  const decimalsOf = (dimension: string, scales: readonly [number, ...number[]]): Decimals => {
    const form = draw.pick(`${dimension}.form`, allForms)
    const decimals = draw.pick(`${dimension}.scale`, scales)
    return { form, decimals, word: scaleWord(form, decimals, draw, dimension) }
  }
  const plain = (dimension: string): Decimals => ({ form: draw.pick(`${dimension}.form`, plainForms), decimals: 0, word: '' })
  const usdc = decimalsOf('usdc', [6, 6, 18])
  const inCents = usdc.word === '' && !isScaled(usdc.form) && draw.chance('usdc.cents', 0.12)
  const usdcWord = inCents ? 'cents' : usdc.word === '' ? draw.pick('usdc.word', ['', '', 'usdc', 'usd']) : usdc.word
  const size = decimalsOf('size', [8, 18])
  const sizeUnit = draw.pick<'base' | 'usdc'>('size.unit', ['base', 'base', 'base', 'usdc'])
  const isSizeNamed = draw.chance('size.named', 0.5)
  const percentUnit = draw.pick<PercentUnit>('percent.unit', ['percent', 'fraction', 'bps'])
  const isNamed = draw.chance('percent.named', 0.8)
  const unit = draw.pick<TimeUnit>('time.unit', ['s', 'ms', 'ms', 'us', 'ns', 'utc', 'utc', 'offset'])
  const isWritten = unit === 'utc' || unit === 'offset'
  return {
    seed,
    draw,
    style: draw.pick<CaseStyle>('style', ['snake', 'camel', 'camel', 'pascal', 'kebab']),
    price: decimalsOf('price', [8, 18]),
    usdc: { ...usdc, word: usdcWord, inCents },
    size: {
      ...size,
      unit: sizeUnit,
      unitWord: draw.pick('size.unit word', ['usd', 'usdc']),
      isNamed: isSizeNamed,
      isOpen: sizeUnit === 'usdc' && !isSizeNamed && draw.chance('size.open', 0.4),
    },
    token: decimalsOf('token', [18]),
    ratio: plain('ratio'),
    percent: { ...plain('percent'), unit: percentUnit, isNamed, word: isNamed ? draw.pick('percent.word', percentWords[percentUnit]) : '' },
    count: draw.pick('count', ['number', 'number', 'text']),
    time: {
      unit,
      asText: !isWritten && draw.chance('time.text', 0.25),
      word: draw.pick('time.word', timeWords[unit]),
      never: isWritten
        ? draw.pick<Never>('time.never', ['null', 'year_1', 'year_9999'])
        : draw.pick<Never>('time.never', ['null', 'zero', 'minus_one', 'largest']),
    },
    flags: draw.pick<Dialect['flags']>('flags', [
      [false, true],
      [false, true],
      [0, 1],
      ['0', '1'],
      ['false', 'true'],
    ]),
    side: draw.pick('side', ['word', 'word', 'word', 'word', 'flag', 'sign']),
    nulls: draw.pick('nulls', ['null', 'absent']),
    ids: {
      order: draw.pick('ids.order', idForms),
      position: draw.pick('ids.position', idForms),
      trade: draw.pick('ids.trade', idForms),
      close: draw.pick('ids.close', idForms),
      key: draw.pick<IdForm>('ids.key', ['text', 'text', 'digits', 'hex']),
    },
  }
}
