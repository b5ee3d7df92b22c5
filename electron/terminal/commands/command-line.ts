import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { readOwn } from '../../webhooks/lab/forwarder.ts'
import { meant } from '../channel/choose.ts'
import { type ListenLine, readListen, readSecretVariable } from './listen-line.ts'
import { type CommandName, commandNames, entryOf, type OptionName, type Options, optionNames, optionTable, shells } from './table.ts'

interface Common {
  readonly profile: string | null
  readonly data: string | null
}

/** What the words after `svc-desk` ask for. */
export type CommandLine =
  /** `of` null: of all commands. */
  | { readonly action: 'help'; readonly of: CommandName | null }
  | { readonly action: 'version' }
  | { readonly action: 'events' }
  | { readonly action: 'completion'; readonly shell: (typeof shells)[number] }
  | ListenLine
  /** A key, a webhook, or one of each. */
  | ({ readonly action: 'run'; readonly key: string | null; readonly webhook: string | null; readonly words: readonly string[] } & Common)
  | ({ readonly action: 'list'; readonly json: boolean } & Common)
  | ({ readonly action: 'rotate' | 'revoke'; readonly key: string; readonly json: boolean } & Common)
  | TriggerLine
  | TestReceiverLine
  | CheckLine

/** `svc-desk check`: what of the service's answers the app understands. */
export interface CheckLine extends Common {
  readonly action: 'check'
  readonly json: boolean
  readonly dryRuns: boolean
  readonly acceptTops: boolean
}

/** Sample events to an endpoint. */
export interface Sent {
  readonly to: string
  /** The variable that holds the secret to sign with; null: one is made. */
  readonly secretEnv: string | null
}
export type TriggerLine = { readonly action: 'trigger'; readonly event: string; readonly json: boolean } & Sent
export type TestReceiverLine = { readonly action: 'test-receiver'; readonly report: string | null; readonly effects: string | null } & Sent

type Read = Result<CommandLine, string>

const parsed = Object.fromEntries(
  optionNames.map((name) => [name, { type: optionTable[name].value === null ? 'boolean' : 'string', ...(name === 'help' && { short: 'h' }) }] as const),
)

/** Reads the words; fails with one sentence about the first that cannot be. */
export function readCommandLine(given: readonly string[]): Read {
  // Before anything is read: `--key --` names no key.
  const end = given.indexOf('--')
  const words = end < 0 ? null : given.slice(end + 1)
  const read = readOptions(end < 0 ? given : given.slice(0, end))
  if (!read.ok) return read
  const { plain, options } = read.value
  const isEmpty = plain.length === 0 && options.size === 0 && (words ?? []).length === 0
  if (options.has('help') || plain[0] === 'help' || isEmpty) return ok({ action: 'help', of: commandNames.find((name) => plain.includes(name)) ?? null })
  if (options.has('version')) return ok({ action: 'version' })
  const [first, ...more] = plain
  const command = commandNames.find((name) => name === first)
  if (command === undefined) return fail(noCommand(first))
  const { because, options: taken, runs } = entryOf(command)
  if (words !== null && runs === undefined) return fail(`${command} runs nothing: ${because?.dashes ?? 'leave -- away'}.`)
  const foreign = [...options.keys()].find((option) => !taken.includes(option))
  if (foreign !== undefined) return fail(notTaken(command, foreign))
  return readers[command](more, options, words)
}

function readOptions(before: readonly string[]): Result<{ readonly plain: readonly string[]; readonly options: Options }, string> {
  const { tokens, positionals: plain } = parseArgs({ args: [...before], options: parsed, strict: false, tokens: true })
  const options = new Map<OptionName, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const name = optionNames.find((one) => one === token.name)
    if (name === undefined) return fail(`There is no option ${token.rawName}.${meant(token.name, optionNames, (one) => `--${one}`)}`)
    if (options.has(name)) return fail(`${token.rawName} stands there twice.`)
    if (optionTable[name].value === null && token.value !== undefined) return fail(`--${name} takes no value.`)
    if (optionTable[name].value !== null && (token.value ?? '') === '') return fail(`--${name} needs a value.`)
    options.set(name, token.value ?? '')
  }
  return ok({ plain, options })
}

