import type { Failure } from '../../../shared/ipc/failure.ts'
import { unreachable } from '../../../shared/result.ts'
import { timeOfDay } from '../../kit/time/time.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import type { SigningMessage, TransactionPart } from '../parts/signing-message.ts'

/** Why a signature did not come, or did not count. */
export type SigningStop =
  | { readonly kind: 'rejected' }
  /** The wallet's own request ran out; the message itself may still be signed. */
  | { readonly kind: 'request_expired' }
  /** The message's deadline passed. */
  | { readonly kind: 'too_late' }
  /** The wallet answered after that: with a signature, which main dropped, or with the hash of what it broadcast when it was given up. */
  | { readonly kind: 'late_answer'; readonly atMs: number; readonly answer: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no_wallet' }
  | { readonly kind: 'wrong_chain'; readonly detail: string }
  | { readonly kind: 'wrong_wallet'; readonly detail: string }
  | { readonly kind: 'wallet_failed'; readonly detail: string | null }
  /** Main did not accept it: before the wallet was asked, or after it answered. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly signed: boolean }

export interface StopText {
  readonly title: string
  readonly happened: string
  readonly means: string
  readonly todo: string
}

const nothingSent = signingText.nothingWasSignedAndNothingWasSent

type Told = Pick<SigningMessage, 'thing' | 'noun' | 'again'> & { readonly transaction: Pick<TransactionPart, 'steps'> | null }

/** What was sent before a later step stays on the chain. */
const meansOf = ({ transaction }: Told): string => {
  const done = transaction?.steps.filter(({ state }) => state === 'done') ?? []
  return done.length === 0
    ? nothingSent
    : signingText.thisStepWasNotSentWhatCame(done.map(({ label }) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`).join(', '))
}

/** What happened, what it means, what to do. */
export function stopText(stop: Exclude<SigningStop, { kind: 'refused' }>, told: Told): StopText {
  const { thing, noun, again } = told
  const means = meansOf(told)
  switch (stop.kind) {
    case 'rejected':
      return {
        title: signingText.youRejectedItOnThePhone,
        happened: signingText.theWalletAnsweredThatYouDidNot(noun),
        means,
        todo: thing === 'grant' ? signingText.closeThisOrSendTheGrantTo : signingText.closeThisOrPrepareItAgain(again),
      }
    case 'request_expired':
      return {
        title: signingText.thePhoneDidNotAnswerInTime,
        happened: signingText.theRequestToTheWalletRanOut,
        means: signingText.theItselfMayStillBe(means, noun, thing === 'transaction' ? signingText.sent : signingText.signed),
        todo: signingText.openTheWalletAppAndSendIt,
      }
    case 'too_late':
      return {
        title: signingText.theTimeForThisIsOver(noun),
        happened: signingText.theServiceGaveItUntilAFixed,
        means: thing === 'transaction' ? means : signingText.aSignatureThatComesNowIsNot(means),
        todo: signingText.prepareItAgain(again),
      }
    case 'late_answer':
      return thing === 'transaction'
        ? {
            title: signingText.theWalletAnsweredTooLate,
            happened: signingText.atWhenTheTimeForThisWas(timeOfDay(stop.atMs), noun, stop.answer),
            means: signingText.thisAppHadGivenItUpAnd,
            todo: signingText.lookForItInTheWalletOr(again),
          }
        : {
            title: signingText.yourSignatureCameTooLate,
            happened: signingText.itArrivedAtWhenTheTimeFor(timeOfDay(stop.atMs), noun),
            means: signingText.itWasDroppedNothingWasSentSo,
            todo: signingText.ifYouStillWantItPrepareIt(again),
          }
    case 'unreachable':
      return {
        title: signingText.theWalletIsOutOfReach,
        happened: signingText.theRelayBetweenThisAppAndThe,
        means: signingText.theIsKeptUntilItsTimeIs(means, noun),
        todo: signingText.checkTheConnectionOfThisComputerAnd,
      }
    case 'no_wallet':
      return {
        title: signingText.noWalletIsConnected,
        happened: signingText.thePhoneEndedItsConnectionToThis,
        means,
        todo: signingText.connectTheWalletThenSendItAgain,
      }
    case 'wrong_chain':
      return {
        title: signingText.theWalletIsOnAnotherNetwork,
        happened: signingText.thisIsForBase(stop.detail, noun),
        means,
        todo: signingText.switchTheWalletToBaseThenSend,
      }
    case 'wrong_wallet':
      return {
        title: signingText.anotherAccountIsConnected,
        happened: `${stop.detail}.`,
        means,
        todo: signingText.chooseTheRightAccountInTheWallet,
      }
    case 'wallet_failed':
      return {
        title: thing === 'transaction' ? signingText.theWalletCouldNotSendIt : signingText.theWalletCouldNotSign,
        happened: stop.detail ?? signingText.itAnsweredWithAnErrorAndNo,
        means,
        todo: signingText.lookAtTheWalletAppThenSend,
      }
    default:
      return unreachable(stop)
  }
}
