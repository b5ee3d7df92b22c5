import { reportColumns } from '../../../shared/fleet-report.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { BotPolicy } from '../../../shared/ipc/keys/gateway.ts'
import { timeOfMinute } from '../../../shared/limits-draft.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import type { Answered, FleetAsk, GatewayAsk, ListedKey, MissingSignIn } from './messages.ts'

/** The exit codes of `svc-desk` for a request that failed. Otherwise, `svc-desk` returns the exit code of the program that it started. */
export const exitCodes = {
  notTaken: 1,
  usage: 64,
  missing: 66,
  unavailable: 69,
  internal: 70,
  unknown: 74,
  later: 75,
  denied: 77,
  wallet: 78,
  cannotStart: 126,
  notFound: 127,
  /** If a signal ended the started program, the exit code is 128 plus the signal's number. */
  signal: 128,
} as const

/** The exit codes of `svc-desk scan`, like those of other linters. `incomplete`: it found nothing but could not search everything. */
export const scanCodes = { clean: 0, found: 1, usage: 2, incomplete: 3 } as const

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  notTaken: 'A receiver rejected an event or failed its test, part of the service could not be read, or scan found a secret',
  usage: 'Wrong usage (scan: 2)',
  missing: 'No such profile, key, webhook or file, or a secret is not on this computer',
  unavailable: 'The keychain, journal, service, profile or port cannot be used now',
  internal: 'Svc Desk failed',
  unknown: 'The response was lost; Svc Desk finds out what happened',
  later: 'No one answered within a minute, or Svc Desk is starting or locked: try again',
  denied: 'Denied in Svc Desk, a wrong passphrase, or a confirmation was missing',
  wallet: 'Sign in with your wallet in Svc Desk first',
  cannotStart: 'The program cannot be started',
  notFound: 'There is no such program',
  signal: 'Signal n ended it',
}

/** Every exit code with its meaning, in order. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'Done'],
  ...(Object.keys(exitCodes) as (keyof typeof exitCodes)[]) // The cast is safe: these are the keys of `exitCodes`.
    .map((name) => [name === 'signal' ? `${exitCodes.signal} + n` : String(exitCodes[name]), meanings[name]] as const),
]

/** The text that a terminal prints if a command did nothing: the reason, and what to do next. */
export interface Refusal {
  readonly exitCode: number
  readonly sentence: string
  readonly signIn?: MissingSignIn | undefined
}

export const refusal = (why: Exclude<keyof typeof exitCodes, 'signal' | 'notTaken'>, sentence: string): Refusal => ({ exitCode: exitCodes[why], sentence })

/** The refusal of a command for which the user must sign in first. */
export const signInRefusal = (sentence: string, { wallet = null, profile = null }: Partial<MissingSignIn> = {}): Refusal => ({
  ...refusal('wallet', sentence),
  signIn: { wallet, profile },
})

