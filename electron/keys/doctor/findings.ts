import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DoctorCheck, DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { sameAddress } from '../../../shared/signing/pins.ts'
import { dateText, durationText, shortAddress } from '../../../shared/signing/wording.ts'
import { day, second } from '../../../shared/time.ts'
import type { GrantEnd } from '../issuance/grant-ends.ts'
import type { CallFinding } from './call-verdict.ts'
import { check } from './checks.ts'

export type Cause = DoctorReport['cause']

/** Checks, and a cause that they name more exactly than their verdicts can; null: none. */
export interface Finding {
  readonly checks: readonly DoctorCheck[]
  readonly cause: Cause | null
}

/** What is known of a key before anything is asked with it. */
export interface Patient {
  readonly keyId: string
  readonly label: string
  readonly wallet: string
  /** As the service lists it now; null where it could not be asked, or does not list it (`unlisted`). */
  readonly listed: KeySummary | null
  readonly unlisted: boolean
  readonly scopes: readonly string[] | null
  readonly status: KeySummary['status']
  readonly expiresAtMs: number | null
  readonly allowlist: readonly string[] | null
}

const endingMs = 7 * day

function statusCheck({ listed, unlisted, status }: Patient): DoctorCheck {
  if (status === 'revoked') return check('status', 'fail', listed === null ? 'When it was last listed it was revoked.' : 'The service’s list says: revoked.')
  if (unlisted) return check('status', 'warn', 'The service does not list it any more.')
  if (listed === null)
    return check(
      'status',
      'warn',
      `${status === 'unknown' ? 'It was not listed yet.' : `When it was last listed it was ${status}.`} Sign in to see what it is now.`,
    )
  return status === 'unknown'
    ? check('status', 'warn', 'The service lists it and does not say in which state.')
    : check('status', 'pass', `The service’s list says: ${status}.`)
}

/** What this computer and the list know; costs no call with the key. */
export function knownBefore(patient: Patient, nowMs: number): Finding {
  const { status, expiresAtMs } = patient
  const left = expiresAtMs === null ? null : expiresAtMs - nowMs
  const over = status === 'expired' || (left !== null && left <= 0)
  const end = expiresAtMs === null ? null : dateText(expiresAtMs)
  const expiry = over
    ? check('expiry', 'fail', end === null ? 'It has expired.' : `It expired on ${end}.`)
    : left === null
      ? check('expiry', 'warn', 'The service did not say when it ends.')
      : check('expiry', left < endingMs ? 'warn' : 'pass', `It ends on ${end}, in ${durationText(left)}.`)
  return { checks: [statusCheck(patient), expiry], cause: status === 'revoked' ? 'revoked' : over ? 'expired' : null }
}

/** Clocks that are further apart than this are spoken of; beyond the second, what is signed elsewhere on this computer fails. */
const clockWarnMs = 5 * second
const clockFailMs = 60 * second

/** `offsetMs`: the service's clock minus this computer's; null: it did not tell its time. */
export function clockCheck(offsetMs: number | null): DoctorCheck {
  if (offsetMs === null) return check('clock', 'warn', 'The service did not tell its time.')
  const apart = Math.abs(offsetMs)
  if (apart <= clockWarnMs) return check('clock', 'pass', 'This computer and the service agree on the time.')
  const where = `This computer is ${durationText(apart)} ${offsetMs > 0 ? 'behind' : 'ahead of'} the service.`
  return check(
    'clock',
    apart > clockFailMs ? 'fail' : 'warn',
    `${where} This app goes by the service’s time; other programs here do not. Let the network set the clock.`,
  )
}

const passedAddress = (allowlist: readonly string[] | null): string =>
  allowlist === null || allowlist.length === 0 ? 'The call was not refused for its address.' : `This computer’s address is allowed: ${allowlist.join(', ')}.`

