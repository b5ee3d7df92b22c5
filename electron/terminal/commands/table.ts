import { sentEvents } from '../../../shared/webhooks/events.ts'

/** What an option takes. `file` and `folder` are completed by the shell. */
export interface OptionEntry {
  /** How its value is called in the help; null: it takes none. */
  readonly value: string | null
  readonly about: string
  readonly completes?: 'file' | 'folder' | readonly string[]
}

/** Every option there is. `-h` is short for `--help`. */
export const optionTable = {
  profile: { value: 'P', about: 'a profile, by name or id' },
  key: { value: 'NAME', about: 'a key, by label or id' },
  webhook: { value: 'URL', about: 'a webhook, by its address or id' },
  data: { value: 'DIR', about: 'the data folder of the app', completes: 'folder' },
  forward: { value: 'URL', about: 'your endpoint on this computer' },
  'secret-env': { value: 'NAME', about: 'the variable that holds the signing secret' },
  port: { value: 'N', about: 'the port to receive on' },
  answer: { value: 'A', about: 'the status to answer with', completes: ['endpoint'] },
  delay: { value: 'S', about: 'seconds before the answer' },
  to: { value: 'URL', about: 'the receiver to send to' },
  report: { value: 'FILE', about: 'where to write the report, .json or .md', completes: 'file' },
  effects: { value: 'URL', about: 'where your receiver lists the events it acted on' },
  json: { value: null, about: 'answer as JSON' },
  list: { value: null, about: 'name the events' },
  'dry-runs': { value: null, about: 'have the service validate delegated actions' },
  'accept-top': { value: null, about: 'read missing fields from the first candidate' },
  help: { value: null, about: 'show help' },
  version: { value: null, about: 'show the version' },
} as const satisfies Readonly<Record<string, OptionEntry>>
export type OptionName = keyof typeof optionTable
export const optionNames = Object.keys(optionTable) as OptionName[] // of the table right above

export type Options = ReadonlyMap<OptionName, string>

export const shells = ['bash', 'zsh', 'fish'] as const

export interface CommandEntry {
  readonly about: string
  readonly options: readonly OptionName[]
  /** What its first word may be, where that is known. */
  readonly words?: readonly string[]
  /** Takes the words of a program after `--`. */
  readonly runs?: true
  /** Why a word or option is not taken, where that needs more than a name. */
  readonly because?: { readonly dashes?: string; readonly json?: string }
  /** Sections of its help, in order; the first tells of it alone. */
  readonly help: readonly string[]
}

const run = `  svc-desk run [--profile P] --key NAME [--webhook URL] -- COMMAND [ARGUMENTS]
      Starts COMMAND with SVC_API_KEY and SVC_BASE_URL in its environment. The key
      stands in no argument and no file, and is masked where COMMAND prints it.

  svc-desk run [--profile P] --webhook URL -- COMMAND [ARGUMENTS]
      The same with SVC_WEBHOOK_SECRET, which the webhook's deliveries are signed
      with. URL is where they go, or the webhook's id.`

const listen = `  svc-desk listen [--webhook URL [--profile P] | --secret-env NAME]
                  [--forward URL] [--port N] [--answer A] [--delay S] [--json]
      Receives deliveries at http://127.0.0.1:4807/deliveries, or on port N, or where
      a webhook of practice points to. Says of each whether it is verified, and hands
      those that are on to your endpoint on this computer, such as localhost:3000/hook.
      The signing secret is that of the webhook that goes to URL or has that id;
      without one that of your only webhook, or the only one that goes to this
      computer. Or NAME is a variable that holds it. What is verified is answered 200
      at once, or after S seconds, or as A says: a status, or endpoint for what your
      endpoint answers, so that its failures are sent again; what is not, 401. The
      number of an event and Enter send it again, signed anew; Ctrl-C ends it.
      --json: one object a line.`

const keys = `  svc-desk keys list [--profile P] [--json]
  svc-desk keys rotate NAME [--profile P] [--json]
  svc-desk keys revoke NAME [--profile P] [--json]`

const check = `  svc-desk check [--profile P] [--dry-runs] [--accept-top] [--json]
      Reads every route that your keys allow, previews an order and prepares each
      action, and says what of the answers Svc Desk understands: which fields are
      missing, where they may stand, and what is unknown. Nothing is signed, sent or
      carried out. --dry-runs: has the service validate delegated actions too, which
      trusts it not to act; the first one cancels an order that does not exist.
      --accept-top: reads each missing field from its first candidate from now on,
      and reads everything again. --json: the report, without secrets. Ctrl-C ends it
      with what was read by then. Exits with 0 where all that answered is read, with
      1 where something is read partly or not. Svc Desk has to be open.`

