import { posix } from 'node:path'
import type { Failure, InputIssue } from '../../../shared/ipc/failure.ts'
import type { Delivery, FleetTarget } from '../../../shared/ipc/keys/fleet.ts'
import { ok, type Result, unreachable } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { fleetClientWords } from '../../kernel/files/dialog-words.ts'
import { dialogLine } from '../../kernel/files/dialogs.ts'
import type { Secret } from '../../kernel/secret.ts'
import { planHandover } from '../delivery/outlets/handover.ts'
import { type Content, contentOf, type Handed, mostOfProgram, type Plan, part, wrong } from '../delivery/outlets/outlet-plan.ts'
import { findProgram, findProgramLink, runCommand } from '../delivery/outlets/run-command.ts'

/** What a client needs as its input. file: it opens `/dev/stdin`, which Windows does not have. */
type InputKind = 'pipe' | 'file'

/** `gateway`: no client runs. */
export type TargetPlan = { readonly kind: 'gateway' } | { readonly kind: 'client'; readonly plan: Plan; readonly needs: InputKind; readonly shown: string }

const issue: InputIssue = 'target_name'
const named = (pattern: RegExp) => ({ pattern, issue })
const piece = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}'
const targetRules = {
  podman: named(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$/),
  pass: named(new RegExp(`^${piece}(?:/${piece}){0,9}$`)),
  variable: named(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/),
  project: named(new RegExp(`^${piece}(?:/${piece}){1,9}$`)),
  scope: named(/^(?:\*|[A-Za-z0-9_][A-Za-z0-9_/.*-]{0,127})$/),
  path: named(new RegExp(`^${piece}(?:/${piece}){0,9}$`)),
  field: named(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/),
  // Without `://`, because the AWS client reads the value of `file://…` from a file.
  awsSecret: named(/^(?!.*:\/\/)[A-Za-z0-9_/+=.@][A-Za-z0-9_/+=.@:-]{0,255}$/),
  awsRegion: named(/^[a-z]{2}(?:-[a-z0-9]{1,20}){1,4}$/),
  awsProfile: named(/^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,127}$/),
  googleSecret: named(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,254}$/),
  googleProject: named(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/),
  azureVault: named(/^[A-Za-z][A-Za-z0-9-]{1,22}[A-Za-z0-9]$/),
  azureName: named(/^[A-Za-z0-9][A-Za-z0-9-]{0,126}$/),
  item: named(/^[A-Za-z0-9][A-Za-z0-9 _.@-]{0,127}$/),
} as const

type Checks = readonly (readonly [option: string, value: string | null, rule: (typeof targetRules)[keyof typeof targetRules]])[]

function planOf(checks: Checks, words: readonly string[], input: Plan['input'], to: string, needs: InputKind = 'pipe'): Result<TargetPlan, Failure> {
  for (const [option, value, rule] of checks) {
    const checked = part(option, value, rule)
    if (!checked.ok) return checked
    if (value !== null && /(^|\/)\.{1,2}(\/|$)/.test(value)) return wrong(option, issue)
  }
  return ok({ kind: 'client', plan: { words, input, remote: null, to }, needs, shown: words.join(' ') })
}

const option = (name: string, value: string | null): readonly string[] => (value === null ? [] : [`--${name}=${value}`])

/** The item of 1Password, in the form of its JSON templates. It replaces the item's fields: `op` takes a secret for one field only as an argument. */
const itemOf =
  (title: string, content: Content) =>
  (handed: Handed): string =>
    JSON.stringify({
      title,
      category: 'API_CREDENTIAL',
      fields: [{ id: 'credential', type: 'CONCEALED', label: 'credential', value: contentOf(content)(handed) }],
    })

/**
 * Builds the command that delivers a key to a target. Only the options of a target vary; its program and the order of its arguments are fixed. Fails with
 * `bad_input` and the name of the option. Has no side effects.
 */
