import { redactText } from '../../../../shared/api/redact.ts'
import type { Failure, InputIssue } from '../../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { firstHidden } from '../../../../shared/signing/wording.ts'
import type { handoverText } from '../../../../shared/text/handover-text.ts'
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

/** What a user types into a command, held against what its program takes. Everything else is refused, never repaired. */
interface Rule {
  readonly pattern: RegExp
  readonly issue: InputIssue
}

export const rules = {
  /** systemd: a plain file name. */
  credential: { pattern: /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, issue: 'credential_name' },
  docker: { pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/, issue: 'docker_name' },
  dockerContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,127}$/, issue: 'docker_context' },
  /** Kubernetes: a DNS subdomain name. */
  object: {
    pattern: /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    issue: 'kubernetes_name',
  },
  namespace: { pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, issue: 'kubernetes_namespace' },
  entry: { pattern: /^(?!\.\.?$)[A-Za-z0-9._-]{1,253}$/, issue: 'kubernetes_entry' },
  /** Names that clouds give contain colons, slashes and @. */
  kubeContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.:@/-]{0,252}$/, issue: 'kubernetes_context' },
  githubName: { pattern: /^(?!github_)[a-z_][a-z0-9_]{0,127}$/i, issue: 'github_name' },
  repository: {
    pattern: /^(?:[A-Za-z0-9.-]{1,128}\/)?[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.\.?$)[A-Za-z0-9._-]{1,100}$/,
    issue: 'repository',
  },
  environment: { pattern: /^[^-'"`,;\\\p{Cc}\p{Cf}][^'"`,;\\\p{Cc}\p{Cf}]{0,127}$/u, issue: 'github_environment' },
  /** A host name, an address or an alias of ssh's configuration, with a user before it. Never an option: it cannot begin with a dash. */
  sshHost: {
    pattern: /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39})$/,
    issue: 'ssh_host',
  },
} as const satisfies Record<string, Rule>

/** Whether every character of it is seen as it is, on one line: it will stand in a question that is to be read. */
export const isPlain = (text: string): boolean => !/[\t\n\r]/.test(text) && firstHidden(text) === null

/** `null` passes for an option that may be left out. */
export function part<T extends string | null>(option: string, value: T, rule: Rule): Result<T, Failure> {
  if (value === null || (rule.pattern.test(value) && isPlain(value))) return ok(value)
  return wrong(option, value === '' ? 'needed' : rule.issue)
}

/** Words of a command as typed: anything that can be seen, but nothing that looks like a secret, since other programs can read it. */
export function wordOf(option: string, value: string): Result<string, Failure> {
  if (!isPlain(value)) return wrong(option, 'hidden_characters')
  if (redactText(value) !== value) return wrong(option, 'looks_secret')
  return ok(value)
}
