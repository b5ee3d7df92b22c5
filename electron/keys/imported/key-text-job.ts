import { z } from 'zod'
import { Failure } from '../../../shared/ipc/failure.ts'
import { second } from '../../../shared/time.ts'
import { job, resultOf } from '../../kernel/parsing/job.ts'

export const KeyInText = z.object({
  /** The text that was found. It has the form of an API key, but the service may not know it. */
  text: z.string(),
  /** The name before the key on its line, for example `SVC_API_KEY`; null if no name precedes the key. */
  name: z.string().max(80).nullable(),
  /** The line that contains the key. The first line is 1. */
  line: z.number().int(),
})
export type KeyInText = z.infer<typeof KeyInText>

/** Either the path of a file that the user chose, or the clipboard's text. */
export type KeyTextGiven = { readonly path: string } | { readonly text: string }

/** The job that finds API keys in a file or in the clipboard’s text. Fails with `file`. */
export const keyTextJob = job<KeyTextGiven>()({ name: 'key text', gives: resultOf(z.array(KeyInText), Failure), quietMs: 10 * second })
