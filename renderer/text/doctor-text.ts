import type { DoctorCheckId, DoctorFound, DoctorReport } from '../../shared/ipc/keys/doctor.ts'
import { unreachable } from '../../shared/result.ts'
import { dateText, durationText, shortAddress, timeLeftText } from '../../shared/signing/wording.ts'
import { titleText } from '../../shared/text/title-text.ts'
import { stateWord } from '../kit/layout/state.tsx'
import { statesText } from './en/states.en.tsx'

export const doctorTitles: Readonly<Record<DoctorCheckId, string>> = {
  secret: statesText.checkSecret,
  status: statesText.checkListed,
  expiry: statesText.checkExpiry,
  service: statesText.checkService,
  clock: statesText.checkClock,
  accepted: statesText.checkAccepted,
  address: statesText.checkAddress,
  wallet: statesText.checkWallet,
  'scope:market:read': 'market:read',
  'scope:account:read': 'account:read',
  'scope:trade:prepare': 'trade:prepare',
  'scope:orders:manage': 'orders:manage',
  'scope:collateral:manage': 'collateral:manage',
  'scope:trade:execute': 'trade:execute',
  executor: statesText.checkExecutor,
  agent: statesText.checkAgent,
  payment: statesText.checkPayment,
}

const agentName = (agent: string | null): string | null => (agent === null ? null : shortAddress(agent))

const statuses: Readonly<Record<Extract<DoctorFound, { code: 'listed_as' }>['status'], string>> = {
  active: statesText.statusActive,
  expired: statesText.statusExpired,
  revoked: statesText.statusRevoked,
  unknown: statesText.statusUnknown,
}

const pastScope = {
  answered: () => statesText.callAnswered,
  executor_missing: () => statesText.callLacksExecutor,
  body_refused: (said: string | null) => statesText.callBodyRefused(said),
}

export function doctorFoundText(found: DoctorFound): string {
  switch (found.code) {
    case 'in_keychain':
      return statesText.inKeychain
    case 'only_in_memory':
      return statesText.inMemory
    case 'not_here':
      return statesText.secretElsewhere
    case 'keychain_withholds':
      return statesText.keychainRefuses
    case 'listed_as':
      return found.now ? statesText.statusNow(statuses[found.status]) : statesText.statusLast(statuses[found.status], found.status === 'revoked')
    case 'listed_without_state':
      return statesText.statusMissing
    case 'not_listed':
      return statesText.notListed
    case 'never_listed':
      return statesText.neverListed
    case 'end_unknown':
      return statesText.expiryUnknown
    case 'expired':
      return found.atMs === null ? statesText.expired : statesText.expiredOn(dateText(found.atMs))
    case 'ends':
      return statesText.expiresOn(dateText(found.atMs), timeLeftText(found.inMs))
    case 'answers':
      return statesText.answers
    case 'silent':
      return statesText.silent
    case 'service_silent':
      return statesText.serviceSilent
    case 'time_unknown':
      return statesText.timeMissing
    case 'time_untold':
      return statesText.timeUnreachable
    case 'clocks_agree':
      return statesText.clocksAgree
    case 'clocks_apart': {
      const apart = durationText(Math.abs(found.offsetMs))
      return found.offsetMs > 0 ? statesText.clockBehindService(apart) : statesText.clockAheadOfService(apart)
    }
    case 'taken':
      return statesText.accepted
    case 'known':
      return statesText.known
    case 'known_at_rate_limit':
      return statesText.knownAtRateLimit
    case 'says_expired':
      return statesText.saysExpired
    case 'says_revoked':
      return statesText.saysRevoked
    case 'secret_replaced_elsewhere':
      return statesText.secretReplaced
    case 'secret_refused':
      return statesText.secretRejected
    case 'not_reached':
      return statesText.notReached
    case 'no_answer_to_call':
      return statesText.callUnanswered
    case 'call_refused':
      return statesText.callRefused(found.said)
    case 'address_not_refused':
      return statesText.addressNotRefused
    case 'address_allowed':
      return statesText.addressAllowed(found.allowlist.join(', '))
    case 'address_refused':
      return statesText.addressRefused(found.seenAs, found.allowlist.length === 0 ? null : found.allowlist.join(', '))
    case 'account_without_wallet':
      return statesText.accountWithoutWallet
    case 'wallet_needs_account_read':
      return statesText.walletNeedsAccountRead
    case 'wallet_read':
      return found.own ? statesText.readsAccount(shortAddress(found.wallet)) : statesText.readsOtherAccount(found.wallet)
    case 'executor_missing':
      return statesText.executorMissing
    case 'executor_needs_scope':
      return statesText.executorNeedsScope
    case 'executor_bound':
      return found.listed ? statesText.executorListed(found.executor) : statesText.executorBound(found.executor)
    case 'executor_not_asked':
      return statesText.executorNotAsked
    case 'executor_not_listed':
      return statesText.executorNotListed
    case 'executor_unclear':
      return statesText.unclear
    case 'agent_needs_sign_in':
      return statesText.agentNeedsSignIn
    case 'agent_none':
      return statesText.agentNone
    case 'agent_not_granted':
      return statesText.agentNotGranted(agentName(found.agent))
    case 'agent_granted':
      return found.atMs === null ? statesText.agentGranted(agentName(found.agent)) : statesText.agentGrantedUntil(agentName(found.agent), dateText(found.atMs))
    case 'agent_grant_over':
      return statesText.agentGrantExpired(agentName(found.agent), dateText(found.atMs))
    case 'agent_unclear':
      return statesText.agentUnclear
    case 'payment_none':
      return statesText.paymentNone
    case 'payment':
      return statesText.paymentState(titleText(found.title), stateWord(found.state))
    case 'no_secret':
      return statesText.noSecret
    case 'not_let_in':
      return statesText.notAccepted
    case 'scope_passed': {
      const how = pastScope[found.how](found.said)
      return found.unlisted ? statesText.scopeUnlisted(how) : how
    }
    case 'scope_listed_body_refused':
      return statesText.scopeBodyRefused(found.said)
    case 'scope_body_refused':
      return statesText.scopeUnclearBody(found.said)
    case 'scope_listed_refused':
      return statesText.scopeRefused(found.said)
    case 'scope_not_made_with':
      return statesText.scopeNotGiven
    case 'scope_at_rate_limit':
      return statesText.scopeAtRateLimit
    case 'scope_no_answer':
      return statesText.scopeUnanswered
    case 'scope_unclear':
      return statesText.scopeUnclear(found.said)
    case 'as_stored':
      return found.text
    default:
      return unreachable(found)
  }
}

