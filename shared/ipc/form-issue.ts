import { z } from 'zod'
import type { formWords } from '../text/form-text.ts'

type Words = typeof formWords

/** A message of a form: the code of a sentence in `formWords`, then its facts. `formIssueText` gives the sentence. */
export type FormIssue = {
  readonly [Code in keyof Words]: Words[Code] extends (...facts: infer Facts) => string ? readonly [code: Code, ...facts: Facts] : readonly [code: Code]
}[keyof Words]

/** A form's message as it is sent. */
export const SentFormIssue = z.tuple([z.string()], z.union([z.string(), z.number()])).readonly()
