import type { Failure } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'
import { inputIssueText } from '../../shared/text/input-issue-text.ts'
import { reasonText } from '../../shared/text/intent-text.ts'
import { challengeProblemText } from '../../shared/text/signing-text.ts'
import type { IconName } from '../kit/icons/icon-shapes.tsx'
import { shorten } from '../kit/number.tsx'
import { durationText, exactTime, timeOfDay } from '../kit/time/time.tsx'
import { statesText } from './en/states.en.tsx'
import {
  confirmationTitle,
  exchangeText,
  expiredWord,
  fileText,
  hostText,
  journalText,
  keychainText,
  lostAnswerText,
  missingText,
  parsingText,
  practiceText,
  railText,
} from './failure-text-parts.ts'
import { mapIssueText } from './field-map-text.ts'

export interface FailureText {
  readonly tone: 'warn' | 'danger'
  readonly icon: IconName
  /** What happened. */
  readonly title: string
  /** What it means. */
  readonly meaning: string
  /** What to do. */
  readonly remedy: string
  /** The service's own words, shown as such. */
  readonly said: string | null
}

const danger = (icon: IconName, title: string, meaning: string, remedy: string, said: string | null = null): FailureText => ({
  tone: 'danger',
  icon,
  title,
  meaning,
  remedy,
  said,
})
const warn = (icon: IconName, title: string, meaning: string, remedy: string, said: string | null = null): FailureText => ({
  tone: 'warn',
  icon,
  title,
  meaning,
  remedy,
  said,
})