/** Converts a failure of the app to a refusal for the terminal. */
export function refusalOf(failure: Failure): Refusal {
  switch (failure.kind) {
    case 'no_wallet':
    case 'sign_in_required':
      return signInRefusal('This needs a sign-in. Sign in with your wallet in Svc Desk, then try again.')
    case 'wrong_wallet':
      return signInRefusal(`Svc Desk has another wallet. Connect ${failure.expected}, which owns the key, then try again.`, { wallet: failure.expected })
    case 'locked':
      return refusal('later', 'Svc Desk is locked. Unlock it, then try again.')
    case 'keychain':
      return keychainRefusal(failure.code)
    case 'journal':
      return refusal('unavailable', 'Svc Desk cannot use its journal now. Open Svc Desk to see why.')
    case 'unreachable':
      return refusal('unavailable', 'Svc Desk cannot reach the service. Check your network, then try again.')
    case 'rate_limited':
      return refusal('later', 'The service limits the number of requests. Try again in a moment.')
    case 'refused':
      return refusal(
        'unavailable',
        `The service refused the request: ${failure.status}${failure.code === null ? '' : ` ${failure.code}`}. Activity in Svc Desk shows it.`,
      )
    case 'outcome_unknown':
      return refusal('unknown', 'The response was lost. Wait until Svc Desk shows what happened before you try again.')
    case 'unreadable':
      return refusal(
        'unknown',
        'The service accepted the request, but Svc Desk cannot read the response. Wait until Svc Desk shows what happened before you try again.',
      )
    case 'api_key_required':
      return refusal('missing', 'Svc Desk has no key of the connected wallet. Create or import one there.')
    case 'wrong_state':
      return refusal(
        'later',
        failure.state === 'running'
          ? 'Svc Desk already runs this. Wait until it ends, then try again.'
          : `Svc Desk cannot do this now (${failure.state}). Try again later.`,
      )
    case 'not_found':
      return refusal('missing', `There is no such ${failure.what}. Check its name or id.`)
    case 'no_profile':
      return refusal('missing', 'No profile is open in Svc Desk. Open one, then try again.')
    case 'bad_input':
      return refusal('usage', `${failure.field ?? 'The input'}: ${inputIssueText(failure.issue)}`)
    case 'internal':
      return refusal('internal', `Svc Desk failed (${failure.reference}). Its log says more.`)
    default:
      return refusal('internal', `Svc Desk cannot do this (${failure.kind}). Open Svc Desk to see why.`)
  }
}

export function keychainRefusal(code: Extract<Failure, { kind: 'keychain' }>['code']): Refusal {
  if (code === 'locked') return refusal('unavailable', 'The system keychain is locked. Unlock it, then try again.')
  if (code === 'timeout') return refusal('unavailable', 'The system keychain did not answer in time. Try again.')
  return refusal('unavailable', 'The system keychain cannot be used here. Check that it runs.')
}

/** Formats the keys for people: one per line, in columns. */
export const keysText = (keys: readonly ListedKey[]): string =>
  inColumns(
    keys.map(({ label, id, status, expiresAtMs, here, wallet }) => [
      plain(label),
      plain(id),
      status,
      expiresAtMs === null ? '—' : `until ${new Date(expiresAtMs).toISOString().slice(0, 10)}`,
      here ? 'here' : 'elsewhere',
      wallet ?? '—',
    ]),
  )

function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** A bot's mode and limits as the options of `svc-desk bots limits`, which the user can type. Markets are ids. */
export function policyWords({ mode, limits, sides, openNotionalUsdc, ordersPerMinute, hours, silence }: BotPolicy): readonly string[] {
  const words: Readonly<Record<string, string | number | null>> = {
    mode: mode.replace('_', '-'),
    market: limits.markets?.join(',') ?? null,
    side: sides === null || sides.length > 1 ? null : (sides[0] ?? null),
    'max-order': limits.orderValueUsdc,
    'max-leverage': limits.leverage,
    'max-open': openNotionalUsdc,
    'orders-per-minute': ordersPerMinute,
    'max-loss': limits.dailyLossUsdc,
    hours: hours === null ? null : `${timeOfMinute(hours.fromMinute)}-${timeOfMinute(hours.toMinute)}`,
    silence: silence === null ? null : `${silence.afterSeconds}${silence.does === 'cancel' ? '' : ':close'}`,
  }
  return Object.entries(words).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, String(value)]))
}

type GatewayAnswer = Extract<Answered, { type: 'gateway' }>

