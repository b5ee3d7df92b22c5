import { parseArgs } from 'node:util'
import { z } from 'zod'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import { Scope, scopes as scopeNames } from '../../../shared/api/scopes.ts'
import { compare } from '../../../shared/decimal.ts'
import { botRanges, wholeIn } from '../../../shared/input-limits.ts'
import { BotMode } from '../../../shared/ipc/keys/gateway.ts'
import { hoursOf } from '../../../shared/limits-draft.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { typedDecimal, typedWhole } from '../../../shared/ticket/typed-number.ts'
import { second } from '../../../shared/time.ts'
import { isOwn, portOf, readOwn, usualPlace } from '../../webhooks/lab/forwarder.ts'
import type { ReceiverAnswer } from '../../webhooks/lab/receiver.ts'
import { meant } from '../channel/choose.ts'
import type { FleetAsk, GatewayAsk, PolicyAsk } from '../channel/messages.ts'
import {
  type CommandName,
  type CommandPath,
  commandNames,
  commandsOf,
  entryOf,
  type HelpSubject,
  type OptionName,
  type Options,
  optionNames,
  optionTable,
  runnable,
  shells,
  topicNames,
} from './table.ts'

interface Common {
  readonly profile: string | null
  readonly data: string | null
}

/** What the arguments of `svc-desk` ask for. */
export type CommandLine =
  /** The command to explain; null for the help of all commands. */
  | { readonly action: 'help'; readonly of: HelpSubject | null }
  | { readonly action: 'version' }
  | { readonly action: 'events' }
  | { readonly action: 'completion'; readonly shell: (typeof shells)[number] }
  | ListenLine
  /** The command `svc-desk run`, which runs a program with a key, a webhook's signing secret, or both. */
  | ({ readonly action: 'run'; readonly key: string | null; readonly webhook: string | null; readonly words: readonly string[] } & Common)
  | ({ readonly action: 'list'; readonly json: boolean } & Common)
  | ({ readonly action: 'rotate' | 'revoke'; readonly key: string; readonly json: boolean } & Common)
  | TriggerLine
  | TestReceiverLine
  | CheckLine
  | BackupLine
  | GatewayLine
  | FleetLine
  /** The gateway without the app, as the file `config` describes it. */
  | { readonly action: 'gateway-server'; readonly config: string }
  | { readonly action: 'gateway-token' }
  | ScanLine

/**
 * `svc-desk backup` and `svc-desk restore`. `secrets`: whether the backup includes the secrets of keys and webhooks. `passphraseFd`: the file
 * descriptor from which to read the passphrase; null to ask for it.
 */
export type BackupLine = { readonly file: string; readonly passphraseFd: number | null; readonly data: string | null } & (
  | { readonly action: 'backup'; readonly profile: string | null; readonly secrets: boolean }
  | { readonly action: 'restore' }
)

/** `svc-desk gateway`, `bots` and `stop`. `bot`: a bot's name or id. */
export type GatewayLine = { readonly action: 'gateway'; readonly json: boolean; readonly does: GatewayAsk } & Common

/** `svc-desk fleet`. */
export type FleetLine = { readonly action: 'fleet'; readonly json: boolean; readonly does: FleetAsk } & Common

const scanFormats = ['text', 'json', 'sarif'] as const
/**
 * `svc-desk scan`. `paths`: the files and folders to search; empty for the folder in which the command runs. `fingerprints`: a file with fingerprints of
 * the user's own keys. `exportTo`: the file to which to write such fingerprints, instead of a search.
 */
export interface ScanLine extends Common {
  readonly action: 'scan'
  readonly paths: readonly string[]
  readonly what: 'files' | 'staged' | 'history'
  readonly format: (typeof scanFormats)[number]
  readonly ignoredToo: boolean
  readonly fingerprints: string | null
  readonly exportTo: string | null
}

/** `svc-desk check`, which shows what parts of the service's answers the app understands. */
export interface CheckLine extends Common {
  readonly action: 'check'
  readonly json: boolean
  readonly dryRuns: boolean
  readonly acceptTops: boolean
}

/** Where `svc-desk` sends sample events: the receiver's URL, and the secret that signs the events. */
export interface Sent {
  readonly to: string
  /** The environment variable that contains the signing secret; null to create a secret. */
  readonly secretEnv: string | null
}
export type TriggerLine = { readonly action: 'trigger'; readonly event: string; readonly json: boolean } & Sent
export type TestReceiverLine = { readonly action: 'test-receiver'; readonly report: string | null; readonly effects: string | null } & Sent