/** What people read of a failure: what happened, what it means, what to do. */
export function failureText(failure: Failure): FailureText {
  switch (failure.kind) {
    case 'internal':
      return danger('stop', statesText.somethingInThisAppWentWrong, statesText.itIsAFaultOfTheApp, statesText.tryAgainIfItStaysReportIt)
    case 'bad_input':
      return warn(
        'warn',
        failure.field === null ? statesText.theInputWasNotAccepted : statesText.wasNotAccepted(failure.field),
        sentence(inputIssueText(failure.issue)),
        statesText.correctItAndTryAgain,
      )
    case 'not_found':
      return warn(
        'search',
        statesText.itIsNotThere,
        statesText.doesNotExistOrNotAnyMore(sentence(failure.what === 'order_book' ? statesText.theOrderBook : failure.what)),
        statesText.goBackAndReadTheListAgain,
      )
    case 'field_map':
      return warn('file', statesText.theFieldMapWasNotChanged, failure.issues.slice(0, 3).map(mapIssueText).join(' '), statesText.correctItAndTryAgain)
    case 'no_profile':
      return warn('server', statesText.noExchangeIsChosen, statesText.theAppDoesNotKnowYetWhich, statesText.startPractisingOrEnterTheAddressOf)
    case 'host_refused': {
      const text = hostText(failure.issue, failure.detail)
      return warn('server', text.title, text.meaning, text.remedy)
    }
    case 'practice_failed':
      return danger('flask', statesText.practiceCouldNotStart, practiceText(failure.part), statesText.tryAgainTheCauseWas(practiceCause(failure.detail)))
    case 'sign_in_required':
      return warn('user', statesText.youAreNotSignedIn, statesText.theServiceShowsAndChangesKeysOnly, statesText.signInWithYourWalletItIs)
    case 'api_key_required':
      return warn(
        'nokey',
        statesText.thisNeedsAnApiKey,
        failure.scope === null ? statesText.noKeyOfThisWalletIsKept : statesText.noKeyOnThisComputerMayDo(failure.scope),
        statesText.makeABotReadyKeyItStays,
      )
    case 'scope_missing':
      return warn(
        'nokey',
        statesText.mayNotDoThis(failure.keyLabel ?? statesText.thisKey),
        statesText.itLacksTheScopeScopesAreFixed(failure.scope),
        statesText.takeAnotherKeyOrMakeANew,
      )
    case 'ip_not_allowed':
      return warn(
        'globe',
        statesText.thisComputersAddressIsNotOnThe,
        statesText.answersOnly(
          failure.keyLabel ?? statesText.theKey,
          failure.allowlist.length === 0 ? statesText.theAddressesOnItsList : failure.allowlist.join(', '),
          failure.seenAs === null ? '' : statesText.theExchangeSaw(failure.seenAs),
        ),
        statesText.workFromOneOfThemOrMake,
      )
    case 'executor_required':
      return warn(
        'chip',
        statesText.hasNoExecutor(failure.keyLabel ?? statesText.theKey),
        statesText.anExecutorCarriesOutWhatAKey,
        statesText.bindAnExecutorToTheKeyOr,
      )
    case 'wrong_credential':
      return danger('shield-x', statesText.nothingWasSent, statesText.theAppWasAboutToUseThe(failure.route), statesText.thisIsAFaultOfTheApp)
    case 'refused':
      return danger(
        'stop',
        failure.status >= 500 ? statesText.theServiceFailed : statesText.theServiceRefused,
        statesText.itAnsweredNothingWasChanged(failure.status, failure.code === null ? '' : statesText.withText(failure.code)),
        refusedRemedy(failure),
        failure.message,
      )
    case 'executor_differs':
      return danger(
        'chip',
        statesText.theServiceBoundAnotherExecutor,
        statesText.theKeyIsBoundToNowNot(failure.bound, failure.sent),
        statesText.bindItAgainOrRevokeTheKey,
      )
    case 'rate_limited':
      return warn(
        'hourglass',
        statesText.tooManyRequests,
        statesText.theServiceLimitsHowOftenItCan,
        failure.retryAfterMs === null ? statesText.waitAMomentAndTryAgain : statesText.tryAgainIn(durationText(Math.max(failure.retryAfterMs, 1_000))),
      )
    case 'body_too_large':
      return warn(
        'file',
        statesText.theRequestIsTooLarge,
        statesText.itHasBytesAndTheServiceTakes(failure.bytes, failure.limit),
        statesText.shortenItForExampleTheListOf,
      )
    case 'unreachable': {
      const text = exchangeText(failure.reason, failure.status)
      return danger('relay', text.title, text.meaning, text.remedy)
    }
    case 'outcome_unknown':
      return warn('unknown', statesText.theAnswerWasLost, ...lostAnswerText(failure.route))
    case 'unreadable':
      return warn(
        'unknown',
        statesText.theAnswerCannotBeRead,
        failure.route === 'POST /orders/prepare'
          ? statesText.theServicePreparedItButNothingWas(missingText(failure.missing))
          : statesText.theServiceSaysThatItTookThe(failure.status, missingText(failure.missing)),
        failure.route === 'POST /orders/prepare' ? statesText.lookAtTheAnswerInActivityUnder : statesText.doNotRepeatItTheAppLooks,
        failure.raw,
      )
    case 'price_deviation':
      return warn('activity', statesText.thePriceMoved, statesText.thePriceThatYouSawIsToo, statesText.lookAtTheNewPriceAndReview)
    case 'market_data_stale':
      return warn('clock', statesText.theMarketsPriceIsTooOld, statesText.theServiceDoesNotTakeOrdersUntil, statesText.tryAgainInAFewSeconds)
    case 'idempotency_conflict':
      return warn(
        'copy',
        failure.code === 'DUPLICATE_CLIENT_ORDER_ID' ? statesText.thisOrderIsAlreadyThere : statesText.thisRequestWasAlreadyUsedForSomething,
        statesText.theServiceKeepsEachOrdersOwnId,
        statesText.openItInActivityReviewAgainTo,
      )
    case 'locked':
      return warn('lock', statesText.svcDeskIsLocked, statesText.nothingWasDone, statesText.unlockItWithYourPassphraseThenTry)
    case 'gesture_required':
      return warn('lock', statesText.onlyYouCanCopyASecret, statesText.noClickOrKeyOfYoursCame, statesText.clickCopySecretAgain)
    case 'keychain': {
      const text = keychainText(failure.code)
      return danger('lock', text.title, text.meaning, text.remedy)
    }
    case 'journal': {
      const text = journalText(failure.issue)
      return danger('doc', text.title, text.meaning, text.remedy)
    }
    case 'file': {
      const text = fileText(failure.issue, failure.path)
      return warn('file', text.title, text.meaning, text.remedy)
    }
    case 'parsing':
      return warn('file', statesText.itWasNotRead, parsingText(failure.issue), statesText.checkWhereItCameFromThenTry)
    case 'held_back':
      if (failure.why === 'drift')
        return warn('warn', statesText.newOrdersWaitForYourWord, statesText.whatTheServicePublishesOfItselfIs, statesText.seeWhatChangedAtTheTopOf)
      return failure.why === 'journal_rebuilt'
        ? warn('doc', statesText.newOrdersAreHeldBack, statesText.theJournalWasDamagedAndHasBeen, statesText.lookThroughActivityThenAllowNewOrders)
        : failure.why === 'rails_lost'
          ? warn('shield', statesText.yourGuardRailsWereLost, statesText.theJournalThatHeldThemWasDamaged, statesText.setOrWaiveThemUnderSettingsGuard)
          : failure.why === 'unknown_intent_old'
            ? warn('unknown', statesText.anEarlierOrderIsStillUnknown, statesText.itsAnswerWasLostAndNothingTells, statesText.checkYourPositionThenPlaceTheNew)
            : warn('unknown', statesText.anEarlierOrderIsStillUnknown, statesText.itsAnswerWasLostUntilItSettles, statesText.openItInActivityAndLookAgain)
    case 'guard_rail': {
      const text = railText(failure)
      return warn('shield', text.title, text.meaning, text.remedy)
    }
    case 'no_wallet':
      return warn('account', statesText.noWalletIsConnected, statesText.onlyYourWalletCanSignThis, statesText.connectItByScanningACodeWith)
    case 'wrong_chain':
      return warn(
        'swap',
        statesText.theWalletIsOnAnotherChain,
        statesText.itIsOnChainThisExchangeLives(failure.chainId, failure.expected === 8453 ? statesText.base : statesText.chain(failure.expected)),
        statesText.switchTheChainHereOrInThe,
      )
    case 'rpc_wrong_chain':
      return danger(
        'relay',
        statesText.theRpcLeadsToAnotherChain,
        statesText.itAnswersForChainThisExchangeLives(failure.chainId, failure.expected === 8453 ? statesText.base : statesText.chain(failure.expected)),
        statesText.enterTheAddressOfABaseRpc,
      )
    case 'wrong_wallet':
      return warn(
        'account',
        statesText.anotherWalletIsConnected,
        statesText.thisBelongsToConnectedIs(shorten(failure.expected), shorten(failure.wallet)),
        statesText.chooseTheRightAccountInTheWallet,
      )
    case 'signing_refused':
      return danger('shield-x', statesText.notSentToTheWallet, reasonText(failure.why), statesText.doNotSignThisAnywhereElsePrepare)
    case 'challenge_refused':
      return danger('shield-x', statesText.notSentToTheWallet, challengeProblemText(failure.problem), statesText.doNotSignThisAnywhereElsePrepare)
    case 'confirmation_required':
      return warn('shield', confirmationTitle(failure.what), statesText.itWasNotSeenBeforeSoIt, statesText.lookAtItThenConfirmItWith(failure.expected))
    case 'signature_invalid':
      return danger(
        'shield-x',
        statesText.theSignatureIsNotFromThisWallet,
        failure.recovered === null
          ? statesText.itDoesNotFitItWasNot(shorten(failure.expected))
          : statesText.signedItHadToBeItWas(shorten(failure.recovered), shorten(failure.expected)),
        statesText.chooseTheRightAccountInTheWallet2,
      )
    case 'expired':
      return warn(
        'hourglass',
        statesText.ranOut(expiredWord(failure.what)),
        statesText.itWasGoodUntilUtcNothingWas(timeOfDay(failure.atMs)),
        statesText.startItAgainItGetsANew,
      )
    case 'not_executable':
      if (failure.status === 'no_gas')
        return danger('stop', statesText.theOrderCannotBeCarriedOut, statesText.yourWalletHasTooLittleEthOn, statesText.sendALittleEthOnBaseTo)
      return danger(
        'stop',
        statesText.theOrderCannotBeCarriedOut,
        statesText.theServiceSaysNothingWasSigned(failure.status),
        statesText.changeTheOrderAndReviewItAgain,
        failure.reason,
      )
    case 'too_early':
      return warn(
        'clock',
        statesText.tooEarlyToSettleIt,
        statesText.itMayStillBeCarriedOutAnd,
        statesText.youCanSettleItYourselfFrom(exactTime(failure.fromMs)),
      )
    case 'contradicted':
      return warn(
        'unknown',
        statesText.yourAccountShowsIt,
        statesText.yourShowThisOrderSoItWas(failure.by === 'trade' ? statesText.trades : statesText.orders),
        statesText.lookAgainTheAppSettlesItBy,
      )
    case 'wrong_state':
      return warn(
        'clock',
        statesText.tooLateForThat,
        statesText.itIsByNowThisWorksOnly(stateText(failure.state), stateText(failure.wanted)),
        statesText.openItInActivityToSeeWhere,
      )
    default:
      return unreachable(failure)
  }
}

