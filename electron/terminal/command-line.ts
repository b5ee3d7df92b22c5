import { fail, ok, type Result } from '../../shared/result.ts'
import { meant } from './channel/nearest.ts'
import { type CheckLine, checkFlags, readCheck } from './commands/check-line.ts'
import { type ListenLine, listenOptions, readListen } from './commands/listen-line.ts'
import { type ReceiverLine, readReceiverLine, receiverOptions } from './commands/receiver-line.ts'
import { type HelpTopic, helpTopics } from './help.ts'

/** What the words after `svc-desk` ask for. */
export type CommandLine =
  /** `of` null: of all commands. */
  | { readonly action: 'help'; readonly of: HelpTopic | null }
  | { readonly action: 'version' }
  | ListenLine
  | {
      readonly action: 'run'
      readonly profile: string | null
      /** A key, a webhook, or one of each. */
      readonly key: string | null
      readonly webhook: string | null
      readonly data: string | null
      readonly words: readonly string[]
    }
  | { readonly action: 'list'; readonly profile: string | null; readonly data: string | null; readonly json: boolean }
  | { readonly action: 'rotate' | 'revoke'; readonly profile: string | null; readonly key: string; readonly data: string | null; readonly json: boolean }
  | ReceiverLine
  | CheckLine

const valued = ['profile', 'key', 'webhook', 'data', ...listenOptions, ...receiverOptions.valued] as const
const flags = ['json', 'help', 'version', ...receiverOptions.flags, ...checkFlags] as const
const ofWebhooks: readonly Option[] = [...listenOptions, ...receiverOptions.valued, ...receiverOptions.flags]
type Option = (typeof valued)[number] | (typeof flags)[number]

/** Reads the words; fails with one sentence about the first that cannot be. */
export function readCommandLine(given: readonly string[]): Result<CommandLine, string> {
  const end = given.indexOf('--')
  const before = end < 0 ? given : given.slice(0, end)
  const words = end < 0 ? [] : given.slice(end + 1)
  const options = new Map<Option, string>()
  const plain: string[] = []
  for (let index = 0; index < before.length; index += 1) {
    const word = before[index] ?? ''
    if (!word.startsWith('-') || word === '-') {
      plain.push(word)
      continue
    }
    const [name = '', given_] = word === '-h' ? ['help'] : splitOption(word)
    const value = valued.find((one) => one === name)
    const flag = flags.find((one) => one === name)
    if (value === undefined && flag === undefined) return fail(`There is no option ${word}.${meant(name, [...valued, ...flags], (one) => `--${one}`)}`)
    if (options.has(value ?? flag ?? 'help')) return fail(`${word} stands there twice.`)
    if (flag !== undefined) {
      if (given_ !== undefined) return fail(`--${flag} takes no value.`)
      options.set(flag, '')
    } else if (value !== undefined) {
      const text = given_ ?? before[++index]
      if (text === undefined || text === '') return fail(`--${value} needs a value.`)
      options.set(value, text)
    }
  }
  const asksHelp = options.has('help') || plain[0] === 'help'
  if (asksHelp || (plain.length === 0 && words.length === 0 && options.size === 0))
    return ok({ action: 'help', of: helpTopics.find((topic) => plain.includes(topic)) ?? null })
  if (options.has('version')) return ok({ action: 'version' })
  return command(plain, words, end >= 0, options)
}

const splitOption = (word: string): [string, string?] => {
  const at = word.indexOf('=')
  return at < 0 ? [word.replace(/^--/, '')] : [word.slice(2, at), word.slice(at + 1)]
}

function command(plain: readonly string[], words: readonly string[], ended: boolean, options: ReadonlyMap<Option, string>): Result<CommandLine, string> {
  const [first, second, third, ...more] = plain
  if (first === 'trigger' || first === 'test-receiver')
    return ended ? fail(`${first} runs nothing: leave -- away.`) : readReceiverLine(first, plain.slice(1), options)
  if (first === 'listen') return second === undefined && !ended ? readListen(options) : fail('listen runs nothing: it hands deliveries on to --forward URL.')
  if (first === 'check') return ended ? fail('check runs nothing: leave -- away.') : readCheck(plain.slice(1), options)
  const foreign = checkFlags.find((option) => options.has(option))
  if (foreign !== undefined) return fail(`--${foreign} belongs to check.`)
  const stray = [...options.keys()].find((option) => ofWebhooks.includes(option))
  if (stray !== undefined) return fail(`--${stray} belongs to the commands for webhooks: listen, trigger and test-receiver.`)
  const common = { profile: options.get('profile') ?? null, data: options.get('data') ?? null }
  const key = options.get('key') ?? null
  const webhook = options.get('webhook') ?? null
  if (first === 'run') {
    if (second !== undefined) return fail(`What is to be run stands after --, for example: svc-desk run --key NAME -- ${second}`)
    if (options.has('json')) return fail('run takes no --json: what is printed is the command’s own.')
    if (key === null && webhook === null) return fail('Which key? Name it with --key, or a webhook with --webhook.')
    if (!ended || words.length === 0) return fail('What is to be run stands after --, for example: svc-desk run --key NAME -- node bot.js')
    return ok({ action: 'run', ...common, key, webhook, words })
  }
  if (first !== 'keys') return fail(noCommand(first))
  if (ended) return fail('keys runs nothing: leave -- away.')
  if (webhook !== null) return fail('keys takes no webhook.')
  const json = options.has('json')
  if (second === 'list') return third === undefined && key === null ? ok({ action: 'list', ...common, json }) : fail('keys list takes no key.')
  if (second !== 'rotate' && second !== 'revoke') return fail('keys list, keys rotate or keys revoke.')
  if (more.length > 0 || (third !== undefined && key !== null)) return fail('One key at a time.')
  const named = third ?? key
  return named === null ? fail(`Which key? svc-desk keys ${second} NAME`) : ok({ action: second, ...common, key: named, json })
}

function noCommand(first: string | undefined): string {
  if (first === undefined) return 'What is to be done? run, keys, check, listen, trigger or test-receiver.'
  const guess = meant(first, helpTopics)
  return `There is no command ${first}.${guess === '' ? ' There are run, keys, check, listen, trigger and test-receiver.' : guess}`
}
