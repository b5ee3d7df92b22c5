import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * Secrets on their way out of the keychain, to where they are used. The page says which key and where to; main does it
 * and answers with what happened. No output here can hold a secret.
 */

/** Something about the chosen file that the user decides on; nothing was written yet. */
export const EnvQuestion = z.discriminatedUnion('about', [
  /** The name is a link to another file: writing goes to that one, or replaces the link. */
  z.object({ about: z.literal('link'), target: z.string() }),
  /** The folder is inside a git work tree that does not ignore the file: it could be committed. */
  z.object({ about: z.literal('not_ignored'), workTree: z.string() }),
  /** Git could not be asked whether it ignores the file. */
  z.object({ about: z.literal('git_unknown'), workTree: z.string() }),
])
export type EnvQuestion = z.infer<typeof EnvQuestion>

export const EnvOutcome = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  /** `kept`: lines of the former file that stayed as they were. `replaced`: names that had another value before. */
  z.object({ state: z.literal('saved'), path: z.string(), kept: z.number().int(), replaced: z.array(z.string()) }),
  /** Waits for `secrets.answerEnv`, for five minutes. */
  z.object({ state: z.literal('asks'), id: z.string(), path: z.string(), questions: z.array(EnvQuestion) }),
])
export type EnvOutcome = z.infer<typeof EnvOutcome>

/** What goes to the command's input: the secret alone, or lines as in a `.env` file. */
const content = z.enum(['key', 'env']).default('key')

/** A place that a secret is handed to, with what the user typed about it. Every part is checked again in main. */
export const Handover = z.discriminatedUnion('target', [
  /** `systemd-creds encrypt`: for `LoadCredentialEncrypted=`. `output` null: the encrypted text is shown, for `SetCredentialEncrypted=`. */
  z.object({
    target: z.literal('systemd'),
    options: z.object({ name: z.string(), output: z.string().nullable(), seal: z.enum(['auto', 'host', 'tpm2', 'host+tpm2']), content }),
  }),
  /** `docker secret create NAME -`. Docker cannot change a secret: a new one needs a new name. */
  z.object({ target: z.literal('docker'), options: z.object({ name: z.string(), context: z.string().nullable(), content }) }),
  /** `kubectl`. create: fails where it exists. replace: a manifest on the input, applied on the server's side. */
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
  /** Any program that reads a secret from its input, for example GitLab's `glab variable set NAME`. Words, never a shell's line. */
  z.object({ target: z.literal('command'), options: z.object({ words: z.array(z.string().max(4_096)).min(1).max(64), content }) }),
])
export type Handover = z.output<typeof Handover>

export const HandoverPreview = z.object({
  /** Exactly what will be started, word by word: no shell reads it. */
  words: z.array(z.string()),
  /** Where the program is; null: it is not installed, and `handover.run` would answer `missing`. */
  program: z.string().nullable(),
  /** What goes to its input, the secret as dots. */
  input: z.string(),
  /** The line that the other computer's shell reads; null but for ssh. */
  remote: z.string().nullable(),
})
export type HandoverPreview = z.infer<typeof HandoverPreview>

export const HandoverReport = z.object({
  /** declined: the user said no to main's own question. missing: the program is not there. timed_out: it was ended. */
  outcome: z.enum(['done', 'failed', 'timed_out', 'declined', 'missing']),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** What it wrote, both streams in order of arrival, with the secret masked; at most 32 KiB. */
  output: z.string(),
  outputCut: z.boolean(),
  tookMs: z.number(),
})
export type HandoverReport = z.infer<typeof HandoverReport>

/** What `svc-desk` asks for in a terminal. */
export const TerminalRequest = z.object({
  id: z.string(),
  kind: z.enum(['run', 'listen', 'rotate', 'revoke', 'check']),
  profile: z.object({ id: z.string(), name: z.string(), kind: z.enum(['practice', 'live']) }),
  /** null: a `run` with a webhook alone, or a check. */
  key: z.object({ id: z.string(), label: z.string(), wallet: z.string() }).nullable(),
  /** Whose signing secret the command would get, too. */
  webhook: z.object({ id: z.string(), url: z.string(), wallet: z.string() }).nullable(),
  /** run: the command that would get the secret, word by word. Others, listen too: the words of `svc-desk` itself. */
  words: z.array(z.string()),
  /** The program's file, links resolved; null where nothing gets a secret. */
  program: z.string().nullable(),
  folder: z.string(),
  /** Which process asks, as the system says; null: this system does not say. */
  caller: z.object({ pid: z.number(), program: z.string(), startedBy: z.string().nullable() }).nullable(),
  /**
   * Why the user is asked each time; null: the answer may be kept. interpreter: its program runs whatever file it is given. caller: the system does not say
   * that it is svc-desk, started with these words. once: what it does cannot be done twice.
   */
  each: z.enum(['interpreter', 'caller', 'once']).nullable(),
  atMs: z.number(),
  /** Unanswered until then, it is denied. */
  expiresAtMs: z.number(),
})
export type TerminalRequest = z.infer<typeof TerminalRequest>

/** A request that is granted without asking, for this run of the app and until it locks: the same key and webhook with the same secrets, words, program and folder. */
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
  /** Whether `svc-desk` can reach this app. */
  line: z.enum(['open', 'closed']),
  /** Why it is closed, in words. */
  detail: z.string().nullable(),
})

export const secrets = {
  /** Opens a window of its own that shows the secret; the page never has it. It closes by itself at `closesAtMs`, or earlier. */
  'secrets.reveal': command(z.object({ keyId: z.string() }), z.object({ closesAtMs: z.number() }), { invalidates: ['activity.secrets'] }),
  /** Main asks for the file with the system's own dialog, then writes `SVC_API_KEY` and `SVC_BASE_URL` into it, mode 0600. */
  'secrets.saveEnv': command(z.object({ keyId: z.string() }), EnvOutcome, { invalidates: ['activity.secrets'] }),
  /**
   * The user's word on an `asks`. write: to the file itself (`link`: replaces the link by a file of its own).
   * ignore: adds the name to the folder's `.gitignore` first. cancel: writes nothing.
   */
  'secrets.answerEnv': command(z.object({ id: z.string(), answer: z.enum(['write', 'ignore', 'cancel']) }), EnvOutcome, { invalidates: ['activity.secrets'] }),

  /** What would run. Starts nothing and reads no secret. `bad_input` names the option that cannot be. */
  'handover.preview': query(Handover, HandoverPreview, 'wallet'),
  /** Main asks once more with the system's own dialog, then runs it with the secret on its input. */
  'handover.run': command(z.object({ keyId: z.string() }).and(Handover), HandoverReport, { invalidates: ['activity.secrets'] }),

  'terminal.state': query(z.object({}), TerminalState, 'wallet'),
  /** Oldest first. Main invalidates it by itself when one comes or goes. */
  'terminal.pending': query(z.object({}), z.array(TerminalRequest), 'wallet'),
  'terminal.answer': command(z.object({ id: z.string(), answer: z.enum(['once', 'always', 'deny']) }), z.object({}), {
    invalidates: ['terminal.pending', 'terminal.grants', 'activity.secrets'],
  }),
  'terminal.grants': query(z.object({}), z.array(TerminalGrant), 'wallet'),
  'terminal.forget': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['terminal.grants'] }),
} as const