function noCommand(first: string | undefined): string {
  const names = commandNames.filter((name) => name !== 'completion')
  const list = (last: string) => `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
  if (first === undefined) return `What is to be done? ${list('or')}.`
  const guess = meant(first, commandNames)
  return `There is no command ${first}.${guess === '' ? ` There are ${list('and')}.` : guess}`
}

const ofWebhooks: readonly CommandName[] = ['listen', 'trigger', 'test-receiver']

function notTaken(command: CommandName, option: OptionName): string {
  const takers = commandNames.filter((name) => entryOf(name).options.includes(option))
  if (!ofWebhooks.includes(command) && takers.every((name) => ofWebhooks.includes(name)))
    return `--${option} belongs to the commands for webhooks: listen, trigger and test-receiver.`
  if (takers.length === 1 && !ofWebhooks.includes(command)) return `--${option} belongs to ${takers[0]}.`
  const why = option === 'json' ? entryOf(command).because?.json : undefined
  return `${command} takes no --${option}${why === undefined ? '' : `: ${why}`}.`
}

const commonOf = (options: Options): Common => ({ profile: options.get('profile') ?? null, data: options.get('data') ?? null })

const readers: Readonly<Record<CommandName, (plain: readonly string[], options: Options, words: readonly string[] | null) => Read>> = {
  run: ([first], options, words) => {
    const { key = null, webhook = null } = Object.fromEntries(options)
    if (first !== undefined) return fail(`What is to be run stands after --, for example: svc-desk run --key NAME -- ${first}`)
    if (key === null && webhook === null) return fail('Which key? Name it with --key, or a webhook with --webhook.')
    if (words === null || words.length === 0) return fail('What is to be run stands after --, for example: svc-desk run --key NAME -- node bot.js')
    return ok({ action: 'run', ...commonOf(options), key, webhook, words })
  },
  keys: ([action, named, ...more], options) => {
    const common = { ...commonOf(options), json: options.has('json') }
    const key = options.get('key') ?? null
    if (action === 'list') return named === undefined && key === null ? ok({ action, ...common }) : fail('keys list takes no key.')
    if (action !== 'rotate' && action !== 'revoke') return fail('keys list, keys rotate or keys revoke.')
    if (more.length > 0 || (named !== undefined && key !== null)) return fail('One key at a time.')
    const one = named ?? key
    return one === null ? fail(`Which key? svc-desk keys ${action} NAME`) : ok({ action, ...common, key: one })
  },
  check: (plain, options) =>
    plain.length > 0
      ? fail('check reads every route: name none.')
      : ok({ action: 'check', ...commonOf(options), json: options.has('json'), dryRuns: options.has('dry-runs'), acceptTops: options.has('accept-top') }),
  listen: (plain, options) => (plain.length === 0 ? readListen(options) : fail('listen runs nothing: it hands deliveries on to --forward URL.')),
  trigger: ([event, ...more], options) => {
    if (options.has('list')) return event === undefined && options.size === 1 ? ok({ action: 'events' }) : fail('trigger --list stands alone.')
    const sent = readSent(options)
    if (!sent.ok) return sent
    if (event === undefined) return fail('Which event? `svc-desk trigger --list` names them.')
    return more.length === 0 ? ok({ action: 'trigger', event, ...sent.value, json: options.has('json') }) : fail('One event at a time.')
  },
  'test-receiver': ([event], options) => {
    const sent = readSent(options)
    if (!sent.ok) return sent
    const report = options.get('report') ?? null
    if (event !== undefined) return fail('test-receiver sends all events: name none.')
    if (report !== null && !/\.(json|md)$/.test(report)) return fail('--report takes a file that ends in .json or .md.')
    return ok({ action: 'test-receiver', ...sent.value, report, effects: options.get('effects') ?? null })
  },
  completion: ([typed, ...more]) => {
    const shell = shells.find((one) => one === typed)
    return shell !== undefined && more.length === 0
      ? ok({ action: 'completion', shell })
      : fail(`For which shell? ${shells.join(', ')}.${shell === undefined ? meant(typed ?? '', shells) : ''}`)
  },
}

function readSent(options: Options): Result<Sent, string> {
  const variable = readSecretVariable(options)
  if (!variable.ok) return variable
  const typed = options.get('to')
  if (typed === undefined) return fail('Where to? Name the endpoint with --to URL, such as localhost:4000/in.')
  return ok({ to: readOwn(typed)?.href ?? typed, secretEnv: variable.value })
}