type Read = Result<CommandLine, string>

const parsed = Object.fromEntries(
  optionNames.map((name) => [name, { type: optionTable[name].value === null ? 'boolean' : 'string', ...(name === 'help' && { short: 'h' }) }] as const),
)

/** Reads the arguments. Fails with a sentence about the first mistake and how to get help. */
export function readCommandLine(given: readonly string[]): Read {
  // Split at `--` before reading options, so that `--key --` doesn't use `--` as the key's name.
  const end = given.indexOf('--')
  const words = end < 0 ? null : given.slice(end + 1)
  const { options, plain } = readOptions(end < 0 ? given : given.slice(0, end))
  const path = pathOf(plain)
  const read = options.ok ? readWords(plain, path, options.value, words) : options
  if (read.ok) return read
  return fail(`${read.failure} Run \`svc-desk ${path === null ? '--help' : `help ${path}`}\`.`)
}

function readWords(plain: readonly string[], path: CommandPath | null, options: Options, words: readonly string[] | null): Read {
  const [first, second, ...more] = plain
  if (first === 'help') return readHelp(plain.slice(1).join(' '))
  const isEmpty = plain.length === 0 && options.size === 0 && (words ?? []).length === 0
  if (isEmpty || (first === undefined && options.has('help'))) return ok({ action: 'help', of: null })
  if (first === undefined && options.has('version')) return ok({ action: 'version' })
  const command = commandNames.find((name) => name === first)
  if (command === undefined || path === null) return fail(first === undefined ? 'Name a command.' : unknown(first, commandNames))
  const isUnknown = second !== undefined && path === command && commandsOf(command).length > 0
  if (isUnknown) return fail(unknown(`${command} ${second}`, commandsOf(command)))
  if (options.has('help')) return ok({ action: 'help', of: path })
  if (options.has('version')) return ok({ action: 'version' })
  const { instead, options: taken, runs } = entryOf(path)
  if (words !== null && runs === undefined) return fail(`${path} starts no program. ${instead?.dashes ?? 'Leave out -- and what follows.'}`)
  const foreign = [...options.keys()].find((option) => !taken.includes(option))
  if (foreign !== undefined) return fail(notTaken(path, foreign))
  return readers[command](second === undefined ? [] : [second, ...more], options, words)
}

/** Finds the command at the start of the arguments. Tries longer ones first: `keys rotate` before `keys`. */
function pathOf(plain: readonly string[]): CommandPath | null {
  const [first, second] = plain[0] === 'help' ? plain.slice(1) : plain
  const command = commandNames.find((name) => name === first)
  return command === undefined ? null : (commandsOf(command).find((path) => path === `${first} ${second}`) ?? command)
}

function readHelp(typed: string): Read {
  if (typed === '') return ok({ action: 'help', of: null })
  const subjects: readonly HelpSubject[] = [...commandNames, ...commandNames.flatMap(commandsOf), ...topicNames]
  const of = subjects.find((subject) => subject === typed)
  return of === undefined ? fail(unknown(typed, subjects)) : ok({ action: 'help', of })
}

interface Given {
  readonly plain: readonly string[]
  readonly options: Result<Options, string>
}

function readOptions(before: readonly string[]): Given {
  const { tokens, positionals: plain } = parseArgs({ args: [...before], options: parsed, strict: false, tokens: true })
  const options = new Map<OptionName, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const name = optionNames.find((one) => one === token.name)
    const failure = wrongOption(token, name, options)
    if (failure !== null) return { plain, options: fail(failure) }
    if (name !== undefined) options.set(name, token.value ?? '')
  }
  return { plain, options: ok(options) }
}

/** Checks an option. Returns why it is invalid; null if it is valid. */
function wrongOption(
  { name: typed, rawName, value }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
  name: OptionName | undefined,
  before: Options,
): string | null {
  if (name === undefined) return `Unknown option ${rawName}.${meant(typed, optionNames, (one) => `--${one}`)}`
  if (before.has(name)) return `${rawName} is given twice. Give it once.`
  if (optionTable[name].value === null) return value === undefined ? null : `--${name} takes no value.`
  return (value ?? '') === '' ? `--${name} needs a value: --${name} ${optionTable[name].value}.` : null
}

