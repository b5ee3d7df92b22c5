import { isAbsolute, normalize } from 'node:path'
import type { Handover, HandoverReport } from '../../../../shared/ipc/keys/secrets.ts'
import { ok, unreachable } from '../../../../shared/result.ts'
import { type Clock, second } from '../../../../shared/time.ts'
import { handoverQuestion } from '../../../kernel/files/dialog-words.ts'
import { type Confirm, most } from '../../../kernel/files/dialogs.ts'
import type { HandlersOf } from '../../../kernel/handlers.ts'
import type { NoteSecretUse, SecretUse } from '../../../store/secrets/secret-store.ts'
import type { HoldKey } from '../../../store/secrets/stored-secrets.ts'
import { contentOf, type Handed, isPlain, mostOfProgram, type PlanResult, part, pictureOf, rules, wordOf, wrong } from './outlet-plan.ts'
import { findProgram, notedOutcome, runCommand } from './run-command.ts'

export interface HandoverDeps {
  readonly profileId: string
  readonly baseUrl: string
  readonly holdKey: HoldKey
  /** Asks the user in a system dialog. A script in the page cannot answer this dialog, so it cannot send a secret anywhere. */
  readonly confirm: Confirm
  readonly note: NoteSecretUse
  readonly env: NodeJS.ProcessEnv
  /** The folder in which commands start: the user's home. */
  readonly folder: string
  readonly clock: Clock
}

const timeoutMs = 60 * second
const dots = '••••••••••••'

/**
 * Hands a key to the secret store of a server or program. The app passes the secret only on a command’s input, never in its arguments or environment.
 */
export function createHandover({ profileId, baseUrl, holdKey, confirm, note, env, folder, clock }: HandoverDeps): HandlersOf<'handover'> {
  const place = { env, platform: process.platform }
  return {
    async 'handover.preview'(handover) {
      const plan = planHandover(handover)
      if (!plan.ok) return plan
      const { words, input, remote } = plan.value
      return ok({
        words: [...words],
        program: await findProgram(words[0] ?? '', place),
        input: input({ key: dots, baseUrl }),
        remote,
      })
    },
    async 'handover.run'({ keyId, ...handover }) {
      const plan = planHandover(handover)
      if (!plan.ok) return plan
      const { words, input, to } = plan.value
      const key = await holdKey(keyId)
      if (!key.ok) return key
      const { label, secret } = key.value
      const noted = (outcome: SecretUse['outcome']) => note({ use: 'handed_over', profileId, keyId, label, to, by: 'app', outcome })

      const program = await findProgram(words[0] ?? '', place)
      if (program === null) return ok(notRun('missing'))
      const agreed = await confirm({
        ...handoverQuestion(label),
        detail: pictureOf(plan.value, handover, program),
      })
      if (!agreed) {
        noted('denied')
        return ok(notRun('declined'))
      }
      const taken = secret.take()
      if (!taken.ok) {
        noted('denied')
        return taken
      }
      const { inputRefused: _, ...ran } = await runCommand({
        program,
        words,
        input: input({ key: taken.value.reveal(), baseUrl }),
        secret: taken.value,
        env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
        folder,
        timeoutMs,
        clock,
      })
      noted(notedOutcome(ran.outcome))
      return ok(ran)
    },
  }
}

const notRun = (outcome: 'missing' | 'declined'): HandoverReport => ({ outcome, exitCode: null, signal: null, output: '', outputCut: false, tookMs: 0 })

/** For each target, the option to name in the error if the command is too long to show. */
const longOption = { systemd: 'output', docker: 'name', kubernetes: 'name', github: 'environment', ssh: 'path', command: 'words' } as const

/**
 * Builds the command that passes a secret to a target. Fails with `bad_input` and the name of an option if the option is invalid, or too long for
 * the dialog to show the whole command. Has no side effects.
 */
export function planHandover(handover: Handover): PlanResult {
  const planned = planFor(handover)
  if (!planned.ok || pictureOf(planned.value, handover, '').length + mostOfProgram <= most.detail) return planned
  return wrong(longOption[handover.target], 'too_long_to_show')
}

function planFor(handover: Handover): PlanResult {
  switch (handover.target) {
    case 'systemd':
      return planSystemd(handover.options)
    case 'docker':
      return planDocker(handover.options)
    case 'kubernetes':
      return planKubernetes(handover.options)
    case 'github':
      return planGithub(handover.options)
    case 'ssh':
      return planSsh(handover.options)
    case 'command':
      return planCommand(handover.options)
    default:
      return unreachable(handover)
  }
}

/** Runs `gh secret set`, which encrypts the secret for the repository before sending the secret. */
function planGithub({ name, repo, environment, content }: Extract<Handover, { target: 'github' }>['options']): PlanResult {
  for (const checked of [part('name', name, rules.githubName), part('repo', repo, rules.repository), part('environment', environment, rules.environment)])
    if (!checked.ok) return checked
  return ok({
    words: ['gh', 'secret', 'set', name, `--repo=${repo}`, ...(environment === null ? [] : [`--env=${environment}`])],
    input: contentOf(content),
    remote: null,
    to: `GitHub secret ${name} of ${repo}`,
  })
}