/** What a command for the gateway did, for people: the bots one per line, the new token alone on its line, the orders that were under way. */
export function gatewayText(did: GatewayAsk['do'], { status, token, paused }: GatewayAnswer): string {
  const { hostUrl, socket, bots } = status
  const listed = inColumns(
    bots.map(({ label, id, state, policy, callsPerSecond, errors, orders, unknown }) => [
      ...[plain(label), id, state, policy.mode.replace('_', '-'), `${callsPerSecond.toFixed(1)}/s`, `${errors} errors`, `${orders} orders`],
      unknown === 0 ? '' : `${unknown} unknown`,
    ]),
  )
  const left = (paused?.underWay ?? []).map(
    ({ botId, key }) => `May still take effect: ${key} of ${plain(bots.find(({ id }) => id === botId)?.label ?? botId)}\n`,
  )
  switch (did) {
    case 'add':
      return `${token ?? ''}\n`
    case 'stop':
    case 'pause':
      return `${paused?.bots ?? 0} ${paused?.bots === 1 ? 'bot' : 'bots'} paused.\n${left.join('')}`
    case 'resume':
      return 'The bot may send again.\n'
    case 'revoke':
      return 'The bot’s token has ended.\n'
    case 'limits':
      return bots.map(({ label, policy }) => `${plain(label)} ${policyWords(policy).join(' ')}\n`).join('')
    default:
      return `${hostUrl === null ? 'The gateway is off.\n' : `The gateway listens on ${hostUrl}${socket === null ? '' : ` and ${socket}`}\n`}${listed}`
  }
}

export const gatewayJson = ({ profile, status, token, paused }: GatewayAnswer): string =>
  `${JSON.stringify({ profile, ...status, ...(token !== null && { token }), ...(paused !== null && { paused }) }, null, 2)}\n`

type FleetAnswer = Extract<Answered, { type: 'fleet' }>

/** The plans after the command. The reasons are the codes of `FleetReason`. */
export function fleetText(did: FleetAsk['do'], { plans }: FleetAnswer): string {
  const lines = plans.flatMap(({ about }) => about?.lines ?? [])
  switch (did) {
    case 'list':
      return inColumns(
        plans.flatMap(({ id, state, about }) =>
          about === null
            ? []
            : [[plain(about.name), id, state, `${about.done} of ${about.keys} done`, `${about.needsUser} need you`, about.isDue ? 'due' : '']],
        ),
      )
    case 'show': {
      const shown = (['old key', 'wallet', 'target', 'state', 'reason'] as const).map((column) => reportColumns.indexOf(column))
      return inColumns(lines.map((line) => shown.map((at) => plain(line[at] ?? ''))))
    }
    case 'report': {
      const cells = (line: readonly string[]) => `| ${line.map((cell) => plain(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
      return [reportColumns, reportColumns.map(() => '---'), ...lines].map(cells).join('')
    }
    case 'pause':
      return plans.length === 1 ? 'The plan is paused. No further step starts.\n' : `${plans.length} plans are paused. No further step starts.\n`
    case 'resume':
      return 'The plan runs.\n'
    case 'remove':
      return 'The plan and its report are removed.\n'
  }
}

/** The plans for scripts: each key as an object with the report's columns. */
export function fleetJson({ profile, plans }: FleetAnswer): string {
  const shown = plans.map(({ id, state, about }) => {
    if (about === null) return { id, state }
    const { lines, ...more } = about
    const items = lines.map((line) => Object.fromEntries(reportColumns.map((column, at) => [column, line[at]])))
    return { id, state, ...more, ...(items.length > 0 && { items }) }
  })
  return `${JSON.stringify({ profile, plans: shown }, null, 2)}\n`
}

/** Formats an answer for scripts. Times are ISO 8601 in UTC; null means unknown. */
export function answerJson(answered: Extract<Answered, { type: 'list' | 'done' }>): string {
  const key = ({ createdAtMs, expiresAtMs, ...rest }: ListedKey) => ({ ...rest, createdAt: iso(createdAtMs), expiresAt: iso(expiresAtMs) })
  const { profile } = answered
  const shown =
    answered.type === 'list' ? { profile, source: answered.source, keys: answered.keys.map(key) } : { profile, action: answered.action, key: key(answered.key) }
  return `${JSON.stringify(shown, null, 2)}\n`
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Removes control characters, because labels come from the service and must not control the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD')
