import type { Field } from '../api/reader/field.ts'
import { assumedResources } from '../api/schemas/all-resources.ts'
import { beside as collateral } from '../api/schemas/collateral.ts'
import { delegatedResult } from '../api/schemas/intents.ts'
import { mark, snapshot } from '../api/schemas/markets/market-resources.ts'
import { tokenMetrics } from '../api/schemas/markets/own-token.ts'
import { config } from '../api/schemas/markets/service-resources.ts'

/** What a field map may change about a field of an answer. */
export interface AnswerField {
  /** true if the API document shows the field. The app then reads it only under its documented name. */
  readonly documented: boolean
  /** true if the app compares the field before anything is signed. A field map from someone else must not change where the app reads it. */
  readonly guarded: boolean
  readonly units: 'none' | 'amount' | 'ratio'
}

/** Answer fields by resource and field. */
export type AnswerFields = Readonly<Record<string, Readonly<Record<string, AnswerField>>>>

/** Resources that state what to sign or which contracts to use. A field map from someone else must not change where the app reads their fields. */
const guarded: ReadonlySet<string> = new Set(['key_preparation', 'execution_payment', 'contracts', 'meta', 'config'])

const fieldOf = (resource: string, { kind, documented }: Field<unknown>): AnswerField => ({
  documented,
  guarded: guarded.has(resource),
  units: kind.numeric !== null && (kind.family === 'amount' || kind.family === 'ratio') ? kind.family : 'none',
})

/**
 * Resources that a field map must not affect: the app reads them again from the stored preparation of an order, and must show the values that the
 * user saw.
 */
const unmapped: ReadonlySet<string> = new Set(['preparation_costs'])

/** Every resource whose fields a field map may read from another path. */
export const mappedResources = [
  ...assumedResources.filter(({ name }) => !unmapped.has(name)),
  collateral,
  config,
  delegatedResult,
  mark,
  snapshot,
  tokenMetrics,
]

/** Every answer field that a field map can affect. */
export const answerFields: AnswerFields = Object.fromEntries(
  mappedResources.map(({ name, fields }) => [name, Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, fieldOf(name, one)]))]),
)
