import { secretPrefixes } from '../../../shared/api/redact.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { isOwn, portOf, readOwn, usualPlace } from '../../webhooks/lab/forwarder.ts'
import type { ReceiverAnswer } from '../../webhooks/lab/receiver.ts'
import type { Options } from './table.ts'

/** The options of `svc-desk listen`. */
export interface ListenLine {
  readonly action: 'listen'
  readonly profile: string | null
  readonly data: string | null
  readonly json: boolean
  /**
   * Where the signing secret comes from: an environment variable, or a webhook in Svc Desk. If `webhook` is null, the app chooses the only
   * possible one.
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
  const port = options.has('port') ? wholeNumber(options.get('port'), 1, 65_535) : null
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
  const status = options.has('answer') ? wholeNumber(options.get('answer'), 200, 599) : 200
  if (status === null) return fail('--answer takes a status from 200 to 599, or endpoint.')
  const delayS = options.has('delay') ? wholeNumber(options.get('delay'), 0, longestDelayS) : 0
  return delayS === null ? fail(`--delay takes whole seconds, at most ${longestDelayS}.`) : ok({ status, delayMs: delayS * second })
}

export interface Place {
  readonly port: number
  readonly path: string
}

/**
 * The port and path at which to receive deliveries: those of the webhook's URL if it is plain HTTP to this computer, else the default ones.
 * `--port` overrides the port.
 */
export function placeOf({ port: named, forward }: Pick<ListenLine, 'port' | 'forward'>, webhookUrl: string | null): Result<Place, string> {
  const url = URL.parse(webhookUrl ?? '')
  const pointed = url !== null && url.protocol === 'http:' && isOwn(url) ? { port: portOf(url), path: url.pathname } : usualPlace
  const port = named ?? pointed.port
  if (forward !== null && portOf(forward) === port) return fail(`listen cannot forward to port ${port}: it receives there. Change --port or --forward.`)
  return ok({ port, path: pointed.path })
}

function wholeNumber(text: string | undefined, from: number, to: number): number | null {
  const value = /^\d{1,5}$/.test(text ?? '') ? Number(text) : from - 1
  return value >= from && value <= to ? value : null
}
