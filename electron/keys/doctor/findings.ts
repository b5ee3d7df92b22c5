import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { DoctorCheck, DoctorCheckId, DoctorFound, DoctorPlain, DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Result } from '../../../shared/result.ts'
import { sameAddress } from '../../../shared/signing/trust.ts'
import { day, second } from '../../../shared/time.ts'
import type { ApiFailure } from '../../service/transport/api-client.ts'
import type { GrantEnd } from '../../store/records/key-records.ts'

export type Cause = DoctorReport['cause']

/**
 * The results of checks, and the cause of the problem. `cause` is null if the checks show no cause. The cause can be more precise than the failed
 * check.
 */
export interface Finding {
  readonly checks: readonly DoctorCheck[]
  readonly cause: Cause | null
}

/** The facts that the app knows about a key before it makes any call with the key. */
export interface Patient {
  readonly keyId: string
  readonly label: string
  readonly wallet: string
  /** The key as the service lists it now; null if the list could not be read or does not contain the key (`unlisted`). */
  readonly listed: KeySummary | null
  readonly unlisted: boolean
  readonly scopes: readonly string[] | null
  readonly status: KeySummary['status']
  readonly expiresAtMs: number | null
  readonly allowlist: readonly string[] | null
}

const endingMs = 7 * day

function statusCheck({ listed, unlisted, status }: Patient): DoctorCheck {
  if (status === 'revoked') return check('status', 'fail', { code: 'listed_as', status, now: listed !== null })
  if (unlisted) return check('status', 'warn', 'not_listed')
  if (listed === null) return check('status', 'warn', status === 'unknown' ? 'never_listed' : { code: 'listed_as', status, now: false })
  return status === 'unknown' ? check('status', 'warn', 'listed_without_state') : check('status', 'pass', { code: 'listed_as', status, now: true })
}

/** Runs the checks that need no call with the key: its status in the service's key list, and its expiry. */
export function knownBefore(patient: Patient, nowMs: number): Finding {
  const { status, expiresAtMs } = patient
  const left = expiresAtMs === null ? null : expiresAtMs - nowMs
  const over = status === 'expired' || (left !== null && left <= 0)
  const expiry = over
    ? check('expiry', 'fail', { code: 'expired', atMs: expiresAtMs })
    : expiresAtMs === null || left === null
      ? check('expiry', 'warn', 'end_unknown')
      : check('expiry', left < endingMs ? 'warn' : 'pass', { code: 'ends', atMs: expiresAtMs, inMs: left })
  return { checks: [statusCheck(patient), expiry], cause: status === 'revoked' ? 'revoked' : over ? 'expired' : null }
}

/**
 * Limits in ms for the difference between the clocks of this computer and the service. Above the first limit, the check warns. Above the second, it
 * fails, because the service then rejects what other programs on this computer sign.
 */
const clockWarnMs = 5 * second
const clockFailMs = 60 * second

/** Checks the computer’s clock. `offsetMs`: the service’s clock minus this computer’s; null if the service did not send its time. */
export function clockCheck(offsetMs: number | null): DoctorCheck {
  if (offsetMs === null) return check('clock', 'warn', 'time_unknown')
  const apart = Math.abs(offsetMs)
  if (apart <= clockWarnMs) return check('clock', 'pass', 'clocks_agree')
  return check('clock', apart > clockFailMs ? 'fail' : 'warn', { code: 'clocks_apart', offsetMs })
}

const passedAddress = (allowlist: readonly string[] | null): Found =>
  allowlist === null || allowlist.length === 0 ? 'address_not_refused' : { code: 'address_allowed', allowlist: [...allowlist] }

/**
 * Checks whether the service accepts the key, and whether it accepts the key from this computer's IP address. If the result contains a `cause`, no
 * further check can succeed.
 */
export function admission({ allowlist, listed, status }: Patient, finding: CallFinding): Finding {
  const accepted = (found: Found) => check('accepted', 'pass', found, finding)
  const refused = (found: Found, cause: Cause): Finding => ({
    checks: [check('accepted', 'fail', found, finding), check('address', 'skipped', 'not_reached')],
    cause,
  })
  const untold = (found: Found, cause: Cause): Finding => ({
    checks: [check('accepted', 'warn', found, finding), check('address', 'skipped', 'not_reached')],
    cause,
  })
  switch (finding.verdict) {
    case 'expired':
      return refused('says_expired', 'expired')
    case 'revoked':
      return refused('says_revoked', 'revoked')
    case 'rejected':
      return refused(listed !== null && status === 'active' ? 'secret_replaced_elsewhere' : 'secret_refused', 'missing_or_revoked')
    case 'address': {
      const allowed = finding.allowlist.length > 0 ? finding.allowlist : (allowlist ?? [])
      const found = { code: 'address_refused' as const, seenAs: finding.seenAs, allowlist: [...allowed] }
      return { checks: [accepted('known'), check('address', 'fail', found, finding)], cause: 'ip_not_allowed' }
    }
    case 'limited':
      return {
        checks: [accepted('known_at_rate_limit'), check('address', 'pass', passedAddress(allowlist), finding)],
        cause: 'rate_limited',
      }
    case 'down':
      return untold('no_answer_to_call', 'service_down')
    case 'unclear':
      return untold({ code: 'call_refused', said: finding.code }, 'unclear')
    default:
      return { checks: [accepted('taken'), check('address', 'pass', passedAddress(allowlist), finding)], cause: null }
  }
}

