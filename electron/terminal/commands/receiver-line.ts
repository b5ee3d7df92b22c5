import { fail, ok, type Result } from '../../../shared/result.ts'
import { readOwn } from '../../webhooks/lab/own-url.ts'
import { readSecretVariable } from '../channel/secret-variable.ts'

/** `svc-desk trigger` and `svc-desk test-receiver`: sample events to an endpoint. */
export type ReceiverLine =
  | { readonly action: 'events' }
  | ({ readonly action: 'trigger'; readonly event: string; readonly json: boolean } & Sent)
  | ({ readonly action: 'test-receiver'; readonly report: string | null; readonly effects: string | null } & Sent)

export interface Sent {
  readonly to: string
  /** The variable that holds the secret to sign with; null: one is made. */
  readonly secretEnv: string | null
}

export const receiverOptions = { valued: ['to', 'secret-env', 'report', 'effects'], flags: ['list'] } as const

const taken: Readonly<Record<'trigger' | 'test-receiver', readonly string[]>> = {
  trigger: ['to', 'secret-env', 'json', 'list'],
  'test-receiver': ['to', 'secret-env', 'report', 'effects'],
}

export function readReceiverLine(
  action: 'trigger' | 'test-receiver',
  words: readonly string[],
  options: ReadonlyMap<string, string>,
): Result<ReceiverLine, string> {
  const foreign = [...options.keys()].find((option) => !taken[action].includes(option))
  if (foreign !== undefined) return fail(`${action} takes no --${foreign}.`)
  if (options.has('list')) return words.length === 0 && options.size === 1 ? ok({ action: 'events' }) : fail('trigger --list stands alone.')
  const variable = readSecretVariable(options)
  if (!variable.ok) return variable
  const secretEnv = variable.value
  const typed = options.get('to')
  if (typed === undefined) return fail('Where to? Name the endpoint with --to URL, such as localhost:4000/in.')
  const to = readOwn(typed)?.href ?? typed
  const [event, ...more] = words
  if (action === 'test-receiver') {
    const report = options.get('report') ?? null
    if (event !== undefined) return fail('test-receiver sends all events: name none.')
    if (report !== null && !/\.(json|md)$/.test(report)) return fail('--report takes a file that ends in .json or .md.')
    return ok({ action, to, secretEnv, report, effects: options.get('effects') ?? null })
  }
  if (event === undefined) return fail('Which event? `svc-desk trigger --list` names them.')
  return more.length === 0 ? ok({ action, event, to, secretEnv, json: options.has('json') }) : fail('One event at a time.')
}
