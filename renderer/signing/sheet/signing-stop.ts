import type { Failure } from '../../../shared/ipc/failure.ts'
import { leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import { unreachable } from '../../../shared/result.ts'
import { signingTime } from '../../kit/time/time.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { thenText } from '../parts/review-text.ts'
import type { SigningMessage, TransactionPart } from '../parts/signing-message.ts'
import type { SigningEnd } from '../progress/intent-path.ts'

/** Why the signing ended without an accepted signature. */
export type SigningStop =
  | { readonly kind: 'rejected' }
  /** The wallet request expired; the message itself can still be signed. */
  | { readonly kind: 'request_expired' }
  /** The message's deadline passed, so it can no longer be signed. */
  | { readonly kind: 'too_late' }
  /**
   * The wallet answered after the app had stopped waiting. The answer is a signature, which main dropped, or the hash of a transaction that the
   * wallet broadcast.
   */
  | { readonly kind: 'late_answer'; readonly atMs: number; readonly answer: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'no_wallet' }
  | { readonly kind: 'wrong_chain'; readonly detail: string }
  | { readonly kind: 'wrong_wallet'; readonly detail: string }
  | { readonly kind: 'wallet_failed'; readonly detail: string | null }
  /** Main refused the request before it went to the wallet, or refused the answer after the wallet signed (`signed`). */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly signed: boolean }

/** How the stop ends the steps of the signing. `stopped`: it ended before the phone approved it, or how it ended is unknown. */
export function endOfStop(stop: SigningStop, { thing }: Pick<SigningMessage, 'thing'>): Exclude<SigningEnd, null> {
  if (stop.kind === 'rejected') return 'rejected'
  if (stop.kind === 'late_answer') return thing === 'transaction' ? 'not_tracked' : 'too_late'
  if (stop.kind !== 'refused' || !stop.signed || leavesUnknown(stop.failure)) return 'stopped'
  if (thing === 'transaction') return 'not_tracked'
  return stop.failure.kind === 'refused' ? 'refused' : 'not_sent'
}

export interface StopText {
  readonly title: string
  readonly happened: string
  readonly means: string
  readonly todo: string
}

type Stopped = Pick<SigningMessage, 'thing' | 'subject' | 'preparedAgain'> & { readonly transaction: Pick<TransactionPart, 'steps'> | null }

/** Explains what the stop means for the user. Transactions sent before the failed step remain on the chain. */
const meansOf = ({ transaction }: Stopped): string => {
  const done = transaction?.steps.filter(({ state }) => state === 'done') ?? []
  return done.length === 0 ? signingText.nothingSignedOrSent : signingText.stepNotSent(done.map(({ label }) => label))
}

/** Explains to the user why the signing stopped: what happened, what it means, what to do. */
export function stopText(stop: Exclude<SigningStop, { kind: 'refused' }>, message: Stopped): StopText {
  const { thing, subject } = message
  const then = thenText(message)
  const means = meansOf(message)
  switch (stop.kind) {
    case 'rejected':
      return {
        title: signingText.rejectedTitle,
        happened: signingText.rejectedWhat(subject),
        means,
        todo: thing === 'grant' ? signingText.rejectedGrantTodo : signingText.rejectedTodo(then),
      }
    case 'request_expired':
      return {
        title: signingText.noAnswerTitle,
        happened: signingText.noAnswerWhat,
        means: `${means} ${thing === 'transaction' ? signingText.mayStillBeSent(subject) : signingText.mayStillBeSigned(subject)}`,
        todo: signingText.noAnswerTodo,
      }
    case 'too_late':
      return {
        title: signingText.tooLateTitle(subject),
        happened: signingText.tooLateWhat,
        means: thing === 'transaction' ? means : `${means} ${signingText.lateSignatureUnused}`,
        todo: signingText.tooLateTodo(then),
      }
    case 'late_answer':
      return thing === 'transaction'
        ? {
            title: signingText.lateSendTitle,
            happened: signingText.lateSendWhat(signingTime(stop.atMs), subject, stop.answer),
            means: signingText.lateSendMeans,
            todo: signingText.lateSendTodo(then),
          }
        : {
            title: signingText.lateSignatureTitle,
            happened: signingText.lateSignatureWhat(signingTime(stop.atMs), subject),
            means: signingText.lateSignatureMeans,
            todo: signingText.lateSignatureTodo(then),
          }
    case 'unreachable':
      return {
        title: signingText.unreachableTitle,
        happened: signingText.unreachableWhat,
        means: `${means} ${signingText.keptUntilDeadline(subject)}`,
        todo: signingText.unreachableTodo,
      }
    case 'no_wallet':
      return {
        title: signingText.noWallet,
        happened: signingText.noWalletWhat,
        means,
        todo: signingText.noWalletTodo,
      }
    case 'wrong_chain':
      return {
        title: signingText.wrongChainTitle,
        happened: signingText.wrongChainWhat(stop.detail, subject),
        means,
        todo: signingText.wrongChainTodo,
      }
    case 'wrong_wallet':
      return {
        title: signingText.wrongAccountTitle,
        happened: `${stop.detail}.`,
        means,
        todo: signingText.wrongAccountTodo,
      }
    case 'wallet_failed':
      return {
        title: thing === 'transaction' ? signingText.sendFailedTitle : signingText.signFailedTitle,
        happened: stop.detail ?? signingText.walletFailedWhat,
        means,
        todo: signingText.walletFailedTodo,
      }
    default:
      return unreachable(stop)
  }
}
