import type { Field } from '../api/reader/field.ts'
import { assumedResources } from '../api/schemas/all-resources.ts'
import { beside as collateral } from '../api/schemas/collateral.ts'
import { delegatedResult } from '../api/schemas/intents.ts'
import { mark, snapshot } from '../api/schemas/markets/market-resources.ts'
import { tokenMetrics } from '../api/schemas/markets/own-token.ts'
import { config } from '../api/schemas/markets/service-resources.ts'

/** Whether a field map may change where the app reads this field of an answer. */
export interface AnswerField {
  /** true if the API document shows the field. The app then reads it only under its documented name. */
  readonly documented: boolean
  /** true if the app compares the field's value before the wallet signs. An imported field map must not change where the app reads such a field. */
  readonly guarded: boolean
  readonly units: 'none' | 'amount' | 'ratio'
}

/** Fields of answers, keyed by resource and then by field. */
export type AnswerFields = Readonly<Record<string, Readonly<Record<string, AnswerField>>>>

/** Resources that state what to sign or which contracts to use. An imported field map must not change where the app reads their fields. */
const guarded: ReadonlySet<string> = new Set(['key_preparation', 'execution_payment', 'contracts', 'meta', 'config'])

const fieldOf = (resource: string, { kind, documented }: Field<unknown>): AnswerField => ({
  documented,
  guarded: guarded.has(resource),
  units: kind.numeric !== null && (kind.family === 'amount' || kind.family === 'ratio') ? kind.family : 'none',
})

/**
 * A field map must not change these resources. The app reads them again later from an order's stored preparation, and must then show the same values
 * as before.
 */
const unmapped: ReadonlySet<string> = new Set(['preparation_costs'])

/** The resources whose fields the app may read from another path, if a field map says so. */
export const mappedResources = [
  ...assumedResources.filter(({ name }) => !unmapped.has(name)),
  collateral,
  config,
  delegatedResult,
  mark,
  snapshot,
  tokenMetrics,
]

/** All answer fields that a field map can change. */
export const answerFields: AnswerFields = Object.fromEntries(
  mappedResources.map(({ name, fields }) => [name, Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, fieldOf(name, one)]))]),
)
