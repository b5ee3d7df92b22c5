import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * This file defines the calls that deliver secrets from the keychain to where the user needs them. The renderer states only the key and the
 * destination. Main delivers the secret and reports the result, which never contains the secret.
 */

/** A question about the chosen file. Main writes nothing until the user has answered. */
export const EnvQuestion = z.discriminatedUnion('about', [
  /** The file is a link. Main can write to the link's target, or replace the link with a file. */
  z.object({ about: z.literal('link'), target: z.string() }),
  /** The file is in a git work tree and git does not ignore it, so the file could be committed. */
  z.object({ about: z.literal('not_ignored'), workTree: z.string() }),
  /** Git did not report whether the file is ignored. */
  z.object({ about: z.literal('git_unknown'), workTree: z.string() }),
])
export type EnvQuestion = z.infer<typeof EnvQuestion>

export const EnvOutcome = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  /**
   * Main wrote the `.env` file. `kept`: number of existing lines that stayed unchanged. `replaced`: names of the variables whose value was
   * overwritten.
   */
  z.object({ state: z.literal('saved'), path: z.string(), kept: z.number().int(), replaced: z.array(z.string()) }),
  /** The user must first answer `questions` about the file with `secrets.answerEnv`, within five minutes. */
  z.object({ state: z.literal('asks'), id: z.string(), path: z.string(), questions: z.array(EnvQuestion) }),
])
export type EnvOutcome = z.infer<typeof EnvOutcome>

/** What the command receives on standard input. key: the secret alone. env: lines as in a `.env` file. */
const content = z.enum(['key', 'env']).default('key')

/** Where to deliver a secret, with the options that the user typed. Main validates all options again. */
export const Handover = z.discriminatedUnion('target', [
  /**
   * Encrypts the secret with `systemd-creds encrypt`. `output`: the encrypted file, for `LoadCredentialEncrypted=`. If null, the app shows the
   * encrypted text, for `SetCredentialEncrypted=`.
   */
  z.object({
    target: z.literal('systemd'),
    options: z.object({ name: z.string(), output: z.string().nullable(), seal: z.enum(['auto', 'host', 'tpm2', 'host+tpm2']), content }),
  }),
  /** Creates a Docker secret with `docker secret create NAME -`. Docker cannot change a secret, so a new secret needs a new name. */
  z.object({ target: z.literal('docker'), options: z.object({ name: z.string(), context: z.string().nullable(), content }) }),
  /**
   * Stores the secret in Kubernetes with `kubectl`. create: fails if the secret already exists. replace: passes a manifest on standard input, for a
   * server-side apply.
   */
  z.object({
    target: z.literal('kubernetes'),
    options: z.object({
      name: z.string(),
      entry: z.string(),
      namespace: z.string().nullable(),
      context: z.string().nullable(),
      how: z.enum(['create', 'replace']),
      content,
    }),
  }),
  /** Stores the secret in GitHub with `gh secret set`. `repo` is `OWNER/NAME`. */
  z.object({ target: z.literal('github'), options: z.object({ name: z.string(), repo: z.string(), environment: z.string().nullable(), content }) }),
  /** Writes a file on another computer over `ssh`, with `umask 077; cat > path`. `host`: `name`, `user@name` or an alias in ssh's configuration. */
  z.object({
    target: z.literal('ssh'),
    options: z.object({ host: z.string(), port: z.number().int().min(1).max(65_535).nullable(), path: z.string(), content }),
  }),
  /**
   * Any program that reads a secret from standard input, for example GitLab's `glab variable set NAME`. The command is a list of words and is never
   * run by a shell.
   */
  z.object({ target: z.literal('command'), options: z.object({ words: z.array(z.string().max(4_096)).min(1).max(64), content }) }),
])
export type Handover = z.output<typeof Handover>

export const HandoverPreview = z.object({
  /** The exact command as a list of words. No shell runs it. */
  words: z.array(z.string()),
  /** The path of the program; null if it is not installed, so that `handover.run` would return `missing`. */
  program: z.string().nullable(),
  /** The program's input as the app displays it, with dots in place of the secret. */
  input: z.string(),
  /** The command line that the other computer's shell would run; null except for ssh. */
  remote: z.string().nullable(),
})
export type HandoverPreview = z.infer<typeof HandoverPreview>

