import type { DoctorCheckId, DoctorFound, DoctorReport } from '../../shared/ipc/keys/doctor.ts'
import { unreachable } from '../../shared/result.ts'
import { dateText, durationText, shortAddress } from '../../shared/signing/wording.ts'
import { statesText } from './en/states.en.tsx'

export const doctorTitles: Readonly<Record<DoctorCheckId, string>> = {
  secret: statesText.secretOnThisComputer,
  status: statesText.listedByTheService,
  expiry: statesText.notExpired,
  service: statesText.serviceReachable,
  clock: statesText.clocksAgree,
  accepted: statesText.keyAccepted,
  address: statesText.addressAllowed,
  wallet: statesText.belongsToThisWallet,
  'scope:market:read': 'market:read',
  'scope:account:read': 'account:read',
  'scope:trade:prepare': 'trade:prepare',
  'scope:orders:manage': 'orders:manage',
  'scope:collateral:manage': 'collateral:manage',
  'scope:trade:execute': 'trade:execute',
  executor: statesText.executorBound,
  agent: statesText.tradingAgent,
  payment: statesText.executionPayment,
}

const inCode = (said: string | null): string => (said === null ? '' : ` (${said})`)
const agentName = (agent: string | null): string => (agent === null ? statesText.itsAgent : statesText.theAgent(shortAddress(agent)))

const pastScope = {
  answered: () => statesText.aCallThatNeedsItWasAnswered,
  executor_missing: () => statesText.theCallGotPastTheScopeWhat,
  body_refused: (said: string | null) => statesText.theCallGotPastTheScopeIts(inCode(said)),
}

/** What was found and what it means. */
export function doctorFoundText(found: DoctorFound): string {
  switch (found.code) {
    case 'in_keychain':
      return statesText.inTheKeychain
    case 'only_in_memory':
      return statesText.inMemoryOnlyItIsLostWhen
    case 'not_here':
      return statesText.itIsNotHereItWasMade
    case 'keychain_withholds':
      return statesText.theKeychainDoesNotGiveItOut
    case 'listed_as':
      return found.now
        ? statesText.theServicesListSays(found.status)
        : statesText.whenItWasLastListedItWas(found.status, found.status === 'revoked' ? '' : statesText.signInToSeeWhatItIs)
    case 'listed_without_state':
      return statesText.theServiceListsItAndDoesNot
    case 'not_listed':
      return statesText.theServiceDoesNotListItAny
    case 'never_listed':
      return statesText.itWasNotListedYetSignIn
    case 'end_unknown':
      return statesText.theServiceDidNotSayWhenIt
    case 'expired':
      return found.atMs === null ? statesText.itHasExpired : statesText.itExpiredOn(dateText(found.atMs))
    case 'ends':
      return statesText.itEndsOnIn(dateText(found.atMs), durationText(found.inMs))
    case 'answers':
      return statesText.itAnswers
    case 'silent':
      return statesText.itDoesNotAnswer
    case 'service_silent':
      return statesText.theServiceDoesNotAnswer
    case 'time_unknown':
      return statesText.theServiceDidNotTellItsTime
    case 'time_untold':
      return statesText.onlyAnAnswerOfTheServiceTells
    case 'clocks_agree':
      return statesText.thisComputerAndTheServiceAgreeOn
    case 'clocks_apart': {
      const where = statesText.thisComputerIsTheService(durationText(Math.abs(found.offsetMs)), found.offsetMs > 0 ? statesText.behind : statesText.aheadOf)
      return statesText.thisAppGoesByTheServicesTime(where)
    }
    case 'taken':
      return statesText.theServiceTakesIt
    case 'known':
      return statesText.theServiceKnowsIt
    case 'known_at_rate_limit':
      return statesText.theServiceKnowsItItsOwnRate
    case 'says_expired':
      return statesText.theServiceSaysThatItHasExpired
    case 'says_revoked':
      return statesText.theServiceSaysThatItWasRevoked
    case 'secret_replaced_elsewhere':
      return statesText.theServiceDoesNotTakeThisSecret
    case 'secret_refused':
      return statesText.theServiceDoesNotTakeThisSecret2
    case 'not_reached':
      return statesText.theServiceDidNotGetAsFar
    case 'no_answer_to_call':
      return statesText.theServiceDidNotAnswerACall
    case 'call_refused':
      return statesText.theServiceRefusedTheCall(found.said === null ? '' : `: ${found.said}`)
    case 'address_not_refused':
      return statesText.theCallWasNotRefusedForIts
    case 'address_allowed':
      return statesText.thisComputersAddressIsAllowed(found.allowlist.join(', '))
    case 'address_refused': {
      const seen = found.seenAs === null ? statesText.theServiceRefusesThisComputersAddress : statesText.theServiceSeesThisComputerAtWhich(found.seenAs)
      return `${seen} ${found.allowlist.length === 0 ? statesText.theKeysAllowlistIsNotKnownHere : statesText.allowed(found.allowlist.join(', '))}`
    }
    case 'account_without_wallet':
      return statesText.theAccountNamesNoWallet
    case 'wallet_needs_account_read':
      return statesText.withoutAccountReadTheServiceDoesNot
    case 'wallet_read':
      return found.own ? statesText.itReadsTheAccountOf(shortAddress(found.wallet)) : statesText.itReadsTheAccountOfWhichIs(found.wallet)
    case 'executor_missing':
      return statesText.noneIsBoundOrdersExecuteRefusesEvery
    case 'executor_needs_scope':
      return statesText.withoutTradeExecuteItHasNoUse
    case 'executor_bound':
      return found.listed ? statesText.theListSaysBoundTo(found.executor) : statesText.boundTo(found.executor)
    case 'executor_not_asked':
      return statesText.theServiceAskedForNoneSignIn
    case 'executor_not_listed':
      return statesText.theServicesListNamesNoneThoughThe
    case 'executor_unclear':
      return statesText.itCannotBeTold
    case 'agent_needs_sign_in':
      return statesText.signInToSeeWhetherItHas
    case 'agent_none':
      return statesText.itHasNoneOnlyAKeyThat
    case 'agent_not_granted':
      return statesText.hasNoSignedGrantItMayNot(agentName(found.agent))
    case 'agent_granted':
      return found.atMs === null
        ? statesText.mayTradeUntilWhenIsNotKnown(agentName(found.agent))
        : statesText.mayTradeUntil(agentName(found.agent), dateText(found.atMs))
    case 'agent_grant_over':
      return statesText.mayNotTradeAnyMoreItsGrant(agentName(found.agent), dateText(found.atMs))
    case 'agent_unclear':
      return statesText.theServiceDoesNotSayWhetherIts
    case 'payment_none':
      return statesText.noneWasMadeHereWhetherItNeeds
    case 'payment':
      return `${found.title}: ${found.state.toLowerCase()}.`
    case 'no_secret':
      return statesText.withoutTheSecretThereIsNoCall
    case 'not_let_in':
      return statesText.theKeyIsNotLetIn
    case 'scope_passed': {
      const how = pastScope[found.how](found.said)
      return found.unlisted ? statesText.theKeysListDoesNotNameThis(how) : how
    }
    case 'scope_listed_body_refused':
      return statesText.theKeysListNamesItTheService(inCode(found.said))
    case 'scope_body_refused':
      return statesText.itCannotBeToldTheServiceRefused(inCode(found.said))
    case 'scope_listed_refused':
      return statesText.theKeysListNamesItAndThe(inCode(found.said))
    case 'scope_not_made_with':
      return statesText.theKeyWasMadeWithoutItAnd
    case 'scope_at_rate_limit':
      return statesText.itCannotBeToldTheKeysOwn
    case 'scope_no_answer':
      return statesText.itCannotBeToldTheServiceDid
    case 'scope_unclear':
      return statesText.itCannotBeToldTheServiceRefused2(inCode(found.said))
    case 'as_stored':
      return found.text
    default:
      return unreachable(found)
  }
}