interface Conclusion {
  readonly sentence: string
  /** The button that leads to the page where the user can fix the problem; null if nothing is wrong, or if nothing in the app can fix it. */
  readonly action: { readonly label: string; readonly to: string } | null
}

/** Returns the conclusion of a key check, and what fixes the problem. */
export function doctorConclusion(cause: DoctorReport['cause'], keyId: string): Conclusion {
  switch (cause) {
    case 'healthy':
      return { sentence: statesText.keyWorks, action: null }
    case 'secret_missing':
      return {
        sentence: statesText.secretMissing,
        action: { label: statesText.rotateSecret, to: `/keys/${keyId}/rotate` },
      }
    case 'keychain':
      return { sentence: statesText.keychainWithholds, action: { label: statesText.show, to: '/settings' } }
    case 'revoked':
      return { sentence: statesText.keyRevoked, action: { label: statesText.newKey, to: '/keys/new' } }
    case 'missing_or_revoked':
      return {
        sentence: statesText.secretUnknown,
        action: { label: statesText.rotateSecret, to: `/keys/${keyId}/rotate` },
      }
    case 'expired':
      return { sentence: statesText.keyHasExpired, action: { label: statesText.extend, to: `/keys/${keyId}/extend` } }
    case 'service_down':
      return { sentence: statesText.serviceDown, action: null }
    case 'clock_skew':
      return {
        sentence: statesText.clocksApart,
        action: null,
      }
    case 'ip_not_allowed':
      return {
        sentence: statesText.addressNotAllowed,
        action: { label: statesText.showAllowlist, to: `/keys/${keyId}` },
      }
    case 'other_wallet':
      return { sentence: statesText.otherWallet, action: null }
    case 'scope_missing':
      return { sentence: statesText.scopeRefusedThough, action: { label: statesText.newKey, to: '/keys/new' } }
    case 'executor_not_bound':
      return {
        sentence: statesText.executorNotBound,
        action: { label: statesText.bindExecutor, to: `/keys/${keyId}/executor` },
      }
    case 'agent_not_granted':
      return {
        sentence: statesText.agentCannotTrade,
        action: { label: statesText.signGrant, to: `/keys/${keyId}/grant` },
      }
    case 'rate_limited':
      return { sentence: statesText.keyAtRateLimit, action: null }
    case 'unclear':
      return { sentence: statesText.causeUnknown, action: null }
  }
}