export function planDelivery(target: FleetTarget): Result<TargetPlan, Failure> {
  const rule = targetRules
  switch (target.target) {
    case 'gateway':
      return ok({ kind: 'gateway' })
    case 'systemd':
    case 'docker':
    case 'kubernetes':
    case 'github':
    case 'ssh': {
      if (target.target === 'systemd' && target.options.output === null) return wrong('output', 'needed')
      const planned = planHandover(target)
      if (!planned.ok) return planned
      const { words, remote } = planned.value
      // The remote script is the same for every path, so the dialog shows only the path.
      const shown = words.map((word) => (word === remote && target.target === 'ssh' ? target.options.path : word)).join(' ')
      return ok({ kind: 'client', plan: planned.value, needs: 'pipe', shown })
    }
    case 'podman': {
      const { name, how, content } = target.options
      const words = ['podman', 'secret', 'create', ...(how === 'replace' ? ['--replace'] : []), name, '-']
      return planOf([['name', name, rule.podman]], words, contentOf(content), `podman ${name}`)
    }
    case 'pass': {
      const { name, content } = target.options
      return planOf([['name', name, rule.pass]], ['pass', 'insert', '--multiline', '--force', name], contentOf(content), `pass ${name}`)
    }
    case 'gitlab': {
      const { name, repo, scope, how, branches, content } = target.options
      // An update without these options takes them off the variable. GitLab masks only one line in the logs of jobs.
      const more = [...(content === 'key' ? ['--masked'] : []), ...(branches === 'protected' ? ['--protected'] : [])]
      const words = ['glab', 'variable', how, name, `--repo=${repo}`, ...option('scope', scope), ...more]
      const checks: Checks = [
        ['name', name, rule.variable],
        ['repo', repo, rule.project],
        ['scope', scope, rule.scope],
      ]
      return planOf(checks, words, contentOf(content), `GitLab ${repo} ${name}`)
    }
    case 'vault':
    case 'openbao': {
      const { mount, path, field, how, content } = target.options
      const words = [target.target === 'vault' ? 'vault' : 'bao', 'kv', how, `-mount=${mount}`, path, `${field}=-`]
      const checks: Checks = [
        ['mount', mount, rule.path],
        ['path', path, rule.path],
        ['field', field, rule.field],
      ]
      return planOf(checks, words, contentOf(content), `${target.target} ${mount}/${path} ${field}`)
    }
    case 'aws': {
      const { name, region, profile, content } = target.options
      const words = [
        ...['aws', 'secretsmanager', 'put-secret-value', `--secret-id=${name}`, '--secret-string=file:///dev/stdin'],
        ...[...option('region', region), ...option('profile', profile)],
      ]
      const checks: Checks = [
        ['name', name, rule.awsSecret],
        ['region', region, rule.awsRegion],
        ['profile', profile, rule.awsProfile],
      ]
      return planOf(checks, words, contentOf(content), `AWS ${name}`, 'file')
    }
    case 'google': {
      const { name, project, content } = target.options
      const words = ['gcloud', 'secrets', 'versions', 'add', name, '--data-file=-', ...option('project', project)]
      const checks: Checks = [
        ['name', name, rule.googleSecret],
        ['project', project, rule.googleProject],
      ]
      return planOf(checks, words, contentOf(content), `Google Cloud ${name}`)
    }
    case 'azure': {
      const { vault, name, content } = target.options
      const words = ['az', 'keyvault', 'secret', 'set', `--vault-name=${vault}`, `--name=${name}`, '--file=/dev/stdin', '--encoding=utf-8', '--output=none']
      const checks: Checks = [
        ['vault', vault, rule.azureVault],
        ['name', name, rule.azureName],
      ]
      return planOf(checks, words, contentOf(content), `Azure ${vault}/${name}`, 'file')
    }
    case 'onepassword': {
      const { item, vault, content } = target.options
      const checks: Checks = [
        ['item', item, rule.item],
        ['vault', vault, rule.item],
      ]
      return planOf(checks, ['op', 'item', 'edit', item, `--vault=${vault}`], itemOf(item, content), `1Password ${vault}/${item}`)
    }
    default:
      return unreachable(target)
  }
}

const mostOfLabel = 60

/**
 * What a system dialog says about one key of a plan: its label, and the command, program and input of its client, with every option that the user typed.
 * The label stays on its line, and nothing is hidden, so that no line can look like another key's.
 */
export async function consentTo(label: string, target: FleetTarget, env: NodeJS.ProcessEnv): Promise<string> {
  const planned = planDelivery(target)
  const client = planned.ok && planned.value.kind === 'client' ? planned.value : null
  const first = `“${dialogLine(label, mostOfLabel)}”: ${client?.shown ?? target.target}`
  if (client === null || target.target === 'gateway') return first
  const program = await findProgram(client.plan.words[0] ?? '', { env, platform: process.platform })
  const words = fleetClientWords(program === null ? null : dialogLine(program, mostOfProgram), target.options.content, target.target === 'onepassword')
  // kubectl reads the name and the entry from its input, so its command shows neither.
  const entry = target.target === 'kubernetes' && target.options.content === 'key' ? `: ${target.options.entry}` : ''
  const inInput = target.target === 'kubernetes' ? [`${client.plan.to}${entry}`] : []
  return [first, ...[...inInput, ...words].map((line) => `    ${line}`)].join('\n')
}

/** The target in one line, for tables and reports. */
export function placeOf(target: FleetTarget): string {
  const planned = planDelivery(target)
  return planned.ok && planned.value.kind === 'client' ? planned.value.plan.to : target.target
}

