import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * These calls move secrets from the keychain to where the user needs them. The renderer only names the key and the destination. Main moves the secret
 * and reports the result, which never contains the secret.
 */

/** A question about the chosen file that the user must answer; main has written nothing yet. */
export const EnvQuestion = z.discriminatedUnion('about', [
  /** The file is a link: main can write to its target, or replace the link. */
  z.object({ about: z.literal('link'), target: z.string() }),
  /** The folder is in a git work tree that does not ignore the file, so the file could be committed. */
  z.object({ about: z.literal('not_ignored'), workTree: z.string() }),
  /** Git did not report whether it ignores the file. */
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
  /** The user must first answer questions about the file, within five minutes, through `secrets.answerEnv`. */
  z.object({ state: z.literal('asks'), id: z.string(), path: z.string(), questions: z.array(EnvQuestion) }),
])
export type EnvOutcome = z.infer<typeof EnvOutcome>

/** The input of the command: the secret alone, or lines like those of a `.env` file. */
const content = z.enum(['key', 'env']).default('key')

/** A destination for a secret, with the options that the user typed. Main validates every part again. */
export const Handover = z.discriminatedUnion('target', [
  /**
   * `systemd-creds encrypt`. `output`: the encrypted file, for `LoadCredentialEncrypted=`. `output` null: shows the encrypted text, for
   * `SetCredentialEncrypted=`.
   */
  z.object({
    target: z.literal('systemd'),
    options: z.object({ name: z.string(), output: z.string().nullable(), seal: z.enum(['auto', 'host', 'tpm2', 'host+tpm2']), content }),
  }),
  /** `docker secret create NAME -`. Docker cannot change a secret: a new one needs a new name. */
  z.object({ target: z.literal('docker'), options: z.object({ name: z.string(), context: z.string().nullable(), content }) }),
  /** `kubectl`. create: fails if the secret exists. replace: passes a manifest as input, for a server-side apply. */
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
  /** `gh secret set`. `repo` is `OWNER/NAME`. */
  z.object({ target: z.literal('github'), options: z.object({ name: z.string(), repo: z.string(), environment: z.string().nullable(), content }) }),
  /** A file on another computer: `umask 077; cat > path` over `ssh`. `host` is `name`, `user@name` or an alias of ssh's own configuration. */
  z.object({
    target: z.literal('ssh'),
    options: z.object({ host: z.string(), port: z.number().int().min(1).max(65_535).nullable(), path: z.string(), content }),
  }),
  /**
   * Any program that reads a secret from standard input, for example GitLab's `glab variable set NAME`. A list of words, never a shell command line.
   */
  z.object({ target: z.literal('command'), options: z.object({ words: z.array(z.string().max(4_096)).min(1).max(64), content }) }),
])
export type Handover = z.output<typeof Handover>

export const HandoverPreview = z.object({
  /** The exact command, word by word. No shell parses it. */
  words: z.array(z.string()),
  /** The path of the program; null: not installed, and `handover.run` would return `missing`. */
  program: z.string().nullable(),
  /** The program's input as the app displays it, with dots in place of the secret. */
  input: z.string(),
  /** The command line for the other computer's shell; null except for ssh. */
  remote: z.string().nullable(),
})
export type HandoverPreview = z.infer<typeof HandoverPreview>

