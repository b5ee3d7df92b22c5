import { fail, ok, type Result } from '../../shared/result.ts'
import { second } from '../../shared/time.ts'
import { isOwn, portOf, usualPlace } from '../webhooks/lab/own-url.ts'
import type { ReceiverAnswer } from '../webhooks/lab/receiver.ts'
import { readSecretVariable } from './secret-variable.ts'

/** What `svc-desk listen` is to do. */
export interface ListenLine {
  readonly action: 'listen'
  readonly profile: string | null
  readonly data: string | null
  readonly json: boolean
  /** Where the signing secret is: of a webhook in Svc Desk, or in a variable of the environment. */
  readonly secret: { readonly webhook: string } | { readonly variable: string }
  /** The user's own endpoint, on this computer; null hands nothing on. */
  readonly forward: URL | null
  readonly port: number
  readonly path: string
  readonly answer: ReceiverAnswer
}

/** Options of `listen` that take a value, beside those that most commands have. */
export const listenOptions = ['forward', 'secret-env', 'port', 'answer', 'delay'] as const
const taken: readonly string[] = [...listenOptions, 'webhook', 'profile', 'data', 'json']

const longestDelayS = 60

/** Reads the options of `listen`; fails with one sentence about the first that cannot be. */
export function readListen(options: ReadonlyMap<string, string>): Result<ListenLine, string> {
  const foreign = [...options.keys()].find((option) => !taken.includes(option))
  if (foreign !== undefined) return fail(`listen takes no --${foreign}.`)
  const variable = readSecretVariable(options)
  if (!variable.ok) return variable
  const webhook = options.get('webhook')
  if ((webhook === undefined) === (variable.value === null))
    return fail('Which secret are deliveries signed with? Name its webhook with --webhook, or a variable that holds it with --secret-env.')
  const secret = webhook === undefined ? { variable: variable.value ?? '' } : { webhook }
  const forward = options.has('forward') ? URL.parse(options.get('forward') ?? '') : null
  if (options.has('forward') && (forward === null || !isOwn(forward)))
    return fail('--forward takes a URL of this computer, such as http://localhost:3000/hook.')
  const named = webhook === undefined ? null : receivedAt(webhook)
  const port = options.has('port') ? wholeNumber(options.get('port'), 1, 65_535) : (named?.port ?? usualPlace.port)
  if (port === null) return fail('--port takes a number from 1 to 65535.')
  if (forward !== null && portOf(forward) === port) return fail(`Deliveries would go round in a circle: port ${port} is the one that they are received on.`)
  const status = options.has('answer') ? wholeNumber(options.get('answer'), 200, 599) : 200
  if (status === null) return fail('--answer takes a status from 200 to 599.')
  const delayS = options.has('delay') ? wholeNumber(options.get('delay'), 0, longestDelayS) : 0
  if (delayS === null) return fail(`--delay takes whole seconds, at most ${longestDelayS}.`)
  const common = { profile: options.get('profile') ?? null, data: options.get('data') ?? null, json: options.has('json') }
  return ok({ action: 'listen', ...common, secret, forward, port, path: named?.path ?? usualPlace.path, answer: { status, delayMs: delayS * second } })
}

/** A webhook of practice that is named by its URL is received where that points to. */
function receivedAt(webhook: string): { readonly port: number; readonly path: string } | null {
  const url = URL.parse(webhook)
  return url !== null && url.protocol === 'http:' && isOwn(url) ? { port: portOf(url), path: url.pathname } : null
}

function wholeNumber(text: string | undefined, from: number, to: number): number | null {
  const value = /^\d{1,5}$/.test(text ?? '') ? Number(text) : from - 1
  return value >= from && value <= to ? value : null
}
