import { redactText } from '../../../../shared/api/redact.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../../shared/result.ts'
import { firstHidden } from '../../../../shared/signing/visible-text.ts'
import { wrong } from './plan.ts'

/** What a user types into a command, held against what its program takes. Everything else is refused, never repaired. */
export interface Rule {
  readonly pattern: RegExp
  readonly issue: string
}

export const rules = {
  /** systemd: a plain file name. */
  credential: { pattern: /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, issue: 'letters, digits, _ . - and at most 128 of them' },
  docker: { pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/, issue: 'letters, digits, _ . - inside, at most 64' },
  dockerContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,127}$/, issue: 'letters, digits and _ . + -' },
  /** Kubernetes: a DNS subdomain name. */
  object: {
    pattern: /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    issue: 'small letters, digits, - and . inside',
  },
  namespace: { pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, issue: 'small letters, digits and - inside, at most 63' },
  entry: { pattern: /^(?!\.\.?$)[A-Za-z0-9._-]{1,253}$/, issue: 'letters, digits and . _ -' },
  /** Names that clouds give contain colons, slashes and @. */
  kubeContext: { pattern: /^[A-Za-z0-9][A-Za-z0-9_.:@/-]{0,252}$/, issue: 'letters, digits and _ . : @ / -' },
  githubName: { pattern: /^(?!github_)[a-z_][a-z0-9_]{0,127}$/i, issue: 'letters, digits and _, not beginning with a digit or GITHUB_' },
  repository: {
    pattern: /^(?:[A-Za-z0-9.-]{1,128}\/)?[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.\.?$)[A-Za-z0-9._-]{1,100}$/,
    issue: 'OWNER/NAME',
  },
  environment: { pattern: /^[^-'"`,;\\\p{Cc}\p{Cf}][^'"`,;\\\p{Cc}\p{Cf}]{0,127}$/u, issue: 'no quotes, commas, semicolons or backslashes' },
  /** A host name, an address or an alias of ssh's configuration, with a user before it. Never an option: it cannot begin with a dash. */
  sshHost: {
    pattern: /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39})$/,
    issue: 'a host, or user@host',
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
  if (!isPlain(value)) return wrong(option, 'no line ends, control characters or hidden characters')
  if (redactText(value) !== value) return wrong(option, 'this looks like a secret, and other programs can read the words of a command')
  return ok(value)
}