/** Runs `docker secret create`, which stores the secret for the services of a Docker swarm. */
function planDocker({ name, context, content }: Extract<Handover, { target: 'docker' }>['options']): PlanResult {
  const named = part('name', name, rules.docker)
  if (!named.ok) return named
  const from = part('context', context, rules.dockerContext)
  if (!from.ok) return from
  return ok({
    words: ['docker', ...(context === null ? [] : [`--context=${context}`]), 'secret', 'create', name, '-'],
    input: contentOf(content),
    remote: null,
    to: `docker secret ${name}`,
  })
}

/** Runs a program of the user’s choice that reads the secret from its input. */
function planCommand({ words, content }: Extract<Handover, { target: 'command' }>['options']): PlanResult {
  const [program] = words
  if (program === undefined || program === '') return wrong('words', 'needed')
  for (const word of words) {
    const checked = wordOf('words', word)
    if (!checked.ok) return checked
  }
  if (program.startsWith('-')) return wrong('words', 'program_first')
  return ok({
    words,
    input: contentOf(content),
    remote: null,
    to: words.join(' '),
  })
}

/** Runs `systemd-creds encrypt`. Only services on this computer can read the resulting credential. */
function planSystemd({ name, output, seal, content }: Extract<Handover, { target: 'systemd' }>['options']): PlanResult {
  const named = part('name', name, rules.credential)
  if (!named.ok) return named
  if (output !== null && (!isAbsolute(output) || normalize(output) !== output || output.endsWith('/') || !isPlain(output) || output.length > 4_096))
    return wrong('output', 'whole_path')
  return ok({
    words: ['systemd-creds', 'encrypt', `--name=${name}`, `--with-key=${seal}`, ...(output === null ? ['--pretty', '-', '-'] : ['-', output])],
    input: contentOf(content),
    remote: null,
    to: output === null ? `systemd credential ${name}, shown` : `systemd credential ${output}`,
  })
}

/**
 * Runs `kubectl` and passes a manifest on its input. `--from-file=/dev/stdin` does not work with every kind of pipe that a parent process creates.
 * Client-side `apply` would keep a copy of the secret in an annotation.
 */
function planKubernetes({ name, entry, namespace, context, how, content }: Extract<Handover, { target: 'kubernetes' }>['options']): PlanResult {
  for (const checked of [
    part('name', name, rules.object),
    content === 'key' ? part('entry', entry, rules.entry) : ok(null),
    part('namespace', namespace, rules.namespace),
    part('context', context, rules.kubeContext),
  ])
    if (!checked.ok) return checked
  const where = [...(context === null ? [] : [`--context=${context}`]), ...(namespace === null ? [] : [`--namespace=${namespace}`])]
  const manifest = ({ key, baseUrl }: Handed) =>
    `${JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, ...(namespace === null ? {} : { namespace }) },
        type: 'Opaque',
        stringData: content === 'key' ? { [entry]: key } : { SVC_API_KEY: key, SVC_BASE_URL: baseUrl },
      },
      null,
      2,
    )}\n`
  return ok({
    words: ['kubectl', ...where, ...(how === 'create' ? ['create'] : ['apply', '--server-side', '--force-conflicts']), '--filename=-'],
    input: manifest,
    remote: null,
    to: `kubernetes secret ${namespace === null ? '' : `${namespace}/`}${name}`,
  })
}

/**
 * The script that `sh` runs on the other computer, with the path as `$0`. It creates a new private file beside the path (`set -C` refuses an
 * existing file) and then moves the file into place. So links and the old file’s mode do not matter. An empty input is refused: it comes from an app
 * that ended before it wrote the secret.
 */
const script =
  'umask 077 && set -C && [ ! -d "$0" ] && : > "$0.$$" && { cat >> "$0.$$" && [ -s "$0.$$" ] && mv -f -- "$0.$$" "$0" || { rm -f -- "$0.$$"; exit 1; }; }'

/** Puts one word in single quotes, so that no shell on the other computer interprets its characters. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function planSsh({ host, port, path, content }: Extract<Handover, { target: 'ssh' }>['options']): PlanResult {
  const named = part('host', host, rules.sshHost)
  if (!named.ok) return named
  // Drop a leading `~/`, because ssh already starts in the home folder.
  const inHome = path.replace(/^~\//, '')
  if (inHome === '' || /[\\!]/.test(inHome) || !isPlain(inHome) || inHome.startsWith('~') || /(^|\/)\.{0,2}$/.test(inHome) || inHome.length > 1_024)
    return wrong('path', 'remote_path')
  const target = inHome.startsWith('/') ? inHome : `./${inHome}`
  const remote = `sh -c ${quoted(script)} ${quoted(target)}`
  return ok({
    // With BatchMode, ssh asks no questions. If the host is unknown or requires a password, ssh fails.
    words: [
      'ssh',
      '-T',
      '-o',
      'BatchMode=yes',
      '-o',
      'StrictHostKeyChecking=yes',
      '-o',
      'ConnectTimeout=15',
      '-o',
      'ClearAllForwardings=yes',
      '-o',
      'ForwardAgent=no',
      ...(port === null ? [] : ['-p', String(port)]),
      '--',
      host,
      remote,
    ],
    input: contentOf(content),
    remote,
    to: `${host}:${path}`,
  })
}
