import { sentEvents } from '../../../shared/webhooks/events.ts'
import { exitCodeMeanings } from '../channel/refusal.ts'

/** One option of a command: the name of its value, its description, and how the shell completes the value. */
export interface OptionEntry {
  readonly value: string | null
  readonly about: string
  readonly completes?: 'file' | 'folder' | 'variable' | readonly string[]
}

/** Every option of all commands. `-h` is short for `--help`. */
export const optionTable = {
  key: { value: 'NAME', about: 'Key label or id' },
  webhook: { value: 'URL', about: 'Webhook URL or id' },
  profile: { value: 'P', about: 'Profile name or id (default: the one last open in Svc Desk)' },
  'secret-env': { value: 'NAME', about: 'Environment variable that holds the signing secret', completes: 'variable' },
  forward: { value: 'URL', about: 'Your endpoint on this computer, such as localhost:3000/hook' },
  port: { value: 'N', about: 'Port (default: 8421; for listen the webhook’s, else 4807)' },
  answer: { value: 'A', about: 'Status for verified deliveries, 200 to 599, or endpoint', completes: ['endpoint'] },
  delay: { value: 'S', about: 'Seconds to wait before answering, at most 60' },
  to: { value: 'URL', about: 'Your receiver, such as localhost:4000/in' },
  effects: { value: 'URL', about: 'URL where your receiver lists the events it acted on' },
  report: { value: 'FILE', about: 'Write a report to this .json or .md file', completes: 'file' },
  'passphrase-fd': { value: 'N', about: 'Read the passphrase’s line from file descriptor N, 0 for standard input' },
  'no-secrets': { value: null, about: 'Leave out the secrets of keys and webhooks' },
  mode: { value: 'M', about: 'observe, dry-run or live (default: observe)', completes: ['observe', 'dry-run', 'live'] },
  scopes: { value: 'LIST', about: 'Joined by commas (default: the key’s, but collateral:manage)' },
  'expires-in-days': { value: 'N', about: 'Days until the token ends (default: never)' },
  market: { value: 'LIST', about: 'Markets, such as BTC-PERP,ETH-PERP' },
  side: { value: 'S', about: 'long, short or both', completes: ['long', 'short', 'both'] },
  'max-order': { value: 'USDC', about: 'Largest value of one order' },
  'max-leverage': { value: 'N', about: 'Highest leverage' },
  'max-open': { value: 'USDC', about: 'Largest value of all positions and orders' },
  'orders-per-minute': { value: 'N', about: 'Most actions a minute that may add risk' },
  'max-loss': { value: 'USDC', about: 'Largest loss of the wallet a day' },
  hours: { value: 'H', about: 'Hours to add risk, in UTC, such as 08:00-17:30' },
  silence: { value: 'S', about: 'Seconds of silence that end its orders: 60 or 60:close' },
  config: { value: 'FILE', about: 'Run the gateway of this .toml file, without Svc Desk', completes: 'file' },
  list: { value: null, about: 'List the events and when the service sends them' },
  'dry-runs': { value: null, about: 'Let the service validate delegated actions too' },
  'accept-top': { value: null, about: 'Read missing fields from their first candidate from now on' },
  staged: { value: null, about: 'Search what git would commit' },
  history: { value: null, about: 'Search every commit that a branch or tag reaches' },
  format: { value: 'F', about: 'text, json or sarif (default: text)', completes: ['text', 'json', 'sarif'] },
  ignored: { value: null, about: 'Search files that git ignores, too' },
  fingerprints: { value: 'FILE', about: 'Recognise your own keys by this file', completes: 'file' },
  'export-fingerprints': { value: 'FILE', about: 'Write fingerprints of your keys to this file', completes: 'file' },
  json: { value: null, about: 'Print JSON' },
  data: { value: 'DIR', about: 'Data folder of the app (default: the usual one)', completes: 'folder' },
  help: { value: null, about: 'Show help' },
  version: { value: null, about: 'Show the version' },
} as const satisfies Readonly<Record<string, OptionEntry>>
export type OptionName = keyof typeof optionTable
export const optionNames = Object.keys(optionTable) as OptionName[] // The cast is safe: the keys are exactly those of `optionTable`.

export type Options = ReadonlyMap<OptionName, string>

export const shells = ['bash', 'zsh', 'fish'] as const