const names = `  NAME is a key's label or id. P is a profile's name or id; without it the one
  that is open in Svc Desk, or was last.`

const trigger = `  svc-desk trigger EVENT --to URL [--secret-env NAME] [--json]
      Sends one signed sample event to your receiver of webhooks, and says what it
      answered and in how many ms. trigger --list names the events.`

const testReceiver = `  svc-desk test-receiver --to URL [--secret-env NAME] [--effects URL]
                         [--report FILE]
      Drives your receiver through what the service's document promises and
      threatens, with a line for each check. FILE ends in .json or .md. At the
      URL of --effects your receiver answers {"events": [ids]}, the ids of the
      events that it acted on; without it two checks stay unknown.
      Ctrl-C ends it with what was found by then.`

const variable = `  The variable NAME holds the secret to sign with. Without it one is made and
  shown on the terminal, for you to give to your receiver. To another computer
  than this one events go once you have typed its name. Svc Desk may be closed.`

const asks = `  While Svc Desk is open it asks you there before a key is given or changed,
  and before a check. With
  Svc Desk closed, run, listen and keys list read the system keychain themselves,
  after the passphrase where Svc Desk has a lock; what needs the sign-in of your
  wallet needs the app.`

const options = `  --data DIR   the app's data folder, where it is not the usual one
  --help, --version`

const exitCodes = `Exit codes: the command's own, 128 + n where signal n ended it, or
    1 the receiver failed, or the service is not wholly read
   64 wrong usage              75 nobody answered, or try again
   66 no such profile or key   77 denied, or a wrong passphrase
   69 keychain, service or     78 sign in with your wallet
      profile not available       in Svc Desk first
   70 a fault of Svc Desk     126 the command cannot be started
   74 the answer was lost     127 there is no such command`

const mask = `The command has no terminal of its own: its output passes through the mask. Other
programs of yours can read the environment of a process that runs.`

const completion = `  svc-desk completion bash|zsh|fish
      Prints a script that completes commands and options in that shell. For
      example: svc-desk completion bash >> ~/.bashrc`

export const commandTable = {
  run: {
    about: 'start a program with a key or secret in its environment',
    options: ['profile', 'key', 'webhook', 'data'],
    runs: true,
    because: { json: 'what is printed is the command’s own' },
    help: [run, names, asks, options, exitCodes, mask],
  },
  keys: {
    about: 'list, rotate or revoke keys',
    options: ['profile', 'key', 'json', 'data'],
    words: ['list', 'rotate', 'revoke'],
    help: [keys, names, asks, options, exitCodes],
  },
  check: {
    about: 'check what of the service the app reads',
    options: ['profile', 'dry-runs', 'accept-top', 'json', 'data'],
    help: [check, asks, options, exitCodes],
  },
  listen: {
    about: 'receive, verify and hand on deliveries',
    options: ['webhook', 'profile', 'secret-env', 'forward', 'port', 'answer', 'delay', 'json', 'data'],
    because: { dashes: 'it hands deliveries on to --forward URL' },
    help: [listen, asks, options, exitCodes],
  },
  trigger: {
    about: 'send a sample event to your receiver',
    options: ['to', 'secret-env', 'json', 'list'],
    words: sentEvents,
    help: [trigger, variable, options, exitCodes],
  },
  'test-receiver': {
    about: 'test your receiver of webhooks',
    options: ['to', 'secret-env', 'effects', 'report'],
    help: [testReceiver, variable, options, exitCodes],
  },
  completion: { about: 'print a script for your shell', options: [], words: shells, help: [completion, options] },
} as const satisfies Readonly<Record<string, CommandEntry>>
export type CommandName = keyof typeof commandTable
export const commandNames = Object.keys(commandTable) as CommandName[] // of the table right above
/** By name, or as the table of entries that any of them is. */
export const entryOf = (name: CommandName): CommandEntry => commandTable[name]

const title = 'svc-desk: keys of Svc Desk for commands, without showing them, events for\nreceivers of webhooks, and a check of the service'
const all = [title, run, listen, keys, names, check, trigger, testReceiver, variable, completion, asks, options, exitCodes, mask]

/** `svc-desk --help`, or of one command. */
export const help = (of: CommandName | null): string => `${(of === null ? all : commandTable[of].help).join('\n\n')}\n`