/** Whether the key is taken, and from this address. A cause keeps it from all else. */
export function admission({ allowlist, listed, status }: Patient, finding: CallFinding): Finding {
  const accepted = (words: string) => check('accepted', 'pass', words, finding)
  const refused = (words: string, cause: Cause): Finding => ({
    checks: [check('accepted', 'fail', words, finding), check('address', 'skipped', 'The service did not get as far.')],
    cause,
  })
  const untold = (words: string, cause: Cause): Finding => ({
    checks: [check('accepted', 'warn', words, finding), check('address', 'skipped', 'The service did not get as far.')],
    cause,
  })
  switch (finding.verdict) {
    case 'expired':
      return refused('The service says that it has expired.', 'expired')
    case 'revoked':
      return refused('The service says that it was revoked.', 'revoked')
    case 'rejected':
      return refused(
        listed !== null && status === 'active'
          ? 'The service does not take this secret, though it lists the key as active: another secret took its place, by a rotation elsewhere.'
          : 'The service does not take this secret.',
        'missing_or_revoked',
      )
    case 'address': {
      const allowed = finding.allowlist.length > 0 ? finding.allowlist : (allowlist ?? [])
      const words = [
        finding.seenAs === null ? 'The service refuses this computer’s address.' : `The service sees this computer at ${finding.seenAs}, which is not allowed.`,
        allowed.length === 0 ? 'The key’s allowlist is not known here.' : `Allowed: ${allowed.join(', ')}.`,
      ]
      return { checks: [accepted('The service knows it.'), check('address', 'fail', words.join(' '), finding)], cause: 'ip_not_allowed' }
    }
    case 'limited':
      return {
        checks: [accepted('The service knows it; its own rate limit is used up.'), check('address', 'pass', passedAddress(allowlist), finding)],
        cause: 'rate_limited',
      }
    case 'down':
      return untold('The service did not answer a call with the key.', 'service_down')
    case 'unclear':
      return untold(`The service refused the call${finding.code === null ? '' : `: ${finding.code}`}.`, 'unclear')
    default:
      return { checks: [accepted('The service takes it.'), check('address', 'pass', passedAddress(allowlist), finding)], cause: null }
  }
}

/** `said`: whose account the key reads; null: nobody said. */
export function walletCheck({ wallet }: Patient, { finding, wallet: said }: { readonly finding: CallFinding; readonly wallet: string | null }): DoctorCheck {
  if (said === null)
    return check(
      'wallet',
      'skipped',
      finding.verdict === 'works' ? 'The account names no wallet.' : 'Without account:read the service does not say whose it is.',
      finding,
    )
  return sameAddress(said, wallet)
    ? check('wallet', 'pass', `It reads the account of ${shortAddress(wallet)}.`, finding)
    : check('wallet', 'fail', `It reads the account of ${said}, which is not yours.`, finding)
}

/** `finding`: of the dry run of `/orders/execute`. */
export function executorCheck({ listed }: Patient, finding: CallFinding): DoctorCheck {
  const bound = listed?.executor ?? null
  switch (finding.verdict) {
    case 'executor':
      return check('executor', 'warn', 'None is bound: /orders/execute refuses every call with this key.', finding)
    case 'scope':
      return check('executor', 'skipped', 'Without trade:execute it has no use.')
    case 'works':
    case 'body':
      if (bound !== null) return check('executor', 'pass', `Bound to ${bound}.`, finding)
      return listed === null
        ? check('executor', 'pass', 'The service asked for none. Sign in to see which is bound.', finding)
        : check('executor', 'warn', 'The service’s list names none, though the call was not refused for it.', finding)
    default:
      return bound === null ? check('executor', 'skipped', 'It cannot be told.', finding) : check('executor', 'pass', `The list says: bound to ${bound}.`)
  }
}

/** `end`: when the grant that was stored here is over; null: it was stored elsewhere. */
export function agentCheck({ listed }: Patient, end: GrantEnd | null, nowMs: number): DoctorCheck {
  if (listed === null) return check('agent', 'skipped', 'Sign in to see whether it has one.')
  if (listed.agent === null) return check('agent', 'skipped', 'It has none. Only a key that trades by itself needs one.')
  const { address, granted } = listed.agent
  const name = address === null ? 'Its agent' : `The agent ${shortAddress(address)}`
  if (granted === false) return check('agent', 'warn', `${name} has no signed grant: it may not trade.`)
  if (end !== null && sameAddress(end.agent, address)) {
    const date = dateText(end.endsAtMs)
    if (end.endsAtMs <= nowMs) return check('agent', 'warn', `${name} may not trade any more: its grant was over on ${date}.`)
    return check('agent', end.endsAtMs - nowMs < endingMs ? 'warn' : 'pass', `${name} may trade until ${date}.`)
  }
  return granted === true
    ? check('agent', 'pass', `${name} may trade. Until when is not known here.`)
    : check('agent', 'warn', 'The service does not say whether its agent is granted.')
}

/** `newest`: the last execution payment that was made here; undefined: none. */
export function paymentCheck(newest: Intent | undefined): DoctorCheck {
  if (newest === undefined) return check('payment', 'skipped', 'None was made here. Whether it needs one, only a delegated order shows.')
  if (newest.state === 'FINAL') return check('payment', 'pass', `${newest.title}: final.`)
  return check('payment', newest.state === 'UNKNOWN' ? 'warn' : 'skipped', `${newest.title}: ${newest.state.toLowerCase()}.`)
}
