import { unreachable } from '../../../shared/result.ts'
import type { SignFailure } from '../../signing/wallet/sign-failure.ts'

/** Why there is no signature, and what can be done, for the sign-in sheet. */
export function unsignedText(why: SignFailure): { readonly title: string; readonly text: string } {
  switch (why.kind) {
    case 'rejected':
      return { title: 'You rejected it on the phone.', text: 'Nothing was signed. Send it again while its time lasts.' }
    case 'expired':
      return { title: 'The phone did not answer in time.', text: 'Nothing was signed. Take a new text and send that.' }
    case 'unreachable':
      return { title: 'The wallet relay is out of reach.', text: 'Nothing reached the phone. Send it again when the relay is back.' }
    case 'wrong_chain':
      return { title: 'The wallet is on another chain.', text: 'Nothing was sent to it. Switch it to Base, then send again.' }
    case 'wrong_account':
      return {
        title: 'Another account is active in the wallet.',
        text: 'Nothing was sent to it. Choose the account of this sign-in, or take a new text for the other one.',
      }
    case 'disconnected':
      return { title: 'The wallet is not connected any more.', text: 'Nothing was signed. Connect it again.' }
    case 'failed':
      return { title: 'The wallet gave no signature.', text: why.detail === '' ? 'Send it again, or look at the wallet.' : `It said: ${why.detail}` }
    default:
      return unreachable(why.kind)
  }
}
