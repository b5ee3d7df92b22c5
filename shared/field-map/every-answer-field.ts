import type { Field, Fields } from '../api/reader/field.ts'
import { assumedResources } from '../api/schemas/all.ts'
import type { AnswerField, AnswerFields } from './answer-fields.ts'

/** Answers that say what is to be signed, or which contracts are meant: a stranger's file must not turn them. */
const guarded: ReadonlySet<string> = new Set(['key_preparation', 'execution_payment', 'contracts', 'meta'])

const unitsOf = ({ kind: { family, numeric } }: Field<unknown>): AnswerField['units'] =>
  numeric === null ? 'none' : family === 'ratio' ? 'ratio' : family === 'amount' ? 'amount' : 'none'

const fieldsOf = (resource: string, fields: Fields): AnswerFields[string] =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { documented: field.documented, guarded: guarded.has(resource), units: unitsOf(field) }]),
  )

/** Every field of an answer that the app reads and that the document does not show, with those that it does beside them. */
export const answerFields: AnswerFields = Object.fromEntries(assumedResources.map(({ name, fields }) => [name, fieldsOf(name, fields)]))