export const HandoverReport = z.object({
  /** declined: the user declined in main's own dialog. missing: the program does not exist. timed_out: main ended the program. */
  outcome: z.enum(['done', 'failed', 'timed_out', 'declined', 'missing']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** The output of both streams in order of arrival, with the secret masked; at most 32 KiB. */
  output: z.string(),
  outputCut: z.boolean(),
  tookMs: z.number(),
})
export type HandoverReport = z.infer<typeof HandoverReport>

/** A request that `svc-desk` makes from a terminal. */
export const TerminalRequest = z.object({
  id: z.string(),
  kind: z.enum(['run', 'listen', 'rotate', 'revoke', 'check']),
  profile: z.object({ id: z.string(), name: z.string(), kind: z.enum(['practice', 'live']) }),
  /** The API key that the request needs; null for a check, and for a `run` that needs only a webhook's secret. */
  key: z.object({ id: z.string(), label: z.string(), wallet: z.string() }).nullable(),
  /** The webhook whose signing secret the command receives, too; null: none. */
  webhook: z.object({ id: z.string(), url: z.string(), wallet: z.string() }).nullable(),
  /**
   * The words of the terminal command. For `run`: the command that would receive the secret. For all other kinds: the arguments of `svc-desk` itself.
   */
  words: z.array(z.string()),
  /** The path of the program that would receive the secret, with links resolved; null if the request passes no secret to a program. */
  program: z.string().nullable(),
  folder: z.string(),
  /** The requesting process, as reported by the system; null: this system does not report it. */
  caller: z.object({ pid: z.number(), program: z.string(), startedBy: z.string().nullable() }).nullable(),
  /**
   * Why the app must ask the user about every such request; null: it may remember the answer. interpreter: the program runs any file that it receives
   * as an argument, so the app cannot tell what it would run next time. caller: the system does not confirm that svc-desk, started with these words,
   * made the request. once: the action cannot be done twice.
   */
  each: z.enum(['interpreter', 'caller', 'once']).nullable(),
  atMs: z.number(),
  /** Deadline for the user's answer. After it, the app denies the request. */
  expiresAtMs: z.number(),
})
export type TerminalRequest = z.infer<typeof TerminalRequest>

/**
 * The user's permission for later requests from a terminal, so that the app does not ask again. It covers requests for the same key and webhook with
 * the same secrets, words, program and folder. It ends when the app locks or quits.
 */
export const TerminalGrant = z.object({
  id: z.string(),
  kind: z.enum(['run', 'listen', 'rotate', 'revoke', 'check']),
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
  /** Opens a separate window that shows the secret; the page never receives it. It closes automatically at `closesAtMs`, or earlier. */
  'secrets.reveal': command(z.object({ keyId: z.string() }), z.object({ closesAtMs: z.number() }), { invalidates: ['activity.secrets'] }),
  /** Main asks for the file in the system dialog, then writes `SVC_API_KEY` and `SVC_BASE_URL` into it, mode 0600. */
  'secrets.saveEnv': command(z.object({ keyId: z.string() }), EnvOutcome, { invalidates: ['activity.secrets'] }),
  /**
   * The user's answer to the questions in an `asks` result. write: writes to the file; if the file is a link, replaces the link with a file. ignore:
   * first adds the file name to the folder's `.gitignore`. cancel: writes nothing.
   */
  'secrets.answerEnv': command(z.object({ id: z.string(), answer: z.enum(['write', 'ignore', 'cancel']) }), EnvOutcome, { invalidates: ['activity.secrets'] }),

  /** Previews the command. Starts nothing and reads no secret. `bad_input` names the invalid option. */
  'handover.preview': query(Handover, HandoverPreview, 'wallet'),
  /** Main asks once more in the system dialog, then runs the command with the secret as input. */
  'handover.run': command(z.object({ keyId: z.string() }).and(Handover), HandoverReport, { invalidates: ['activity.secrets'] }),

  'terminal.state': query(z.object({}), TerminalState, 'wallet'),
  /**
   * Requests from a terminal that wait for the user's answer, oldest first. Main invalidates the query automatically when a request arrives or ends.
   */
  'terminal.pending': query(z.object({}), z.array(TerminalRequest), 'wallet'),
  'terminal.answer': command(z.object({ id: z.string(), answer: z.enum(['once', 'always', 'deny']) }), z.object({}), {
    invalidates: ['terminal.pending', 'terminal.grants', 'activity.secrets'],
  }),
  'terminal.grants': query(z.object({}), z.array(TerminalGrant), 'wallet'),
  'terminal.forget': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['terminal.grants'] }),
} as const
