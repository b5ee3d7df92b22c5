import type { Field } from '../api/reader/field.ts'
import { assumedResources } from '../api/schemas/all-resources.ts'
import { beside as collateral } from '../api/schemas/collateral.ts'
import { delegatedResult } from '../api/schemas/intents.ts'
import { mark, snapshot } from '../api/schemas/markets/market-resources.ts'
import { tokenMetrics } from '../api/schemas/markets/own-token.ts'
import { config } from '../api/schemas/markets/service-resources.ts'

/** What a field map may change about a field of an answer. */
export interface AnswerField {
  /** The document shows the field: the app reads it only there. */
  readonly documented: boolean
  /** The app compares the field before anything is signed: a shared map must not set its place. */
  readonly guarded: boolean
  readonly units: 'none' | 'amount' | 'ratio'
}

/** By resource and field. */
export type AnswerFields = Readonly<Record<string, Readonly<Record<string, AnswerField>>>>

/** Answers that state what to sign, or which contracts are meant: a file from someone else must not redirect them. */
const guarded: ReadonlySet<string> = new Set(['key_preparation', 'execution_payment', 'contracts', 'meta', 'config'])

const fieldOf = (resource: string, { kind, documented }: Field<unknown>): AnswerField => ({
  documented,
  guarded: guarded.has(resource),
  units: kind.numeric !== null && (kind.family === 'amount' || kind.family === 'ratio') ? kind.family : 'none',
})

/** Read again from the stored preparation of an order, as it was when the user agreed. */
const unmapped: ReadonlySet<string> = new Set(['preparation_costs'])

/** Every resource whose fields a field map may move. */
export const mappedResources = [
  ...assumedResources.filter(({ name }) => !unmapped.has(name)),
  collateral,
  config,
  delegatedResult,
  mark,
  snapshot,
  tokenMetrics,
]

/** Every field of an answer that the app reads with the help of a field map. */
export const answerFields: AnswerFields = Object.fromEntries(
  mappedResources.map(({ name, fields }) => [name, Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, fieldOf(name, one)]))]),
)