/** Checks the owner of the key. `said`: the wallet that the service’s response names as the key’s owner; null if no response named a wallet. */
export function walletCheck({ wallet }: Patient, { finding, wallet: said }: { readonly finding: CallFinding; readonly wallet: string | null }): DoctorCheck {
  if (said === null) return check('wallet', 'skipped', finding.verdict === 'works' ? 'account_without_wallet' : 'wallet_needs_account_read', finding)
  const own = sameAddress(said, wallet)
  return check('wallet', own ? 'pass' : 'fail', { code: 'wallet_read', wallet: own ? wallet : said, own }, finding)
}

/** Checks whether the key has an executor. `finding`: the result of a dry run of `/orders/execute` with the key. */
export function executorCheck({ listed }: Patient, finding: CallFinding): DoctorCheck {
  const bound = listed?.executor ?? null
  switch (finding.verdict) {
    case 'executor':
      return check('executor', 'warn', 'executor_missing', finding)
    case 'scope':
      return check('executor', 'skipped', 'executor_needs_scope')
    case 'works':
    case 'body':
      if (bound !== null) return check('executor', 'pass', { code: 'executor_bound', executor: bound, listed: false }, finding)
      return listed === null ? check('executor', 'pass', 'executor_not_asked', finding) : check('executor', 'warn', 'executor_not_listed', finding)
    default:
      return bound === null
        ? check('executor', 'skipped', 'executor_unclear', finding)
        : check('executor', 'pass', { code: 'executor_bound', executor: bound, listed: true })
  }
}

/**
 * Checks the grant of the key’s agent. `end`: when the grant ends, if this app stored that date; null if the date is unknown because the grant was
 * signed elsewhere.
 */
export function agentCheck({ listed }: Patient, end: GrantEnd | null, nowMs: number): DoctorCheck {
  if (listed === null) return check('agent', 'skipped', 'agent_needs_sign_in')
  if (listed.agent === null) return check('agent', 'skipped', 'agent_none')
  const { address: agent, granted } = listed.agent
  if (granted === false) return check('agent', 'warn', { code: 'agent_not_granted', agent })
  if (end !== null && sameAddress(end.agent, agent)) {
    const atMs = end.endsAtMs
    if (atMs <= nowMs) return check('agent', 'warn', { code: 'agent_grant_over', agent, atMs })
    return check('agent', atMs - nowMs < endingMs ? 'warn' : 'pass', { code: 'agent_granted', agent, atMs })
  }
  return granted === true ? check('agent', 'pass', { code: 'agent_granted', agent, atMs: null }) : check('agent', 'warn', 'agent_unclear')
}

/** Checks the key’s last payment. `newest`: the most recent execution payment that this app made for the key; undefined if there was none. */
export function paymentCheck(newest: Intent | undefined): DoctorCheck {
  if (newest === undefined) return check('payment', 'skipped', 'payment_none')
  const { title, state } = newest
  return check('payment', state === 'FINAL' ? 'pass' : state === 'UNKNOWN' ? 'warn' : 'skipped', { code: 'payment', title, state })
}

type Verdict = DoctorCheck['verdict']

/** The result text of a doctor check: a code with the values to insert into the text, or only a code if the text needs no values. */
export type Found = DoctorFound | DoctorPlain

export const check = (id: DoctorCheckId, verdict: Verdict, found: Found, call: Pick<CallFinding, 'ms' | 'requestId'> | null = null): DoctorCheck => ({
  id,
  verdict,
  found: typeof found === 'string' ? { code: found } : found,
  ms: call?.ms ?? null,
  requestId: call?.requestId ?? null,
})

interface ScopeEvidence {
  readonly scope: string
  /** Whether the service’s key list names this scope for the key; null if the app could not read the key’s scopes from the list. */
  readonly claimed: boolean | null
  readonly finding: CallFinding
  /** Whether another call showed that this service checks a key’s scope before it checks the request body. */
  readonly scopeFirst: boolean
}

