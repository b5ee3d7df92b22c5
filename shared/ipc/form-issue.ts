import { z } from 'zod'
import type { formWords } from '../text/form-text.ts'

type Words = typeof formWords

/** A validation message of a form: the code of a sentence in `formWords`, then the values to insert. `formIssueText` returns the sentence. */
export type FormIssue = {
  readonly [Code in keyof Words]: Words[Code] extends (...facts: infer Facts) => string ? readonly [code: Code, ...facts: Facts] : readonly [code: Code]
}[keyof Words]

/** A `FormIssue` as sent between processes: any code and any values are valid. */
export const SentFormIssue = z.tuple([z.string()], z.union([z.string(), z.number()])).readonly()
