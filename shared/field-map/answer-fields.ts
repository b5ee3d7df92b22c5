/** What a field map may say of a field of an answer. */
export interface AnswerField {
  /** The document shows it: it is read where the document says. */
  readonly documented: boolean
  /** Compared before anything is signed: no map says where it stands. */
  readonly guarded: boolean
  readonly units: 'none' | 'amount' | 'ratio'
}

/** By resource and field. */
export type AnswerFields = Readonly<Record<string, Readonly<Record<string, AnswerField>>>>

const words = {
  amount: ['usdc', 'base'],
  ratio: ['percent', 'fraction', 'bps'],
} as const

/** Whether a unit can be that of a field: a word of its kind, or for an amount that and `e6`. */
export function unitFits(unit: string, units: 'amount' | 'ratio'): boolean {
  const [word = '', scale, ...more] = unit.split(' ')
  if (more.length > 0 || !words[units].some((known) => known === word)) return false
  return scale === undefined || (units === 'amount' && /^e([1-9]|1[0-9]|2[0-9])$/.test(scale))
}