/**
 * Decides from the response to one call whether the key has a scope. If the service refused only the request body, this depends on the service: if
 * it checks scopes first, the key has the scope.
 */
export function scopeCheck({ scope, claimed, finding, scopeFirst }: ScopeEvidence): DoctorCheck {
  const id = `scope:${scope}` as DoctorCheckId
  const say = (verdict: Verdict, found: Found) => check(id, verdict, found, finding)
  const said = finding.code
  const passed = (how: 'answered' | 'executor_missing' | 'body_refused') =>
    say(claimed === false ? 'warn' : 'pass', { code: 'scope_passed', how, said, unlisted: claimed === false })
  switch (finding.verdict) {
    case 'works':
      return passed('answered')
    case 'executor':
      return passed('executor_missing')
    case 'body':
      if (scopeFirst) return passed('body_refused')
      return claimed === true ? say('pass', { code: 'scope_listed_body_refused', said }) : say('warn', { code: 'scope_body_refused', said })
    case 'scope':
      return claimed === true ? say('fail', { code: 'scope_listed_refused', said }) : say('skipped', 'scope_not_made_with')
    case 'limited':
      return say('warn', 'scope_at_rate_limit')
    case 'down':
      return say('warn', 'scope_no_answer')
    default:
      return say('warn', { code: 'scope_unclear', said })
  }
}

/**
 * What a call with a key reveals about that key.
 * works: the service answered.
 * body: the service accepted the key, but refused the content of the call.
 * scope, executor, address: the service refused the call, because the key lacks the scope or an executor, or does not allow this IP address.
 * rejected: the service answered 401 without a reason, so the secret is unknown or revoked.
 * down: the service did not answer.
 */
type CallVerdict = 'works' | 'body' | 'scope' | 'executor' | 'address' | 'expired' | 'revoked' | 'rejected' | 'limited' | 'down' | 'unclear'

export interface CallFinding {
  readonly verdict: CallVerdict
  readonly code: string | null
  readonly ms: number
  readonly requestId: string | null
  /** For the verdict `address`: the key's allowlist as last read, and the caller's address as named in the response. */
  readonly allowlist: readonly string[]
  readonly seenAs: string | null
}

/**
 * The API document names only one code for a 401: `API_KEY_REQUIRED`. To recognise an expired or revoked key, the app looks for words such as EXPIRED
 * or REVOKED in the code.
 */
const rejection = (code: string | null): CallVerdict =>
  /EXPIRED/i.test(code ?? '') ? 'expired' : /REVOKED|DISABLED|DELETED/i.test(code ?? '') ? 'revoked' : 'rejected'

function refusal(status: number, code: string | null): CallVerdict {
  if (status === 401) return rejection(code)
  if (status === 403) return /executor/i.test(code ?? '') ? 'executor' : /SCOPE|PERMISSION/i.test(code ?? '') ? 'scope' : 'unclear'
  if (status >= 400 && status < 500) return 'body'
  return status < 300 ? 'body' : 'down'
}

function verdictOf({ failure }: ApiFailure): { readonly verdict: CallVerdict; readonly code: string | null } {
  switch (failure.kind) {
    case 'refused':
      return { verdict: refusal(failure.status, failure.code), code: failure.code }
    case 'scope_missing':
      return { verdict: 'scope', code: failure.scope }
    case 'executor_required':
      return { verdict: 'executor', code: 'delegated_executor_binding_required' }
    case 'ip_not_allowed':
      return { verdict: 'address', code: 'IP_NOT_ALLOWED' }
    case 'api_key_required':
      return { verdict: 'rejected', code: 'API_KEY_REQUIRED' }
    case 'rate_limited':
      return { verdict: 'limited', code: null }
    case 'price_deviation':
    case 'market_data_stale':
    case 'idempotency_conflict':
      return { verdict: 'body', code: failure.kind }
    case 'unreachable':
    case 'outcome_unknown':
      return { verdict: 'down', code: null }
    default:
      return { verdict: 'unclear', code: failure.kind }
  }
}

/** Evaluates one call that was made with the key. `answer`: the service's response or refusal. `ms`: how long the call took. */
export function findingOf(answer: Result<{ readonly requestId: string | null }, ApiFailure>, ms: number): CallFinding {
  const common = { ms: Math.round(ms), allowlist: [], seenAs: null }
  if (answer.ok) return { ...common, verdict: 'works', code: null, requestId: answer.value.requestId }
  const { failure } = answer.failure
  const refused = failure.kind === 'ip_not_allowed' ? { allowlist: failure.allowlist, seenAs: failure.seenAs } : {}
  return { ...common, ...refused, ...verdictOf(answer.failure), requestId: answer.failure.requestId ?? null }
}
