import type { Failure } from '../../../shared/ipc/failure.ts'
import { unreachable } from '../../../shared/result.ts'
import { timeOfDay } from '../../kit/time/time.tsx'
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

const nothingSent = 'Nothing was signed and nothing was sent.'

type Told = Pick<SigningMessage, 'thing' | 'noun' | 'again'> & { readonly transaction: Pick<TransactionPart, 'steps'> | null }

/** What was sent before a later step stays on the chain. */
const meansOf = ({ transaction }: Told): string => {
  const done = transaction?.steps.filter(({ state }) => state === 'done') ?? []
  return done.length === 0
    ? nothingSent
    : `This step was not sent. What came before it stays on the chain: ${done.map(({ label }) => `${label.charAt(0).toLowerCase()}${label.slice(1)}`).join(', ')}.`
}

/** What happened, what it means, what to do. */
export function stopText(stop: Exclude<SigningStop, { kind: 'refused' }>, told: Told): StopText {
  const { thing, noun, again } = told
  const means = meansOf(told)
  switch (stop.kind) {
    case 'rejected':
      return {
        title: 'You rejected it on the phone',
        happened: `The wallet answered that you did not approve this ${noun}.`,
        means,
        todo: thing === 'grant' ? 'Close this, or send the grant to the phone once more.' : `Close this, or prepare it again: ${again}.`,
      }
    case 'request_expired':
      return {
        title: 'The phone did not answer in time',
        happened: 'The request to the wallet ran out before it was approved.',
        means: `${means} The ${noun} itself may still be ${thing === 'transaction' ? 'sent' : 'signed'}.`,
        todo: 'Open the wallet app and send it again.',
      }
    case 'too_late':
      return {
        title: `The time for this ${noun} is over`,
        happened: `The service gave it until a fixed time, and that has passed.`,
        means: thing === 'transaction' ? means : `${means} A signature that comes now is not used.`,
        todo: `Prepare it again: ${again}.`,
      }
    case 'late_answer':
      return thing === 'transaction'
        ? {
            title: 'The wallet answered too late',
            happened: `At ${timeOfDay(stop.atMs)}, when the time for this ${noun} was over, the wallet answered that it sent the transaction ${stop.answer}.`,
            means: 'This app had given it up and does not follow it. The chain may still carry it out.',
            todo: `Look for it in the wallet, or by its hash, before you prepare it again: ${again}.`,
          }
        : {
            title: 'Your signature came too late',
            happened: `It arrived at ${timeOfDay(stop.atMs)}, when the time for this ${noun} was over.`,
            means: 'It was dropped. Nothing was sent, so nothing can be executed with it.',
            todo: `If you still want it, prepare it again: ${again}. Your phone then asks once more.`,
          }
    case 'unreachable':
      return {
        title: 'The wallet is out of reach',
        happened: 'The relay between this app and the phone does not answer.',
        means: `${means} The ${noun} is kept until its time is over.`,
        todo: 'Check the connection of this computer and of the phone, then send it again.',
      }
    case 'no_wallet':
      return {
        title: 'No wallet is connected',
        happened: 'The phone ended its connection to this app.',
        means,
        todo: 'Connect the wallet, then send it again.',
      }
    case 'wrong_chain':
      return {
        title: 'The wallet is on another network',
        happened: `${stop.detail}. This ${noun} is for Base, 8453.`,
        means,
        todo: 'Switch the wallet to Base, then send it again.',
      }
    case 'wrong_wallet':
      return {
        title: 'Another account is connected',
        happened: `${stop.detail}.`,
        means,
        todo: 'Choose the right account in the wallet, then send it again.',
      }
    case 'wallet_failed':
      return {
        title: thing === 'transaction' ? 'The wallet could not send it' : 'The wallet could not sign',
        happened: stop.detail ?? 'It answered with an error and no reason.',
        means,
        todo: 'Look at the wallet app, then send it again.',
      }
    default:
      return unreachable(stop)
  }
}
