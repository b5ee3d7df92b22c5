import { z } from 'zod'
import { second } from '../../../shared/time.ts'
import { job } from '../../kernel/parsing/job.ts'

/** How git looks at a file: outside of any work tree, ignored, not ignored (it could be committed, or is), or unknown. */
export const GitView = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['outside', 'ignored']) }),
  z.object({ state: z.enum(['not_ignored', 'unknown']), workTree: z.string() }),
])
export type GitView = z.infer<typeof GitView>

export interface GitViewGiven {
  /** In a folder whose links are resolved. */
  readonly path: string
  /** The user's own ignore file for all work trees. */
  readonly globalRules: string
  /** Case does not matter to rules. */
  readonly fold: boolean
}

export const gitViewJob = job<GitViewGiven>()({ name: 'git view', gives: GitView, quietMs: 10 * second })