/** The id under which others can find the same event: the service's request id, or a reference in this app's own log. */
export function failureReference(failure: Failure): { readonly label: 'Request' | 'Reference'; readonly id: string } | null {
  if (failure.kind === 'internal') return { label: 'Reference', id: failure.reference }
  if ('requestId' in failure && failure.requestId !== null) return { label: 'Request', id: failure.requestId }
  return null
}

const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`)

function refusedRemedy({ status, code }: Extract<Failure, { kind: 'refused' }>): string {
  if (status === 401) return statesText.theKeyOrSignInIsNot
  if (status === 403) return statesText.theKeyOrWalletMayNotDo
  if (status === 404) return statesText.itMayBeGoneReadTheList
  if (code?.endsWith('_LIMIT_REACHED')) return statesText.thereIsNoRoomForAnotherOne
  if (status === 409) return statesText.itMayHaveChangedMeanwhileReadIt
  if (status >= 500) return statesText.itIsAFaultOfTheService
  return statesText.checkWhatWasAskedForAndTry
}

/** States that take more than one word. */
const states: Readonly<Record<string, string>> = {
  old_key: statesText.theOldKey,
  settled_under_keys: statesText.settledUnderKeys,
  nothing_on_its_way: statesText.nothingOnItsWay,
  no_key_listed: statesText.noKeyOfItInTheList,
  later_end: statesText.aLaterEndOfTheNewKey,
  secret_here: statesText.itsSecretHere,
  under_way: statesText.underWay,
  none_under_way: statesText.noneUnderWay,
  open_profile: statesText.anOpenProfile,
  forwarding: statesText.listeningAndForwarding,
  known_subscription: statesText.aKnownUrlAndEvents,
  test_running: statesText.aTestThatRuns,
  no_test_running: statesText.noTestThatRuns,
}
const stateText = (state: string): string => (Object.hasOwn(states, state) ? states[state] : undefined) ?? state.toLowerCase()

/** Other causes are a program's own words. */
function practiceCause(detail: string): string {
  if (detail === 'not_running') return statesText.practiceIsNotRunning
  const [, seconds] = /^not_ready (\d+)$/.exec(detail) ?? []
  return seconds === undefined ? detail : statesText.notReadyWithinS(seconds)
}