/** One command of `svc-desk`. The help, completion, usage errors and build/docs/terminal.md are generated from these entries. */
export interface CommandEntry {
  /** A description of the command in one line, without a full stop. */
  readonly about: string
  /** The arguments that follow the command's name. Each possible form is on a line of its own. */
  readonly usage: readonly string[]
  readonly options: readonly OptionName[]
  /** The paragraphs of the command's help text. The help wraps long lines. */
  readonly text: readonly string[]
  /** Example commands: either the arguments after `svc-desk`, or a whole line that contains `svc-desk`. */
  readonly examples: readonly string[]
  /** The meaning of the exit codes that only this command uses. */
  readonly exits?: string
  /** The possible values of the first argument, if known. */
  readonly words?: readonly string[]
  /** True if the first argument is a file. */
  readonly takesFile?: true
  /** True if the command runs the program given after `--`. */
  readonly runs?: true
  /** Advice for a user who passes `--` or `--json` to a command that does not support it. */
  readonly instead?: { readonly dashes?: string; readonly json?: string }
}

const reads =
  'While Svc Desk is open, it asks you first. While it is closed, svc-desk reads the system keychain. If Svc Desk has a lock, svc-desk asks for the passphrase. The practice profile needs the open app.'
const sends =
  'Without --secret-env, svc-desk makes a secret and shows it on the terminal. Give it to your receiver. To send to another computer, you type its name. Svc Desk may be closed.'
const changes = 'Svc Desk must be open with the profile, and signed in with your wallet. It asks you first.'

const inTheApp = 'Svc Desk must be open with the profile.'
const asksFirst = 'Svc Desk must be open with the profile, and it asks you first.'

