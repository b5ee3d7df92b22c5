import type { Failure } from '../../../../shared/ipc/failure.ts'
import { fail, type Result } from '../../../../shared/result.ts'
import type { handoverText } from '../../../../shared/text/handover-text.ts'
import type { InputIssue } from '../../../../shared/text/input-issue-text.ts'
import { dialogLine } from '../../../kernel/files/dialogs.ts'

/** What is handed over, as it will stand on a command's input. The same code draws it with dots. */
export interface Handed {
  /** The secret, or dots in its place. */
  readonly key: string
  readonly baseUrl: string
}

/** A command that takes the secret from its input. Nothing of the secret is in it. */
export interface Plan {
  /** The program and its arguments; no shell reads them. */
  readonly words: readonly string[]
  readonly input: (handed: Handed) => string
  /** The line that another computer's shell reads; null where there is none. */
  readonly remote: string | null
  /** Where the secret ends up, in a few words, for the log of uses. */
  readonly to: string
}

/** Characters of the program's path that the question shows. */
export const mostOfProgram = 250

/** What the question shows. Every word on a line of its own: nothing can hide behind another. `program`: its path. */
export const pictureOf = ({ words }: Pick<Plan, 'words'>, { sentence, notes }: ReturnType<typeof handoverText>, program: string): string =>
  [sentence, '', ...words.map((word, index) => (index === 0 ? word : `    ${word}`)), '', `Program: ${dialogLine(program, mostOfProgram)}`, '', ...notes].join(
    '\n',
  )

export type Content = 'key' | 'env'

/** The secret alone without a line end, or the two lines of a `.env` file. */
export const contentOf =
  (content: Content) =>
  ({ key, baseUrl }: Handed): string =>
    content === 'key' ? key : `SVC_API_KEY=${key}\nSVC_BASE_URL=${baseUrl}\n`

export const wrong = (option: string, issue: InputIssue): { readonly ok: false; readonly failure: Failure } =>
  fail({ kind: 'bad_input', field: `options.${option}`, issue })

export type PlanResult = Result<Plan, Failure>
