import type { Field, Vote } from '../reader/field.ts'
import { scaleOf } from '../reader/numbers.ts'
import { unitIn, unitOfText, unitWord } from '../reader/units.ts'
import { keyOf, wordsOf } from './name-words.ts'

/** What the fields around records say of the numbers in them. */
export interface Around {
  /** Decimals that integers may carry; null: not said. */
  readonly scale: number | null
  /** By name: the words of a unit. */
  readonly units: readonly { readonly about: readonly string[]; readonly words: readonly string[] }[]
}

const nothing: Around = { scale: null, units: [] }
const noWords: ReadonlySet<string> = new Set()

export function aroundOf(fields: Readonly<Record<string, unknown>> | undefined): Around {
  if (fields === undefined) return nothing
  let scale: number | null = null
  const units: { about: readonly string[]; words: readonly string[] }[] = []
  for (const [name, value] of Object.entries(fields).slice(0, 100)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const words = wordsOf(name, noWords)
    if (/^(amount_?)?(decimals|scale|exponent)$/i.test(name)) scale = scaleOf(value)
    const said = words.find((word) => unitWord.has(word))
    if (said !== undefined && typeof value === 'string' && value.length < 40)
      units.push({ about: words.filter((word) => word !== said), words: wordsOf(value, noWords) })
  }
  return { scale, units }
}

/** The unit of a number that its record does not name, where `size_unit` or the like around it does. */
export function saidAround({ units }: Around, { kind }: Field<unknown>, path: readonly string[], known: ReadonlySet<string>): Vote {
  if (units.length === 0) return null
  const own = keyOf(
    unitIn(
      path.flatMap((name) => wordsOf(name, known)),
      kind.family,
    ).rest,
  )
  // Of a name of one letter, the alias says what it is.
  const said = units.find(({ about }) => about.length > 0 && (keyOf(about) === own || (own.length === 1 && keyOf(about).startsWith(own))))
  if (said === undefined) return null
  const { denomination, ratio } = unitOfText(said.words)
  if (kind.family === 'ratio') return ratio
  return denomination === null ? null : denomination === kind.numeric?.target ? 'as_named' : 'otherwise'
}
