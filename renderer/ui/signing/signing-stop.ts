import type { Failure } from '../../../shared/ipc/failure.ts'
import { unreachable } from '../../../shared/result.ts'
import type { SigningMessage } from './signing-message.ts'

/** Why a signature did not come, or did not count. */
export type SigningStop =
  | { readonly kind: 'rejected' }
  /** The wallet's own request ran out; the message itself may still be signed. */
  | { readonly kind: 'request_expired' }
  /** The message's deadline passed. */
  | { readonly kind: 'too_late' }
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

const afterReject: Readonly<Record<SigningMessage['thing'], string>> = {
  order: 'Close this, or prepare it again. It becomes a new order at the price of then.',
  grant: 'Close this, or send the grant to the phone once more.',
  transaction: 'Close this, or prepare it again with a new deadline.',
}

/** What happened, what it means, what to do. `thing` names what would have been signed or sent. */
export function stopText(stop: Exclude<SigningStop, { kind: 'refused' }>, thing: SigningMessage['thing']): StopText {
  switch (stop.kind) {
    case 'rejected':
      return {
        title: 'You rejected it on the phone',
        happened: `The wallet answered that you did not approve this ${thing}.`,
        means: nothingSent,
        todo: afterReject[thing],
      }
    case 'request_expired':
      return {
        title: 'The phone did not answer in time',
        happened: 'The request to the wallet ran out before it was approved.',
        means: `${nothingSent} The ${thing} itself may still be signed.`,
        todo: 'Open the wallet app and send it again.',
      }
    case 'too_late':
      return {
        title: `The time for this ${thing} is over`,
        happened: `The service gave it until a fixed time, and that has passed.`,
        means: `${nothingSent} A signature that comes now is not used.`,
        todo: `Prepare it again. It becomes a new ${thing} with a new time.`,
      }
    case 'unreachable':
      return {
        title: 'The wallet is out of reach',
        happened: 'The relay between this app and the phone does not answer.',
        means: `${nothingSent} The ${thing} is kept until its time is over.`,
        todo: 'Check the connection of this computer and of the phone, then send it again.',
      }
    case 'no_wallet':
      return {
        title: 'No wallet is connected',
        happened: 'The phone ended its connection to this app.',
        means: nothingSent,
        todo: 'Connect the wallet, then send it again.',
      }
    case 'wrong_chain':
      return {
        title: 'The wallet is on another network',
        happened: `${stop.detail}. This ${thing} is for Base, 8453.`,
        means: nothingSent,
        todo: 'Switch the wallet to Base, then send it again.',
      }
    case 'wrong_wallet':
      return {
        title: 'Another account is connected',
        happened: `${stop.detail}.`,
        means: nothingSent,
        todo: 'Choose the right account in the wallet, then send it again.',
      }
    case 'wallet_failed':
      return {
        title: thing === 'transaction' ? 'The wallet could not send it' : 'The wallet could not sign',
        happened: stop.detail ?? 'It answered with an error and no reason.',
        means: nothingSent,
        todo: 'Look at the wallet app, then send it again.',
      }
    default:
      return unreachable(stop)
  }
}
