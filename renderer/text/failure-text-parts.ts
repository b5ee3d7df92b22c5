import { formatDecimal } from '../../shared/decimal.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'
import { statesText } from './en/states.en.tsx'

interface Words {
  readonly title: string
  readonly meaning: string
  readonly remedy: string
}

const words = (title: string, meaning: string, remedy: string): Words => ({ title, meaning, remedy })

/** Codes of the network layer, as sentences. */
const reachCodes: readonly (readonly [RegExp, string])[] = [
  [/\bENOTFOUND\b/, statesText.thereIsNoHostOfThatName],
  [/\bEAI_AGAIN\b/, statesText.theNameCouldNotBeLookedUp],
  [/\bECONNREFUSED\b/, statesText.theHostRefusesTheConnection],
  [/\b(ECONNRESET|UND_ERR_SOCKET)\b/, statesText.theHostBrokeTheConnectionOff],
  [/\b(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)\b/, statesText.theHostDidNotAnswerInTime],
  [/\b(ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/, statesText.thisComputerHasNoWayToIt],
]

function reachText(detail: string | null): string {
  if (detail === null) return statesText.theHostCouldNotBeFoundOr
  return reachCodes.find(([code]) => code.test(detail))?.[1] ?? (/[.!?]$/.test(detail) ? detail : `${detail}.`)
}

/** Why an address was not taken as that of an exchange. */
export function hostText(issue: Extract<Failure, { kind: 'host_refused' }>['issue'], detail: string | null): Words {
  switch (issue) {
    case 'not_a_url':
      return words(statesText.thisIsNotAnAddress, statesText.itHasToLookLikeHttpsDex, statesText.correctItAndCheckAgain)
    case 'needs_https':
      return words(statesText.theAddressHasToBeginWithHttps, statesText.overPlainHttpOthersCouldReadAnd, statesText.putHttpsBeforeIt)
    case 'has_credentials':
      return words(statesText.theAddressHoldsANameOrA, statesText.thoseDoNotBelongThereAndWould, statesText.leaveOutWhatStandsBeforeThe)
    case 'has_path':
      return words(statesText.onlyTheHostPlease, statesText.theAddressGoesOnAfterTheHost, statesText.cutItAfterTheHostNameOr)
    case 'unreachable':
      return words(statesText.nothingAnswersThere, reachText(detail), statesText.checkTheSpellingAndYourNetwork)
    case 'tls':
      return words(statesText.itsCertificateIsNotValid, statesText.soItCannotBeKnownWhoAnswers, statesText.checkTheSpellingIfItIsRight)
    case 'answers_html':
      return words(statesText.aWebsiteAnswersThereNotTheExchanges, statesText.itSentAPageForPeople, statesText.lookForTheApiHostInThe)
    case 'redirects':
      return words(
        statesText.itPointsToAnotherAddress,
        detail === null ? statesText.theAppDoesNotFollowSinceKeys : statesText.itPointsToTheAppDoesNot(detail),
        statesText.enterTheFinalAddressIfYouTrust,
      )
    case 'not_the_service':
      return words(statesText.somethingElseAnswersThere, statesText.itDoesNotAnswerTheWayThis, statesText.lookForTheApiHostInThe)
    case 'duplicate':
      return words(
        statesText.thisExchangeIsAlreadyThere,
        detail === null ? statesText.aProfileForThisHostExists : statesText.theProfileIsForThisHost(detail),
        statesText.chooseItInTheProfileMenu,
      )
    default:
      return unreachable(issue)
  }
}

export function practiceText(part: Extract<Failure, { kind: 'practice_failed' }>['part']): string {
  switch (part) {
    case 'chain':
      return statesText.itsLocalChainDidNotComeUp
    case 'exchange':
      return statesText.itsLocalExchangeDidNotComeUp
    case 'relay':
      return statesText.itsWalletRelayDidNotComeUp
    case 'wallet':
      return statesText.itsPhoneWalletDidNotComeUp
    case 'process':
      return statesText.itsProcessStoppedNothingThatYou
    default:
      return unreachable(part)
  }
}

/** Why an answer of the service could not be had or read. Only said of requests that changed nothing. */
export function exchangeText(reason: Extract<Failure, { kind: 'unreachable' }>['reason'], status: number | null): Words {
  const answer = status === null ? statesText.itAnswered : statesText.itAnswered2(status)
  switch (reason) {
    case 'connect':
      return words(statesText.theServiceCannotBeReached, statesText.noConnectionCameAboutYourPositionsAnd, statesText.checkYourNetworkAndTryAgain)
    case 'tls':
      return words(statesText.theServicesCertificateIsNotValid, statesText.itCannotBeKnownWhoAnswersThere, statesText.checkYourNetworkIfItStaysAsk)
    case 'timeout':
      return words(statesText.theServiceDidNotAnswerInTime, statesText.itMayBeBusyYourPositionsAnd, statesText.tryAgainInAMoment)
    case 'reset':
      return words(statesText.theConnectionBroke, statesText.theAnswerDidNotArriveWholeYour, statesText.tryAgain)
    case 'redirect':
      return words(statesText.theServicePointsToAnotherAddress, statesText.theAppDoesNotFollowSinceKeys, statesText.ifTheExchangeHasMovedAddThe)
    case 'html':
      return words(statesText.aWebPageCameInsteadOfAn, statesText.withAPageForPeopleOftenA(answer), statesText.checkYourNetworkAndTryAgain)
    case 'malformed':
      return words(statesText.theAnswerCannotBeRead, statesText.butNotInTheFormThatThis(answer), statesText.tryAgainIfItStaysTheApp)
    case 'too_large':
      return words(statesText.theAnswerIsTooLarge, statesText.itWasCutOffAtMibAnd, statesText.askForLessOrReportItTo)
    case 'server_error':
      return words(statesText.theServiceHasTrouble, statesText.yourPositionsAndOrdersAreNotAffected(answer), statesText.tryAgainInAMoment)
    case 'closing':
      return words(statesText.theAppIsAboutToClose, statesText.nothingMoreIsSent, statesText.startItAgain)
    default:
      return unreachable(reason)
  }
}

export function keychainText(code: Extract<Failure, { kind: 'keychain' }>['code']): Words {
  switch (code) {
    case 'unavailable':
      return words(statesText.thereIsNoSystemKeychain, statesText.secretsAreKeptNowhereElseSoNo, statesText.onLinuxInstallAndStartGnomeKeyring)
    case 'locked':
      return words(statesText.theSystemKeychainIsLocked, statesText.secretsCannotBeReadOrKeptUntil, statesText.unlockItAndTryAgain)
    case 'timeout':
      return words(statesText.theSystemKeychainDoesNotAnswer, statesText.anUnlockPromptMayBeWaitingBehind, statesText.answerThePromptAndTryAgain)
    case 'invalid':
      return words(statesText.theSystemKeychainGaveSomethingElseBack, statesText.whatWasReadIsNotWhatWas, statesText.tryAgainIfItStaysCheckThe)
    case 'failed':
      return words(statesText.theSystemKeychainFailed, statesText.noCallThatYieldsASecretIs, statesText.tryAgainOrRestartTheKeychain)
    default:
      return unreachable(code)
  }
}

/** Why nothing can be written down. */
export function journalText(issue: Extract<Failure, { kind: 'journal' }>['issue']): Words {
  switch (issue) {
    case 'disk_full':
      return words(statesText.theDiskIsFull, statesText.nothingCanBeWrittenDownSoNothing, statesText.freeSomeSpaceAndTryAgain)
    case 'corrupt':
      return words(statesText.theJournalIsDamaged, statesText.itWasSetAsideNotDeletedNew, statesText.startTheAppAgainToRebuildIt)
    case 'taken':
      return words(statesText.anotherCopyOfSvcDeskIsUsing, statesText.onlyOneCopyMayWriteTheJournal, statesText.closeTheOtherCopyThenStartThis)
    case 'newer':
      return words(statesText.aNewerVersionOfSvcDeskWrote, statesText.thisVersionLeavesItAsItIs2, statesText.startTheNewerVersionAgain)
    case 'read_only':
      return words(statesText.theJournalCannotBeWritten, statesText.theAppMayNotWriteItsOwn2, statesText.allowWritingToTheAppsFolderThen)
    default:
      return unreachable(issue)
  }
}

/** Which of the user's own rails held an order back. */
export function railText({ rail, limit, asked }: Extract<Failure, { kind: 'guard_rail' }>): Words {
  const change = statesText.makeItSmallerOrChangeTheRail
  switch (rail) {
    case 'order_value':
      return asked === null
        ? words(statesText.theSizeOfThisOrderIsNot, statesText.yourRailAllowsAnOrderNothingWas(usdc(limit)), statesText.tryAgainOnceThePositionOrOrder)
        : words(statesText.theOrderIsLargerThanYouAllow, statesText.itIsYourRailIsAnOrder(usdc(asked), usdc(limit)), change)
    case 'leverage':
      return asked === null
        ? words(statesText.theLeverageOfThisOrderIsNot, statesText.yourRailAllowsNothingWasSent(limit), statesText.tryAgainOnceThePositionIsShown)
        : words(statesText.theLeverageIsHigherThanYouAllow, statesText.itIsYourRailIsNothingWas(asked, limit), change)
    case 'daily_loss':
      return asked === null
        ? words(statesText.todaysLossCannotBeRead, statesText.yourRailStopsNewRiskAtA(usdc(limit)), statesText.tryAgainInAMomentOrRemove)
        : words(
            statesText.todaysLossHasReachedYourRail,
            statesText.youLostSinceMidnightUtcYourRail(usdc(asked), usdc(limit)),
            statesText.goOnTomorrowOrChangeTheRail,
          )
    case 'market':
      return words(
        statesText.youDoNotAllowThisMarket,
        statesText.isNotAmongNothingWasSent(asked ?? statesText.theMarketOfThisOrder, limit === '' ? statesText.yoursThereIsNone : `yours: ${limit}`),
        statesText.addItUnderSettingsGuardRails,
      )
    default:
      return unreachable(rail)
  }
}

const usdc = (amount: string): string => statesText.usdc(formatDecimal(amount))

const parsingWords: Readonly<Record<Extract<Failure, { kind: 'parsing' }>['issue'], string>> = {
  too_slow: statesText.readingItTookTooLongSoThe,
  too_much_memory: statesText.readingItTookTooMuchMemorySo,
  broken: statesText.readingItFailedInAWayThat,
  stopped: statesText.readingItWasStoppedNothingOfIt,
}
export const parsingText = (issue: keyof typeof parsingWords): string => parsingWords[issue]

/** What kept a file that the user chose from being read or written. */
export function fileText(issue: Extract<Failure, { kind: 'file' }>['issue'], path: string): Words {
  const name = path.split(/[\\/]/).at(-1) ?? path
  switch (issue) {
    case 'missing':
      return words(statesText.theFolderIsNotThere, statesText.cannotBeReachedSoNothingWasWritten(path), statesText.chooseAnotherPlace)
    case 'not_allowed':
      return words(statesText.thisComputerDoesNotAllowIt, statesText.mayNotBeReadOrWrittenBy(path), statesText.chooseAnotherPlace)
    case 'disk_full':
      return words(statesText.theDiskIsFull, statesText.wasNotWrittenWhatStoodThereIs(name), statesText.freeSomeSpaceAndTryAgain)
    case 'not_a_file':
      return words(statesText.thisIsNotAFile, statesText.isAFolderOrADeviceNothing(path), statesText.chooseAnotherName)
    case 'not_text':
      return words(statesText.thisIsNotATextFile, statesText.holdsSomethingElseSoNothingWasAdded(name), statesText.chooseAnotherFile)
    case 'too_large':
      return words(statesText.theFileIsTooLarge, statesText.isLargerThanSuchAFileCan(name), statesText.chooseAnotherFile)
    case 'changed':
      return words(statesText.theFileChangedMeanwhile, statesText.anotherProgramWroteWhileItWasBeing(name), statesText.tryAgain)
    case 'failed':
      return words(statesText.theFileCouldNotBeUsed, statesText.readingOrWritingFailedNothingWas(path), statesText.tryAgainOrChooseAnotherPlace)
    default:
      return unreachable(issue)
  }
}

export function confirmationTitle(what: Extract<Failure, { kind: 'confirmation_required' }>['what']): string {
  switch (what) {
    case 'layout':
      return statesText.thisFormOfMessageIsNew
    case 'router':
      return statesText.thisContractIsNew
    case 'challenge_layout':
      return statesText.thisFormOfSignInIsNew
    case 'transaction':
      return statesText.thisTransactionNeedsYourWord
    default:
      return unreachable(what)
  }
}

export function expiredWord(what: Extract<Failure, { kind: 'expired' }>['what']): string {
  switch (what) {
    case 'challenge':
      return statesText.theSignInText
    case 'grant':
      return statesText.theGrant
    case 'intent':
      return statesText.theOrder
    case 'signature':
      return statesText.theSignature
    case 'request':
      return statesText.theRequest
    default:
      return unreachable(what)
  }
}

/** `missing`: dotted names; empty where nothing of the answer could be read. */
export const missingText = (missing: readonly string[]): string => {
  const named = missing.filter((name) => name !== '')
  return named.length === 0 ? statesText.itsAnswerIsNotWhatTheDocument : statesText.itsAnswerDoesNotGive(named.slice(0, 4).join(', '))
}

/** What a lost answer means and what to do, by the route: prepare and execute are repeated under one key, the relay never is (Idempotency rules 3, 6). */
export function lostAnswerText(route: string | null): readonly [meaning: string, remedy: string] {
  if (route?.endsWith('/orders/prepare') === true) return [statesText.theAppAskedUpToThreeTimes, statesText.reviewTheOrderAgain]
  if (route?.endsWith('/orders/execute') === true) return [statesText.theAppSentItUpToThree, statesText.waitTheAppLooksItUpActivity]
  if (route?.endsWith('/actions/relay') === true) return [statesText.theAppSentYourSignatureOnceAnd, statesText.waitTheAppLooksItUpActivity]
  return [statesText.theRequestLeftThisComputerWhetherThe, statesText.waitTheAppLooksItUpActivity]
}