const unknown = (typed: string, known: readonly string[]): string => `Unknown command ${typed}.${meant(typed, known)}`

const listed = (names: readonly string[], last: 'and' | 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`

function notTaken(path: CommandPath, option: OptionName): string {
  const instead = option === 'json' ? entryOf(path).instead?.json : undefined
  const takers = runnable.filter((one) => entryOf(one).options.includes(option))
  return `${path} takes no --${option}. ${instead ?? `It is an option of ${listed(takers, 'and')}.`}`
}

const commonOf = (options: Options): Common => ({ profile: options.get('profile') ?? null, data: options.get('data') ?? null })

const readers: Readonly<Record<CommandName, (plain: readonly string[], options: Options, words: readonly string[] | null) => Read>> = {
  run: ([first], options, words) => {
    const { key = null, webhook = null } = Object.fromEntries(options)
    if (first !== undefined) return fail(`Put the program after --, for example: svc-desk run --key NAME -- ${first}.`)
    if (key === null && webhook === null) return fail('Name a key with --key or a webhook with --webhook.')
    if (words === null || words.length === 0) return fail('Put the program after --, for example: svc-desk run --key NAME -- node bot.js.')
    return ok({ action: 'run', ...commonOf(options), key, webhook, words })
  },
  keys: ([action, named, ...more], options) => {
    const common = { ...commonOf(options), json: options.has('json') }
    if (action === 'list') return named === undefined ? ok({ action, ...common }) : fail(`keys list takes no key. Leave out ${named}.`)
    if (action !== 'rotate' && action !== 'revoke') return fail(`Name a command: ${listed(commandsOf('keys'), 'or')}.`)
    const key = options.get('key') ?? null
    if (more.length > 0 || (named !== undefined && key !== null)) return fail(`keys ${action} takes one key. Run it once per key.`)
    const one = named ?? key
    return one === null ? fail(`Name the key: svc-desk keys ${action} NAME.`) : ok({ action, ...common, key: one })
  },
  gateway: ([action, ...more], options) => {
    const config = options.get('config')
    if (action === undefined && config !== undefined)
      return options.size === 1 ? ok({ action: 'gateway-server', config }) : fail('--config takes no other option. Put everything into the file.')
    if (action === 'token') return more.length === 0 ? ok({ action: 'gateway-token' }) : fail(`gateway token takes no more words. Leave out ${more[0]}.`)
    if (action !== 'status' && action !== 'on' && action !== 'off')
      return fail(`Name a command: ${listed(commandsOf('gateway'), 'or')}. Or name a file with --config.`)
    if (more.length > 0) return fail(`gateway ${action} takes no more words. Leave out ${more[0]}.`)
    const port = options.has('port') ? wholeIn(options.get('port'), [1_024, 65_535]) : null
    if (options.has('port') && port === null) return fail('--port takes a number from 1024 to 65535.')
    return ok(gatewayLine(options, action === 'on' ? { do: 'on', port } : { do: action }))
  },
  bots: ([action, bot, ...more], options) => {
    if (action === 'list') return bot === undefined ? ok(gatewayLine(options, { do: 'status' })) : fail(`bots list takes no bot. Leave out ${bot}.`)
    if (action !== 'add' && action !== 'limits' && action !== 'pause' && action !== 'resume' && action !== 'revoke')
      return fail(`Name a command: ${listed(commandsOf('bots'), 'or')}.`)
    if (bot === undefined) return fail(`Name the bot: svc-desk bots ${action} NAME.`)
    if (more.length > 0) return fail(`bots ${action} takes one bot. Run it once per bot.`)
    const policy = readPolicy(options)
    if (!policy.ok) return policy
    if (action === 'limits') return ok(gatewayLine(options, { do: action, bot, policy: policy.value }))
    if (action !== 'add') return ok(gatewayLine(options, { do: action, bot }))
    const key = options.get('key')
    if (key === undefined) return fail('Name the key with --key, for example: svc-desk bots add grid --key hedger.')
    const scopes = options.has('scopes') ? z.array(Scope).min(1).safeParse(options.get('scopes')?.split(',')) : null
    if (scopes?.success === false) return fail(`--scopes takes some of ${scopeNames.join(', ')}, joined by commas.`)
    const expiresInDays = options.has('expires-in-days') ? wholeIn(options.get('expires-in-days'), botRanges.tokenDays) : null
    if (options.has('expires-in-days') && expiresInDays === null)
      return fail(`--expires-in-days takes a whole number from ${botRanges.tokenDays.join(' to ')}.`)
    return ok(gatewayLine(options, { do: 'add', bot, key, scopes: scopes?.data ?? null, expiresInDays, policy: policy.value }))
  },
  fleet: ([action, plan, ...more], options) => {
    const common = { action: 'fleet', ...commonOf(options), json: options.has('json') } as const
    if (action === 'list') return plan === undefined ? ok({ ...common, does: { do: action } }) : fail(`fleet list takes no plan. Leave out ${plan}.`)
    if (action !== 'show' && action !== 'report' && action !== 'pause' && action !== 'resume' && action !== 'remove')
      return fail(`Name a command: ${listed(commandsOf('fleet'), 'or')}.`)
    if (plan === undefined) return fail(`Name the plan: svc-desk fleet ${action} NAME.`)
    return more.length === 0 ? ok({ ...common, does: { do: action, plan } }) : fail(`fleet ${action} takes one plan. Run it once per plan.`)
  },
  stop: ([first], options) =>
    first === undefined ? ok(gatewayLine(options, { do: 'stop' })) : fail(`stop pauses every bot. Leave out ${first}, or use bots pause.`),
  check: ([first], options) =>
    first !== undefined
      ? fail(`check reads every route. Leave out ${first}.`)
      : ok({ action: 'check', ...commonOf(options), json: options.has('json'), dryRuns: options.has('dry-runs'), acceptTops: options.has('accept-top') }),
  listen: (plain, options) => (plain.length === 0 ? readListen(options) : fail('listen starts no program. Use --forward URL to forward deliveries.')),
  trigger: ([event, ...more], options) => {
    if (options.has('list')) return event === undefined && options.size === 1 ? ok({ action: 'events' }) : fail('--list takes no event and no other option.')
    const sent = readSent(options)
    if (!sent.ok) return sent
    if (event === undefined) return fail('Name the event. `svc-desk trigger --list` lists the events.')
    return more.length === 0
      ? ok({ action: 'trigger', event, ...sent.value, json: options.has('json') })
      : fail('trigger sends one event. Run it once per event.')
  },
  'test-receiver': ([event], options) => {
    const sent = readSent(options)
    if (!sent.ok) return sent
    const report = options.get('report') ?? null
    if (event !== undefined) return fail(`test-receiver sends every event. Leave out ${event}.`)
    if (report !== null && !/\.(json|md)$/.test(report)) return fail('--report takes a file that ends in .json or .md.')
    return ok({ action: 'test-receiver', ...sent.value, report, effects: options.get('effects') ?? null })
  },
  backup: (plain, options) => {
    const common = readFile('backup', plain, options)
    return common.ok ? ok({ action: 'backup', ...common.value, profile: options.get('profile') ?? null, secrets: !options.has('no-secrets') }) : common
  },
  restore: (plain, options) => {
    const common = readFile('restore', plain, options)
    return common.ok ? ok({ action: 'restore', ...common.value }) : common
  },
  scan: (paths, options) => {
    const [isStaged, isHistory] = [options.has('staged'), options.has('history')]
    const format = scanFormats.find((one) => one === (options.get('format') ?? 'text'))
    const exportTo = options.get('export-fingerprints') ?? null
    if (format === undefined) return fail(`--format takes ${listed(scanFormats, 'or')}.`)
    if (isStaged && isHistory) return fail('Use --staged or --history, not both.')
    if ((isStaged || isHistory) && paths.length > 1) return fail('--staged and --history search one repository. Name one folder in it.')
    if ((isStaged || isHistory) && options.has('ignored')) return fail('--ignored is for files and folders, not for --staged or --history.')
    const searches = paths.length > 0 || (['staged', 'history', 'ignored', 'format', 'fingerprints'] as const).some((option) => options.has(option))
    if (exportTo !== null && searches) return fail('--export-fingerprints searches nothing. Run it alone.')
    if (exportTo === null && (options.has('profile') || options.has('data'))) return fail('--profile and --data need --export-fingerprints.')
    const what = isStaged ? 'staged' : isHistory ? 'history' : 'files'
    const fingerprints = options.get('fingerprints') ?? null
    return ok({ action: 'scan', ...commonOf(options), paths, what, format, ignoredToo: options.has('ignored'), fingerprints, exportTo })
  },
  completion: ([typed, ...more]) => {
    const shell = shells.find((one) => one === typed)
    return shell !== undefined && more.length === 0
      ? ok({ action: 'completion', shell })
      : fail(`Name one shell: ${listed(shells, 'or')}.${shell === undefined ? meant(typed ?? '', shells) : ''}`)
  },
}

const sideWords = { long: ['long'], short: ['short'], both: null } as const

/** For each option of a limit: its place in a `PolicyAsk`, and the check and description of its value. */
const limitOptions = [
  ['max-order', 'maxOrder', isAmount, 'an amount in USDC above zero'],
  ['max-leverage', 'maxLeverage', (typed: string) => (typedWhole(typed) ?? 0) >= 1, 'a whole number from 1'],
  ['max-open', 'maxOpen', isAmount, 'an amount in USDC above zero'],
  ['orders-per-minute', 'ordersPerMinute', inRange(botRanges.ordersPerMinute), 'a whole number from 1 to 6000'],
  ['max-loss', 'maxLoss', isAmount, 'an amount in USDC above zero'],
  ['hours', 'hours', (typed: string) => hoursOf(typed) !== null, 'two different times in UTC, such as 08:00-17:30'],
  ['silence', 'silence', (typed: string) => inRange(botRanges.silenceSeconds)(typed.replace(/:close$/, '')), '10 to 86400 seconds, such as 60 or 60:close'],
] as const satisfies readonly (readonly [OptionName, keyof PolicyAsk, (typed: string) => boolean, string])[]

function isAmount(typed: string): boolean {
  const amount = typedDecimal(typed)
  return amount !== null && compare(amount, '0') > 0
}

function inRange(range: readonly [number, number]): (typed: string) => boolean {
  return (typed) => wholeIn(typed, range) !== null
}

/** Reads a bot's mode and limits from the options. `none` removes a limit. Fails with a sentence about the first mistake. */
function readPolicy(options: Options): Result<PolicyAsk, string> {
  const typedMode = options.get('mode')
  const mode = typedMode === undefined ? undefined : BotMode.safeParse(typedMode.replace('dry-run', 'dry_run'))
  if (mode?.success === false) return fail('--mode takes observe, dry-run or live.')
  const side = Object.entries(sideWords).find(([word]) => word === options.get('side'))
  if (options.has('side') && side === undefined) return fail('--side takes long, short or both.')
  const named = options.get('market')
  const markets = named === 'none' ? null : named?.split(',').map((one) => one.trim())
  if (markets?.includes('') === true) return fail('--market takes symbols joined by commas, such as BTC-PERP,ETH-PERP, or none.')
  const limits: Record<string, string | null> = {}
  for (const [option, name, fits, takes] of limitOptions) {
    const typed = options.get(option)
    if (typed === undefined) continue
    if (typed !== 'none' && !fits(typed)) return fail(`--${option} takes ${takes}, or none.`)
    limits[name] = typed === 'none' ? null : typed
  }
  return ok({
    ...(mode !== undefined && { mode: mode.data }),
    ...(side !== undefined && { sides: side[1] === null ? null : [...side[1]] }),
    ...(markets !== undefined && { markets }),
    ...limits,
  })
}

const gatewayLine = (options: Options, does: GatewayAsk): GatewayLine => ({ action: 'gateway', ...commonOf(options), json: options.has('json'), does })

function readFile(
  command: 'backup' | 'restore',
  [file, ...more]: readonly string[],
  options: Options,
): Result<Pick<BackupLine, 'file' | 'passphraseFd' | 'data'>, string> {
  if (file === undefined || file === '' || more.length > 0) return fail(`Name one file: svc-desk ${command} FILE.`)
  const passphraseFd = options.has('passphrase-fd') ? wholeIn(options.get('passphrase-fd'), [0, 1_023]) : null
  if (options.has('passphrase-fd') && passphraseFd === null) return fail('--passphrase-fd takes the number of a file descriptor, such as 0 for standard input.')
  return ok({ file, passphraseFd, data: options.get('data') ?? null })
}

function readSent(options: Options): Result<Sent, string> {
  const variable = readSecretVariable(options)
  if (!variable.ok) return variable
  const typed = options.get('to')
  if (typed === undefined) return fail('Name your receiver with --to URL, such as localhost:4000/in.')
  return ok({ to: readOwn(typed)?.href ?? typed, secretEnv: variable.value })
}

/** The options of `svc-desk listen`. */
export interface ListenLine {
  readonly action: 'listen'
  readonly profile: string | null
  readonly data: string | null
  readonly json: boolean
  /**
   * Where the signing secret comes from: an environment variable, or a webhook in Svc Desk. If `webhook` is null, the app chooses the webhook
   * itself if only one is possible.
   */
  readonly secret: { readonly webhook: string | null } | { readonly variable: string }
  /** The user's own endpoint on this computer, to which deliveries are forwarded; null to forward nothing. */
  readonly forward: URL | null
  /** The port on which to listen; null for the webhook's own port, or else the default port. */
  readonly port: number | null
  /** The HTTP status with which to answer a verified delivery. `forwarded` means the status of the user's own endpoint. */
  readonly answer: ReceiverAnswer | 'forwarded'
}

const longestDelayS = 60

/** Reads the options of `listen`. Fails with a sentence about the first mistake. */
export function readListen(options: Options): Result<ListenLine, string> {
  const variable = readSecretVariable(options)
  if (!variable.ok) return variable
  const webhook = options.get('webhook') ?? null
  if (webhook !== null && variable.value !== null) return fail('Use --webhook or --secret-env, not both.')
  const secret = variable.value === null ? { webhook } : { variable: variable.value }
  const forward = readOwn(options.get('forward') ?? '')
  if (options.has('forward') && forward === null) return fail('--forward takes a URL on this computer, such as localhost:3000/hook.')
  const port = options.has('port') ? wholeIn(options.get('port'), [1, 65_535]) : null
  if (options.has('port') && port === null) return fail('--port takes a number from 1 to 65535.')
  const answer = readAnswer(options, forward)
  if (!answer.ok) return answer
  const common = { profile: options.get('profile') ?? null, data: options.get('data') ?? null, json: options.has('json') }
  return ok({ action: 'listen', ...common, secret, forward, port, answer: answer.value })
}

/** Reads the variable name in `--secret-env`; null if the option is absent. Fails with one sentence. */
export function readSecretVariable(options: Options): Result<string | null, string> {
  const name = options.get('secret-env') ?? null
  // The user probably passed the secret itself, not the name of a variable. Do not print it.
  if (name?.startsWith(secretPrefixes.webhook))
    return fail('--secret-env takes the name of a variable, not a secret. Others can see your command line: replace this secret.')
  return name === null || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? ok(name) : fail('--secret-env takes the name of a variable.')
}

function readAnswer(options: Options, forward: URL | null): Result<ListenLine['answer'], string> {
  if (options.get('answer') === 'endpoint') {
    if (forward === null) return fail('--answer endpoint needs your endpoint: name it with --forward.')
    return options.has('delay') ? fail('--answer endpoint takes no --delay: it answers when your endpoint answers.') : ok('forwarded')
  }
  const status = options.has('answer') ? wholeIn(options.get('answer'), [200, 599]) : 200
  if (status === null) return fail('--answer takes a status from 200 to 599, or endpoint.')
  const delayS = options.has('delay') ? wholeIn(options.get('delay'), [0, longestDelayS]) : 0
  return delayS === null ? fail(`--delay takes whole seconds, at most ${longestDelayS}.`) : ok({ status, delayMs: delayS * second })
}

export interface Place {
  readonly port: number
  readonly path: string
}

/**
 * Returns the port and path at which to receive deliveries. If the webhook's URL is plain HTTP to this computer, they come from that URL; else
 * they are the defaults. `--port` overrides the port.
 */
export function placeOf({ port: named, forward }: Pick<ListenLine, 'port' | 'forward'>, webhookUrl: string | null): Result<Place, string> {
  const url = URL.parse(webhookUrl ?? '')
  const pointed = url !== null && url.protocol === 'http:' && isOwn(url) ? { port: portOf(url), path: url.pathname } : usualPlace
  const port = named ?? pointed.port
  if (forward !== null && portOf(forward) === port) return fail(`listen cannot forward to port ${port}: it receives there. Change --port or --forward.`)
  return ok({ port, path: pointed.path })
}