const keyCommands = {
  'keys list': {
    about: 'List your keys',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: [
      'Prints the label, id, status, expiry and wallet of each key, and whether its secret is on this computer.',
      'If the profile is not open in Svc Desk, it prints what this computer remembers. If Svc Desk is closed and has a lock, svc-desk asks for the passphrase. The practice profile needs the open app.',
    ],
    examples: ['keys list', 'keys list --profile Main --json'],
  },
  'keys rotate': {
    about: 'Give a key a new secret',
    usage: ['NAME [OPTIONS]'],
    options: ['key', 'profile', 'json', 'data'],
    text: ['NAME is the key’s label or id. The old secret stops working.', changes],
    examples: ['keys rotate hedger', 'keys rotate hedger --json'],
  },
  'keys revoke': {
    about: 'Revoke a key',
    usage: ['NAME [OPTIONS]'],
    options: ['key', 'profile', 'json', 'data'],
    text: ['NAME is the key’s label or id. The service stops accepting the key.', changes],
    examples: ['keys revoke hedger', 'keys revoke hedger --profile Main'],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>

const paused = 'It works while Svc Desk is locked, and it does not ask. Orders that have already left are named; they may still take effect.'
const gatewayCommands = {
  'gateway status': {
    about: 'Show the gateway and its bots',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['Prints the address that bots use in place of the exchange’s, and each bot.', inTheApp],
    examples: ['gateway status', 'gateway status --json'],
  },
  'gateway on': {
    about: 'Let bots use the exchange through the gateway',
    usage: ['[OPTIONS]'],
    options: ['port', 'profile', 'json', 'data'],
    text: ['The gateway listens on 127.0.0.1 and on a socket of your user, while Svc Desk runs. Its port stays the same (default: 8421).', asksFirst],
    examples: ['gateway on', 'gateway on --port 9000'],
  },
  'gateway off': {
    about: 'Stop the gateway',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['Bots then reach nothing. Their tokens stay valid. It works while Svc Desk is locked.', inTheApp],
    examples: ['gateway off'],
  },
  'gateway token': {
    about: 'Make a bot’s token for a configuration',
    usage: [''],
    options: [],
    text: [
      'Prints a new token, and on standard error the line for the configuration of a gateway on a server. That line holds only a hash. Svc Desk may be closed.',
    ],
    examples: ['gateway token'],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>

const limitOptions = ['market', 'side', 'max-order', 'max-leverage', 'max-open', 'orders-per-minute', 'max-loss', 'hours', 'silence'] as const

const botCommands = {
  'bots list': {
    about: 'List the bots of the gateway',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['Prints the name, id, state, mode, calls a second, errors and orders of each bot.', inTheApp],
    examples: ['bots list', 'bots list --json'],
  },
  'bots add': {
    about: 'Add a bot and print its token once',
    usage: ['NAME --key KEY [OPTIONS]'],
    options: ['key', 'mode', 'scopes', 'expires-in-days', ...limitOptions, 'profile', 'json', 'data'],
    text: [
      'Prints the token that the bot sends in place of a key, only this once. In dry-run mode, the service only validates its orders. What no option names has no limit.',
      asksFirst,
    ],
    examples: ['bots add grid --key hedger', 'bots add grid --key hedger --mode live --max-order 500'],
  },
  'bots limits': {
    about: 'Show or change the mode and limits of a bot',
    usage: ['NAME [OPTIONS]'],
    options: ['mode', ...limitOptions, 'profile', 'json', 'data'],
    text: [
      'NAME is the bot’s name or id. Without a mode or limit, prints those of the bot. What no option names stays; none removes a limit.',
      'Svc Desk must be open with the profile. It asks you first if the change lets the bot do more.',
    ],
    examples: ['bots limits grid', 'bots limits grid --max-order 500 --hours 08:00-17:30', 'bots limits grid --max-loss none'],
  },
  'bots pause': {
    about: 'Pause a bot',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the bot’s name or id. None of its requests leaves afterwards.', paused],
    examples: ['bots pause grid'],
  },
  'bots resume': {
    about: 'Resume a paused bot',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the bot’s name or id.', asksFirst],
    examples: ['bots resume grid'],
  },
  'bots revoke': {
    about: 'End a bot’s token for good',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the bot’s name or id. The key behind it stays. It works while Svc Desk is locked.', inTheApp],
    examples: ['bots revoke grid'],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>

const planned = 'A plan replaces many keys and delivers each new key. Make it in Svc Desk, under Keys.'

const fleetCommands = {
  'fleet list': {
    about: 'List the fleet plans',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['Prints the name, id and state of each plan. Also how many keys are done, and how many need you.', planned, inTheApp],
    examples: ['fleet list', 'fleet list --json'],
  },
  'fleet show': {
    about: 'Show the keys of a plan',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the plan’s name or id. Prints the label, target and state of each key, and what it waits for.', inTheApp],
    examples: ['fleet show october'],
  },
  'fleet pause': {
    about: 'Pause a plan',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is a plan’s id, or the name of one or more plans. They start no further step. It works while Svc Desk is locked.', inTheApp],
    examples: ['fleet pause october'],
  },
  'fleet resume': {
    about: 'Run a plan',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the plan’s name or id. You still sign for each new key in Svc Desk.', asksFirst],
    examples: ['fleet resume october'],
  },
  'fleet report': {
    about: 'Print the report of a plan',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the plan’s name or id. Prints what was delivered, verified and revoked, and when, as a Markdown table.', inTheApp],
    examples: ['fleet report october > october.md', 'fleet report october --json'],
  },
  'fleet remove': {
    about: 'Remove an ended plan and its report',
    usage: ['NAME [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['NAME is the plan’s name or id. Print or save the report first if you need it. No key changes.', asksFirst],
    examples: ['fleet remove october'],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>

export const commandTable = {
  run: {
    about: 'Start a program with a key or secret in its environment',
    usage: ['--key NAME [OPTIONS] -- PROGRAM [ARGUMENTS]', '--webhook URL [OPTIONS] -- PROGRAM [ARGUMENTS]'],
    options: ['key', 'webhook', 'profile', 'data'],
    text: [
      'PROGRAM gets SVC_BASE_URL, SVC_API_KEY for --key and SVC_WEBHOOK_SECRET for --webhook. svc-desk puts no secret in an argument or a file.',
      'The output passes through a mask that hides the secrets, so it is a pipe and no terminal. Your other programs can read the environment of a running process.',
      reads,
    ],
    examples: ['run --key hedger -- node bot.js', 'run --webhook https://bots.example/in -- node receiver.js'],
    exits: 'the program’s own, or 128 + n if signal n ended it',
    runs: true,
    instead: { json: 'The output is the program’s own.' },
  },
  keys: {
    about: 'List, rotate or revoke keys',
    usage: ['COMMAND [OPTIONS]'],
    options: ['key', 'profile', 'json', 'data'],
    text: [],
    examples: ['keys list --json', 'keys rotate hedger'],
    words: ['list', 'rotate', 'revoke'],
  },
  gateway: {
    about: 'Show, start or stop the gateway for bots',
    usage: ['COMMAND [OPTIONS]', '--config FILE'],
    options: ['config', 'port', 'profile', 'json', 'data'],
    text: [
      '--config FILE runs a gateway on a server, without Svc Desk or a display. It ends with SIGTERM or Ctrl-C, and names the orders that may still take effect.',
    ],
    examples: ['gateway status', 'gateway on', 'gateway --config gateway.toml'],
    words: ['status', 'on', 'off', 'token'],
  },
  bots: {
    about: 'List, add, limit, pause, resume or revoke bots',
    usage: ['COMMAND [OPTIONS]'],
    options: ['key', 'mode', 'scopes', ...limitOptions, 'profile', 'json', 'data'],
    text: [],
    examples: ['bots list', 'bots pause grid'],
    words: ['list', 'add', 'limits', 'pause', 'resume', 'revoke'],
  },
  fleet: {
    about: 'List, show, pause, resume, report or remove fleet plans',
    usage: ['COMMAND [OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: [],
    examples: ['fleet list', 'fleet report october'],
    words: ['list', 'show', 'pause', 'resume', 'report'],
  },
  stop: {
    about: 'Pause every bot at once',
    usage: ['[OPTIONS]'],
    options: ['profile', 'json', 'data'],
    text: ['No request of a bot leaves afterwards.', paused, 'Resume each bot with svc-desk bots resume.'],
    examples: ['stop'],
  },
  check: {
    about: 'Check which of the service’s answers the app can read',
    usage: ['[OPTIONS]'],
    options: ['profile', 'dry-runs', 'accept-top', 'json', 'data'],
    text: [
      'Reads every route your keys allow, previews an order and prepares each action. Prints missing fields, where they may be, and unknown fields. It signs, sends and executes nothing.',
      '--dry-runs trusts the service not to act. The first dry run cancels an order that does not exist. --accept-top reads everything again and prints both results. --json prints the report, without secrets.',
      'Svc Desk must be open with the profile, and it asks you first. Press Ctrl-C to stop with what it has read.',
    ],
    examples: ['check', 'check --accept-top', 'check --json > report.json'],
    exits: '0 the app can read all that answered, 1 it cannot read some of it',
  },
  listen: {
    about: 'Receive, verify and forward webhook deliveries',
    usage: ['[--webhook URL | --secret-env NAME] [OPTIONS]'],
    options: ['webhook', 'profile', 'secret-env', 'forward', 'port', 'answer', 'delay', 'json', 'data'],
    text: [
      'Receives deliveries at http://127.0.0.1:4807/deliveries, or where a practice webhook points. Prints whether each one is verified. Forwards verified ones to --forward.',
      'Without --webhook or --secret-env, it uses your only webhook, or the only one that points to this computer. With --secret-env it does not ask Svc Desk.',
      'Verified deliveries get 200 at once, others 401. With --answer endpoint the sender gets your endpoint’s answer, so it retries failures. --json prints one object per line.',
      'Type an event’s number and Enter to send it again with a new signature. Press Ctrl-C to stop and print a summary.',
      reads,
    ],
    examples: ['listen --forward localhost:3000/hook', 'listen --secret-env HOOK_SECRET --answer 503 --delay 5'],
    instead: { dashes: 'Use --forward URL to forward deliveries.' },
  },
  trigger: {
    about: 'Send a sample event to your webhook receiver',
    usage: ['EVENT --to URL [OPTIONS]', '--list'],
    options: ['to', 'secret-env', 'json', 'list'],
    text: ['Sends one signed event. Prints your receiver’s answer and how many ms it took.', sends],
    examples: ['trigger order.filled --to localhost:4000/in', 'trigger --list'],
    exits: '0 the receiver answered 2xx in time, 1 it did not',
    words: sentEvents,
  },
  'test-receiver': {
    about: 'Test your webhook receiver',
    usage: ['--to URL [OPTIONS]'],
    options: ['to', 'secret-env', 'effects', 'report'],
    text: [
      'Sends your receiver what the service promises to send, and forged deliveries it must refuse. Prints a line for each check.',
      'At the --effects URL your receiver answers {"events": [ids]}, the ids of the events it acted on. Without it, two checks stay unknown. Press Ctrl-C to stop with what it has found.',
      sends,
    ],
    examples: ['test-receiver --to localhost:4000/in --report receiver.md', 'test-receiver --to localhost:4000/in --secret-env BOT_SECRET'],
    exits: '0 no check failed, 1 a check failed',
  },
  backup: {
    about: 'Save an exchange in one encrypted file',
    usage: ['FILE [OPTIONS]'],
    options: ['profile', 'no-secrets', 'passphrase-fd', 'data'],
    text: [
      'Saves the journal, settings and the secrets of keys and webhooks of one exchange, encrypted under a new passphrase. FILE must not exist. No signature, sign-in or wallet connection is in it.',
      'Svc Desk must be closed. svc-desk asks for the passphrase twice, or reads it with --passphrase-fd. It cannot be recovered.',
    ],
    examples: ['backup main.svcbackup', 'backup main.svcbackup --profile Main --no-secrets'],
    takesFile: true,
  },
  restore: {
    about: 'Restore a backup as a new exchange',
    usage: ['FILE [OPTIONS]'],
    options: ['passphrase-fd', 'data'],
    text: [
      'Restores what svc-desk backup or the app saved, as a new exchange. It replaces nothing on this computer. It puts each secret into the system keychain, reads it back and tests each key.',
      'Svc Desk must be closed. Use only one of the two computers to trade.',
    ],
    examples: ['restore main.svcbackup'],
    takesFile: true,
  },
  scan: {
    about: 'Search files, commits or git’s history for secrets',
    usage: ['[PATH...] [OPTIONS]', '--staged|--history [FOLDER] [OPTIONS]', '--export-fingerprints FILE [--profile P] [--data DIR]'],
    options: ['staged', 'history', 'format', 'ignored', 'fingerprints', 'export-fingerprints', 'profile', 'data'],
    text: [
      'Finds API keys, sign-ins and signing secrets of the service by their form. Prints the place and kind of each, never a secret. Svc Desk may be closed.',
      'As a git hook, --staged refuses commits with secrets. Fingerprints recognise your own keys elsewhere, such as in CI, and reveal no key.',
    ],
    examples: ['scan', 'scan --staged', 'scan --history --format sarif > keys.sarif', 'scan --export-fingerprints .svc-desk-fingerprints'],
    exits: '0 nothing found, 1 found, 2 wrong usage, 3 not all was searched',
    takesFile: true,
  },
  completion: {
    about: 'Print a completion script for your shell',
    usage: ['bash|zsh|fish'],
    options: [],
    text: ['Completes commands, options and values with Tab. In zsh, put the line after the one that calls compinit. Open a new shell after you install it.'],
    examples: [
      `echo 'eval "$(svc-desk completion bash)"' >> ~/.bashrc`,
      `echo 'eval "$(svc-desk completion zsh)"' >> ~/.zshrc`,
      'svc-desk completion fish > ~/.config/fish/completions/svc-desk.fish',
    ],
    words: shells,
  },
} as const satisfies Readonly<Record<string, CommandEntry>>
export type CommandName = keyof typeof commandTable
export const commandNames = Object.keys(commandTable) as CommandName[] // The cast is safe: the keys are exactly those of `commandTable`.

export type CommandPath = CommandName | keyof typeof keyCommands | keyof typeof gatewayCommands | keyof typeof botCommands | keyof typeof fleetCommands
const entries: Readonly<Record<CommandPath, CommandEntry>> = { ...commandTable, ...keyCommands, ...gatewayCommands, ...botCommands, ...fleetCommands }
export const entryOf = (path: CommandPath): CommandEntry => entries[path]

const groups = { keys: keyCommands, gateway: gatewayCommands, bots: botCommands, fleet: fleetCommands } as const

/** The subcommands of a command; empty for a command that has none. */
export const commandsOf = (name: CommandPath): readonly CommandPath[] =>
  name in groups ? (Object.keys(groups[name as keyof typeof groups]) as CommandPath[]) : [] // The casts are safe: the keys of each group are paths.

/** The commands that perform an action. The list contains subcommands in place of a command that has some, because such a command has no action of its own. */
export const runnable: readonly CommandPath[] = commandNames.flatMap((name) => (commandsOf(name).length === 0 ? [name] : commandsOf(name)))

/** The topics that `svc-desk help` explains besides commands. */
export const topicNames = ['exit-codes', 'environment'] as const
export type Topic = (typeof topicNames)[number]

export type HelpSubject = CommandPath | Topic

const columns = 80

/** The text of `svc-desk --help`, or of the help for one command or topic. */
export function help(of: HelpSubject | null): string {
  const sections = of === null ? overview() : of === 'exit-codes' ? exitCodesHelp() : of === 'environment' ? environmentHelp() : commandHelp(of)
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

type Row = readonly [name: string, about: string]

function overview(): readonly string[] {
  const more: readonly Row[] = [
    ['svc-desk help COMMAND', 'Options and examples of a command'],
    [`svc-desk help ${topicNames.join(', ')}`, 'Exit codes, environment variables'],
  ]
  return [
    'Svc Desk in a terminal: API keys, bots, webhook tests, leaked secrets\nUsage: svc-desk COMMAND [OPTIONS]',
    titled('Commands', rows(commandNames.map((name) => [name, entryOf(name).about]))),
    titled('Options and help', rows([...optionRows(['help', 'version']), ...more])),
  ]
}

function commandHelp(path: CommandPath): readonly string[] {
  const { about, usage, options, text, examples, exits } = entryOf(path)
  const commands = commandsOf(path)
  const forms = usage.map((form, index) => `${index === 0 ? 'Usage:' : '      '} svc-desk ${path} ${form}`)
  const shown = examples.map((example) => `  ${example.includes('svc-desk') ? example : `svc-desk ${example}`}`)
  return [
    about,
    forms.join('\n'),
    titled('Commands', rows(commands.map((one) => [one, entryOf(one).about]))),
    ...text.map((paragraph) => wrapped(paragraph, columns).join('\n')),
    titled('Options', rows(optionRows(commands.length === 0 ? [...options, 'help'] : ['help']))),
    titled('Examples', shown),
    `${exits === undefined ? '' : `Exit codes: ${exits}\n`}More: ${topicNames.map((topic) => `svc-desk help ${topic}`).join(', ')}`,
  ]
}

const exitCodesHelp = (): readonly string[] => ['Exit codes of svc-desk', rows(exitCodeMeanings).join('\n')]

const environmentHelp = (): readonly string[] => [
  'Environment variables',
  titled(
    'svc-desk run sets for your program',
    rows([
      ['SVC_BASE_URL', 'Base URL of the exchange’s API'],
      ['SVC_API_KEY', 'The key that --key names'],
      ['SVC_WEBHOOK_SECRET', 'The signing secret of the webhook that --webhook names'],
    ]),
  ),
  titled(
    'svc-desk reads',
    rows([
      ['your own', 'The signing secret, in the variable that --secret-env names'],
      ['PATH', 'Where svc-desk run looks for your program'],
      ['XDG_CONFIG_HOME', 'Holds the app’s data folder on Linux (default: ~/.config)'],
      ['APPDATA', 'Holds the app’s data folder on Windows'],
    ]),
  ),
  '--data DIR names another data folder of the app.',
]

const optionRows = (names: readonly OptionName[]): readonly Row[] =>
  names.map((name) => {
    const { value, about }: OptionEntry = optionTable[name]
    return [`${name === 'help' ? '-h, ' : ''}--${name}${value === null ? '' : ` ${value}`}`, about]
  })

const titled = (title: string, lines: readonly string[]): string => (lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`)

function rows(all: readonly Row[]): readonly string[] {
  const width = Math.max(...all.map(([name]) => name.length))
  return all.flatMap(([name, about]) => {
    const [first = '', ...more] = wrapped(about, columns - width - 4)
    return [`  ${name.padEnd(width)}  ${first}`, ...more.map((line) => `${' '.repeat(width + 4)}${line}`)]
  })
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The text of build/docs/terminal.md: every command with its options. */
export function commandsMarkdown(): string {
  const lines = runnable.map((path) => {
    const { about, options } = entryOf(path)
    return `| \`svc-desk ${path}\` | ${about} | ${options.map((option) => `\`--${option}\``).join(' ')} |`
  })
  return ['| command | what it does | options |', '|---|---|---|', ...lines, ''].join('\n')
}

export const exitCodesMarkdown = (): string =>
  ['| code | meaning |', '|---|---|', ...exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`), ''].join('\n')
