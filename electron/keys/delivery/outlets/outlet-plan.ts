import { redactText } from '../../../../shared/api/redact.ts'
import type { Failure, InputIssue } from '../../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { firstHidden } from '../../../../shared/signing/wording.ts'
import { dialogText } from '../../../../shared/text/desktop-text.ts'
import { handoverText } from '../../../../shared/text/handover-text.ts'
import { dialogLine } from '../../../kernel/files/dialogs.ts'
import { inUserLanguage } from '../../../kernel/user-language.ts'

/** What a command receives on its standard input. The preview of the command uses the same code, with dots instead of the secret. */
export interface Handed {
  readonly key: string
  readonly baseUrl: string
}

/** A command that reads the secret from its input. The plan itself holds no secret. */
export interface Plan {
  /** The program and its arguments. The app starts the program directly, without a shell. */
  readonly words: readonly string[]
  readonly input: (handed: Handed) => string
  /** The command line for the shell of the remote computer; null if the target has no remote shell. */
  readonly remote: string | null
  readonly to: string
}

/** The maximum number of characters of a program's path that the confirmation dialog shows. */
export const mostOfProgram = 250

/**
 * The text of the dialog that asks the user before a command gets a secret, in the user's language. Each argument has its own line, so that it
 * cannot look like part of another argument. `program` is the path of the program.
 */
export function pictureOf({ words }: Pick<Plan, 'words'>, handover: Parameters<typeof handoverText>[0], program: string): string {
  const path = dialogLine(program, mostOfProgram)
  const { sentence, notes, said } = inUserLanguage(() => ({ ...handoverText(handover), said: dialogText.handOverProgram(path) }))
  return [sentence, '', ...words.map((word, index) => (index === 0 ? word : `    ${word}`)), '', said, '', ...notes].join('\n')
}

export type Content = 'key' | 'env'

/** Builds a command's input: either the secret alone without a line end, or the two lines of a `.env` file. */
export const contentOf =
  (content: Content) =>
  ({ key, baseUrl }: Handed): string =>
    content === 'key' ? key : `SVC_API_KEY=${key}\nSVC_BASE_URL=${baseUrl}\n`

export const wrong = (option: string, issue: InputIssue): { readonly ok: false; readonly failure: Failure } =>
  fail({ kind: 'bad_input', field: `options.${option}`, issue })

export type PlanResult = Result<Plan, Failure>

/**
 * The rule for an option that the user types, as strict as the target program. The app refuses a value that breaks the rule, and never corrects it.
 */
interface Rule {
  readonly pattern: RegExp
  readonly issue: InputIssue
}

export const rules = {
  credential: { pattern: /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, issue: 'credential_name' },
  docker: { pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/, issue: 'docker_name' },
  dockerContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,127}$/, issue: 'docker_context' },
  object: {
    pattern: /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    issue: 'kubernetes_name',
  },
  namespace: { pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, issue: 'kubernetes_namespace' },
  entry: { pattern: /^(?!\.\.?$)[A-Za-z0-9._-]{1,253}$/, issue: 'kubernetes_entry' },
  /** The name of a kubectl context. Context names from cloud providers contain colons, slashes and @. */
  kubeContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.:@/-]{0,252}$/, issue: 'kubernetes_context' },
  githubName: { pattern: /^(?!github_)[a-z_][a-z0-9_]{0,127}$/i, issue: 'github_name' },
  repository: {
    pattern: /^(?:[A-Za-z0-9.-]{1,128}\/)?[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.\.?$)[A-Za-z0-9._-]{1,100}$/,
    issue: 'repository',
  },
  environment: { pattern: /^[^-'"`,;\\\p{Cc}\p{Cf}][^'"`,;\\\p{Cc}\p{Cf}]{0,127}$/u, issue: 'github_environment' },
  /**
   * A host name, an address or an alias from ssh's configuration, optionally with a user name and `@` before it. The app refuses a leading dash,
   * because ssh would read the value as an option.
   */
  sshHost: {
    pattern: /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39})$/,
    issue: 'ssh_host',
  },
} as const satisfies Record<string, Rule>

/** True if the text has one line and only visible characters, so that the user can read it in a confirmation dialog. */
export const isPlain = (text: string): boolean => !/[\t\n\r]/.test(text) && firstHidden(text) === null

/** Checks one option against its rule. Also accepts `null`, which means that the user left an optional option empty. */
export function part<T extends string | null>(option: string, value: T, rule: Rule): Result<T, Failure> {
  if (value === null || (rule.pattern.test(value) && isPlain(value))) return ok(value)
  return wrong(option, value === '' ? 'needed' : rule.issue)
}

/**
 * Accepts an argument of visible characters only. Refuses an argument that looks like a secret, because other programs can read the arguments of a
 * command.
 */
export function wordOf(option: string, value: string): Result<string, Failure> {
  if (!isPlain(value)) return wrong(option, 'hidden_characters')
  if (redactText(value) !== value) return wrong(option, 'looks_secret')
  return ok(value)
}
