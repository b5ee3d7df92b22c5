import { type AnswerShape, answers } from '../../../electron/practice/dialect/resources.ts'
import { createSpeaker } from '../../../electron/practice/dialect/speaker.ts'
import { envelopeOf } from '../../../electron/practice/dialect/write-answer.ts'
import { errorFormOf } from '../../../electron/practice/dialect/write-error.ts'
import { listForm } from '../../../electron/practice/dialect/write-record.ts'

/** The features of the API that a dialect (a test variant of the API) may change. */
export interface Traits {
  readonly names: string
  readonly usdc: string
  readonly prices: string
  readonly sizes: string
  readonly orderIds: string
  readonly positionIds: string
  readonly times: string
  readonly never: string
  readonly flags: string
  readonly sides: string
  readonly positions: string
  readonly keys: string
  readonly markets: string
  readonly around: string
  readonly errors: string
}

function traitsOf(seed: number): Traits {
  const { dialect } = createSpeaker(seed)
  const { style, usdc, price, size, ids, time, flags, side } = dialect
  const shape = (route: string): AnswerShape => {
    const found = answers[route]
    if (found === undefined) throw new Error(`The exchange has no ${route}`)
    return found
  }
  const listOf = (route: string) => {
    const { name, resource } = shape(route)
    return listForm(dialect, resource, `list:${name}`)
  }
  return {
    names: style,
    usdc: usdc.inCents ? 'cents' : usdc.form,
    prices: price.form,
    sizes: size.unit === 'usdc' ? 'in USDC' : size.form,
    orderIds: ids.order,
    positionIds: ids.position,
    times: time.unit,
    never: time.never,
    flags: JSON.stringify(flags),
    sides: side,
    positions: listOf('GET /positions'),
    keys: listOf('GET /developer/keys'),
    markets: listOf('GET /markets'),
    around: envelopeOf(dialect, shape('GET /positions')).path.join('.'),
    errors: errorFormOf(dialect),
  }
}

/** The traits in which this dialect differs from all others in `all`. */
export function ownTraits(seed: number, all: readonly number[]): Partial<Traits> {
  const others = all.filter((other) => other !== seed).map(traitsOf)
  return Object.fromEntries(Object.entries(traitsOf(seed)).filter(([name, value]) => others.every((other) => other[name as keyof Traits] !== value)))
}