export const HandoverReport = z.object({
  /**
   * How the handover ended. declined: the user declined in main's dialog. missing: the program is not installed. timed_out: main stopped the program.
   * After failed and timed_out, the secret may have arrived.
   */
  outcome: z.enum(['done', 'failed', 'timed_out', 'declined', 'missing']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** The program's output and errors in order of arrival, with the secret masked; at most 32 KiB. */
  output: z.string(),
  outputCut: z.boolean(),
  tookMs: z.number(),
})
export type HandoverReport = z.infer<typeof HandoverReport>

/** A request to this app from the command `svc-desk` in a terminal. */
export const TerminalRequest = z.object({
  id: z.string(),
  kind: z.enum(['run', 'listen', 'rotate', 'revoke', 'check', 'gateway', 'fleet']),
  profile: z.object({ id: z.string(), name: z.string(), kind: z.enum(['practice', 'live']) }),
  /** The API key that the request needs; null if the request needs no key, as for the command `svc-desk run` with only a webhook's secret. */
  key: z.object({ id: z.string(), label: z.string(), wallet: z.string() }).nullable(),
  /** A webhook whose signing secret the command also receives; null if none. */
  webhook: z.object({ id: z.string(), url: z.string(), wallet: z.string() }).nullable(),
  /** The words of the terminal command. For `run`: the command that would receive the secret. For other requests: the arguments of `svc-desk`. */
  words: z.array(z.string()),
  /** The path of the program that would receive the secret, with links resolved; null if no program receives a secret. */
  program: z.string().nullable(),
  folder: z.string(),
  /** The process that sent the request, as the system reports it; null if this system does not report it. */
  caller: z.object({ pid: z.number(), program: z.string(), startedBy: z.string().nullable() }).nullable(),
  /**
   * Why the app asks the user again each time; null if the app may remember the answer. interpreter: the program runs any file that it gets as an
   * argument, so the app cannot know what it would run next time. caller: the system does not confirm that the request came from svc-desk with these
   * words. once: a stored answer would serve no second time, or would give keys away without a question.
   */
  each: z.enum(['interpreter', 'caller', 'once']).nullable(),
  atMs: z.number(),
  /** Until when the user can answer. After that, the app denies the request. */
  expiresAtMs: z.number(),
})
export type TerminalRequest = z.infer<typeof TerminalRequest>

/**
 * The user's permission for later requests from a terminal, so that the app does not ask again. It covers requests for the same key and webhook with
 * the same secrets, words, program and folder. It ends when the app locks or quits.
 */
export const TerminalGrant = z.object({
  id: z.string(),
  kind: z.enum(['run', 'listen', 'rotate', 'revoke', 'check', 'gateway', 'fleet']),
  profile: z.object({ id: z.string(), name: z.string() }),
  key: z.object({ id: z.string(), label: z.string() }).nullable(),
  webhook: z.object({ id: z.string(), url: z.string() }).nullable(),
  words: z.array(z.string()),
  folder: z.string(),
  atMs: z.number(),
  endsAtMs: z.number(),
  lastUsedAtMs: z.number().nullable(),
})
export type TerminalGrant = z.infer<typeof TerminalGrant>

export const TerminalState = z.object({
  /** Whether a `svc-desk` command in a terminal can connect to this app. */
  line: z.enum(['open', 'closed']),
  /** Why a `svc-desk` command cannot connect to this app, as a sentence; null if it can. */
  detail: z.string().nullable(),
})

export const secrets = {
  /** Shows the secret in a separate window; the page never receives the secret. The window closes automatically at `closesAtMs`, or earlier. */
  'secrets.reveal': command(z.object({ keyId: z.string() }), z.object({ closesAtMs: z.number() }), { invalidates: ['activity.secrets'] }),
  /** Saves `SVC_API_KEY` and `SVC_BASE_URL` to a file with mode 0600. The user picks the file in the system dialog. */
  'secrets.saveEnv': command(z.object({ keyId: z.string() }), EnvOutcome, { invalidates: ['activity.secrets'] }),
  /**
   * Answers the questions in an `asks` result. write: writes the file; if it is a link, replaces the link with a file. ignore: first adds the file's
   * name to the folder's `.gitignore`. cancel: writes nothing.
   */
  'secrets.answerEnv': command(z.object({ id: z.string(), answer: z.enum(['write', 'ignore', 'cancel']) }), EnvOutcome, { invalidates: ['activity.secrets'] }),

  /** Returns a preview of the command. Runs nothing and reads no secret. Fails with `bad_input` for an invalid option. */
  'handover.preview': query(Handover, HandoverPreview, 'wallet'),
  /** Runs the command with the secret on standard input. Main first asks the user once more in a system dialog. */
  'handover.run': command(z.object({ keyId: z.string() }).and(Handover), HandoverReport, { invalidates: ['activity.secrets'] }),

  'terminal.state': query(z.object({}), TerminalState, 'wallet'),
  /**
   * Returns the requests from a terminal that wait for the user's answer, oldest first. Main marks this query as stale when a request arrives or
   * ends.
   */
  'terminal.pending': query(z.object({}), z.array(TerminalRequest), 'wallet'),
  'terminal.answer': command(z.object({ id: z.string(), answer: z.enum(['once', 'always', 'deny']) }), z.object({}), {
    invalidates: ['terminal.pending', 'terminal.grants', 'activity.secrets'],
  }),
  'terminal.grants': query(z.object({}), z.array(TerminalGrant), 'wallet'),
  'terminal.forget': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['terminal.grants'] }),
} as const