interface Conclusion {
  readonly sentence: string
  /** What helps, and where; null where nothing is wrong or nothing here helps. */
  readonly action: { readonly label: string; readonly to: string } | null
}

/** What an examination comes down to, and what helps. */
export function doctorConclusion(cause: DoctorReport['cause'], keyId: string): Conclusion {
  switch (cause) {
    case 'healthy':
      return { sentence: statesText.theKeyWorksForEverythingThatIt, action: null }
    case 'secret_missing':
      return {
        sentence: statesText.theSecretOfThisKeyIsNot,
        action: { label: statesText.giveItAFreshSecret, to: `/keys/${keyId}/rotate` },
      }
    case 'keychain':
      return { sentence: statesText.theKeychainDoesNotGiveTheSecret, action: { label: statesText.show, to: '/settings' } }
    case 'revoked':
      return { sentence: statesText.theKeyWasRevokedItWorksNever, action: { label: statesText.newKey, to: '/keys/new' } }
    case 'missing_or_revoked':
      return {
        sentence: statesText.theServiceDoesNotKnowThisSecret,
        action: { label: statesText.giveItAFreshSecret, to: `/keys/${keyId}/rotate` },
      }
    case 'expired':
      return { sentence: statesText.theKeyHasExpired, action: { label: statesText.extend, to: `/keys/${keyId}/extend` } }
    case 'service_down':
      return { sentence: statesText.theServiceDoesNotAnswerThatSays, action: null }
    case 'clock_skew':
      return {
        sentence: statesText.thisComputersClockAndTheServicesAre,
        action: null,
      }
    case 'ip_not_allowed':
      return {
        sentence: statesText.theKeyIsGoodButNotFrom,
        action: { label: statesText.showTheAllowlist, to: `/keys/${keyId}` },
      }
    case 'other_wallet':
      return { sentence: statesText.theKeyBelongsToAnotherWallet, action: null }
    case 'scope_missing':
      return { sentence: statesText.theServiceRefusesAScopeThatThe, action: { label: statesText.newKey, to: '/keys/new' } }
    case 'executor_not_bound':
      return {
        sentence: statesText.theKeyWorksDelegatedExecutionDoesNot,
        action: { label: statesText.bindAnExecutor, to: `/keys/${keyId}/executor` },
      }
    case 'agent_not_granted':
      return {
        sentence: statesText.theKeyWorksItsTradingAgentDoes,
        action: { label: statesText.signTheGrant, to: `/keys/${keyId}/grant` },
      }
    case 'rate_limited':
      return { sentence: statesText.theKeysOwnRateLimitIsUsed, action: null }
    case 'unclear':
      return { sentence: statesText.somethingKeepsTheKeyFromWorkingAnd, action: null }
  }
}