const timeoutMs = 60 * second
const mostOutput = 2_000
/**
 * A shell reports a signal as an exit code above 128, and ssh a broken connection as 255. The client may have stored the key before, and so may other
 * clients that use such codes.
 */
const lastFailed = 128

/** No client may wait for an answer that no user can give. */
const quiet = { GH_PROMPT_DISABLED: '1', NO_PROMPT: '1', NO_COLOR: '1', CLOUDSDK_CORE_DISABLE_PROMPTS: '1', AWS_PAGER: '' }

export interface ClientParts {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly baseUrl: string
  readonly clock: Clock
  /** Ends the client early. Its outcome is then unknown. */
  readonly signal?: AbortSignal
}

interface Client extends Pick<Plan, 'words'> {
  readonly program: string
  /** Whether the client waits behind `gate`. */
  readonly isGated: boolean
}

/**
 * Starts a client only once the app has written, so that a client never takes the end of an app that died for an empty key. The client's input is a
 * real pipe: Node gives programs a socket, which podman refuses, and which nothing can open as `/dev/stdin`. The secret is in no variable of the shell.
 */
const gate = 'read -r go && [ "$go" = go ] && "$0" | "$@"'

/** Finds the program of a target; null if it is not installed. */
export async function findClient(words: readonly string[], needs: InputKind, env: NodeJS.ProcessEnv): Promise<Client | null> {
  const place = { env, platform: process.platform }
  const [name = '', ...more] = words
  if (process.platform === 'win32') {
    const program = needs === 'file' ? null : await findProgram(name, place)
    return program === null ? null : { program, words, isGated: false }
  }
  const [shell, cat, program] = await Promise.all(['sh', 'cat', name].map((one) => findProgramLink(one, place)))
  return !shell || !cat || !program ? null : { program: shell, words: ['sh', '-c', gate, cat, program, ...more], isGated: true }
}

export type Delivered = Pick<Delivery, 'outcome' | 'exitCode' | 'signal' | 'output'>

/** Runs a client with the secret on its input. Starts it at once, without waiting. The outcome is `unknown` if the secret may have arrived or not. */
export async function runClient(
  { program, words, isGated }: Client,
  input: Plan['input'],
  secret: Secret,
  { env, folder, baseUrl, clock, signal: stops }: ClientParts,
): Promise<Delivered> {
  const ran = await runCommand({
    ...{ program, words, secret, folder, timeoutMs, clock, ...(stops !== undefined && { signal: stops }) },
    input: `${isGated ? 'go\n' : ''}${input({ key: secret.reveal(), baseUrl })}`,
    env: { ...env, ...quiet },
  })
  const { exitCode, signal } = ran
  const isUnknown = ran.outcome === 'timed_out' || signal !== null || (exitCode ?? 0) > lastFailed || ran.inputRefused
  const outcome = ran.outcome === 'missing' ? 'missing' : isUnknown ? 'unknown' : ran.outcome === 'done' ? 'done' : 'failed'
  return { outcome, exitCode, signal, output: ran.output.trim().slice(0, mostOutput) }
}

/** Of which part of the target's content a delivery takes the place. */
const destinationOf = (target: FleetTarget): { readonly whole: string; readonly part: string | null } | null => {
  const named = (...names: (string | number | null)[]) => JSON.stringify([target.target, ...names])
  switch (target.target) {
    case 'gateway':
      return null
    case 'systemd':
      return { whole: named(posix.normalize(target.options.output ?? '')), part: null }
    case 'ssh': {
      const { host, port, path } = target.options
      return { whole: named(host.toLowerCase(), port ?? 22, posix.normalize(path)), part: null }
    }
    case 'vault':
    case 'openbao': {
      const { mount, path, how, field } = target.options
      return { whole: named(mount, path), part: how === 'patch' ? field : null }
    }
    case 'kubernetes': {
      const { context, namespace, name } = target.options
      return { whole: named(context, namespace, name), part: null }
    }
    case 'gitlab': {
      const { repo, name, scope } = target.options
      return { whole: named(repo.toLowerCase(), name, scope ?? '*'), part: null }
    }
    case 'podman':
    case 'pass':
      return { whole: named(target.options.name), part: null }
    default: {
      const { content: _, ...options } = target.options
      return { whole: named(...Object.entries(options).toSorted().flat()), part: null }
    }
  }
}
/** Whether the delivery to one target overwrites what the delivery to the other one wrote. */
export const overwrite = (a: FleetTarget, b: FleetTarget): boolean => {
  const [one, two] = [destinationOf(a), destinationOf(b)]
  return one !== null && two !== null && one.whole === two.whole && (one.part === null || two.part === null || one.part === two.part)
}
