import type { Failure } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'
import { inputIssueText } from '../../shared/text/input-issue-text.ts'
import { reasonText } from '../../shared/text/intent-text.ts'
import { challengeProblemText } from '../../shared/text/signing-text.ts'
import type { IconName } from '../kit/icons/icon-shapes.tsx'
import { shorten } from '../kit/number.tsx'
import { durationText, exactTime, timeOfDay } from '../kit/time/time.tsx'
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
      return danger(
        'stop',
        'Something in this app went wrong',
        'It is a fault of the app, not of yours or the service.',
        'Try again. If it stays, report it with the reference.',
      )
    case 'bad_input':
      return warn(
        'warn',
        failure.field === null ? 'The input was not accepted' : `${failure.field} was not accepted`,
        sentence(inputIssueText(failure.issue)),
        'Correct it and try again.',
      )
    case 'not_found':
      return warn(
        'search',
        'It is not there',
        `${sentence(failure.what === 'order_book' ? 'the order book' : failure.what)} does not exist, or not any more.`,
        'Go back and read the list again.',
      )
    case 'field_map':
      return warn('file', 'The field map was not changed', failure.issues.slice(0, 3).map(mapIssueText).join(' '), 'Correct it and try again.')
    case 'no_profile':
      return warn(
        'server',
        'No exchange is chosen',
        'The app does not know yet which exchange to talk to.',
        'Start practising, or enter the address of an exchange.',
      )
    case 'host_refused': {
      const text = hostText(failure.issue, failure.detail)
      return warn('server', text.title, text.meaning, text.remedy)
    }
    case 'practice_failed':
      return danger('flask', 'Practice could not start', practiceText(failure.part), `Try again. The cause was: ${practiceCause(failure.detail)}`)
    case 'sign_in_required':
      return warn(
        'user',
        'You are not signed in',
        'The service shows and changes keys only for a wallet that is signed in. Trading and bots go on without it.',
        'Sign in with your wallet. It is free.',
      )
    case 'api_key_required':
      return warn(
        'nokey',
        'This needs an API key',
        failure.scope === null
          ? 'No key of this wallet is kept on this computer.'
          : `No key on this computer may do this; it takes the scope ${failure.scope}.`,
        'Make a bot-ready key. It stays in the system keychain.',
      )
    case 'scope_missing':
      return warn(
        'nokey',
        `${failure.keyLabel ?? 'This key'} may not do this`,
        `It lacks the scope ${failure.scope}. Scopes are fixed when a key is made.`,
        'Use another key, or make a new one.',
      )
    case 'ip_not_allowed':
      return warn(
        'globe',
        'This computer’s address is not on the key’s list',
        `${failure.keyLabel ?? 'The key'} answers only ${failure.allowlist.length === 0 ? 'the addresses on its list' : failure.allowlist.join(', ')}.${failure.seenAs === null ? '' : ` The exchange saw ${failure.seenAs}.`}`,
        'Work from one of them, or make a key that allows this address.',
      )
    case 'executor_required':
      return warn(
        'chip',
        `${failure.keyLabel ?? 'The key'} has no executor`,
        'An executor carries out what a key orders, and none is bound to this one. Nothing was carried out.',
        'Bind an executor to the key, or sign with your wallet.',
      )
    case 'wrong_credential':
      return danger(
        'shield-x',
        'Nothing was sent',
        `The app was about to use the wrong credential for ${failure.route} and stopped.`,
        'This is a fault of the app. Please report it.',
      )
    case 'refused':
      return danger(
        'stop',
        failure.status >= 500 ? 'The service failed' : 'The service refused',
        `It answered ${failure.status}${failure.code === null ? '' : ` with ${failure.code}`}. Nothing was changed.`,
        refusedRemedy(failure),
        failure.message,
      )
    case 'executor_differs':
      return danger(
        'chip',
        'The service bound another executor',
        `The key is bound to ${failure.bound} now, not to ${failure.sent}.`,
        'Bind it again, or revoke the key.',
      )
    case 'rate_limited':
      return warn(
        'hourglass',
        'Too many requests',
        'The service limits how often it can be asked. Nothing was changed.',
        failure.retryAfterMs === null ? 'Wait a moment and try again.' : `Try again in ${durationText(Math.max(failure.retryAfterMs, 1_000))}.`,
      )
    case 'body_too_large':
      return warn(
        'file',
        'The request is too large',
        `It has ${failure.bytes} bytes and the service takes ${failure.limit}. Nothing was sent.`,
        'Shorten it, for example the list of addresses.',
      )
    case 'unreachable': {
      const text = exchangeText(failure.reason, failure.status)
      return danger('relay', text.title, text.meaning, text.remedy)
    }
    case 'outcome_unknown':
      return warn('unknown', 'The answer was lost', ...lostAnswerText(failure.route))
    case 'unreadable':
      return warn(
        'unknown',
        'The answer cannot be read',
        failure.route === 'POST /orders/prepare'
          ? `The service prepared it, but ${missingText(failure.missing)}. Nothing was signed, so nothing can be executed.`
          : `The service says that it took the request (HTTP ${failure.status}), but ${missingText(failure.missing)}.`,
        failure.route === 'POST /orders/prepare'
          ? 'Look at the answer in Activity, under requests.'
          : 'Do not repeat it. The app looks up what came of it; Activity shows what it finds.',
        failure.raw,
      )
    case 'price_deviation':
      return warn(
        'activity',
        'The price moved',
        'The price that you saw is too far from the market’s now. Nothing was prepared.',
        'Look at the new price and review the order again.',
      )
    case 'market_data_stale':
      return warn(
        'clock',
        'The market’s price is too old',
        'The service does not take orders until its own price is fresh. Nothing was prepared.',
        'Try again in a few seconds.',
      )
    case 'idempotency_conflict':
      return warn(
        'copy',
        failure.code === 'DUPLICATE_CLIENT_ORDER_ID' ? 'This order is already there' : 'This request was already used for something else',
        'The service keeps each order’s own id once, so nothing was placed a second time.',
        'Open it in Activity. Review again to place another one.',
      )
    case 'locked':
      return warn('lock', 'Svc Desk is locked', 'Nothing was done.', 'Unlock it with your passphrase, then try again.')
    case 'gesture_required':
      return warn('lock', 'Only you can copy a secret', 'No click or key of yours came right before.', 'Click Copy secret again.')
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
      return warn('file', 'It was not read', parsingText(failure.issue), 'Check where it came from. Then try again, with a smaller part of it if you can.')
    case 'held_back':
      if (failure.why === 'drift')
        return warn(
          'warn',
          'New orders wait for your word',
          'What the service publishes of itself is not what this app goes by. Nothing was sent.',
          'See what changed at the top of the window or in Settings, and say whether to trade all the same.',
        )
      return failure.why === 'journal_rebuilt'
        ? warn(
            'doc',
            'New orders are held back',
            'The journal was damaged and has been rebuilt from what the service knows.',
            'Look through Activity, then allow new orders again.',
          )
        : failure.why === 'rails_lost'
          ? warn(
              'shield',
              'Your guard rails were lost',
              'The journal that held them was damaged. New risk waits until you have set them anew or said that you want none.',
              'Set or waive them under Settings, Guard rails.',
            )
          : failure.why === 'unknown_intent_old'
            ? warn(
                'unknown',
                'An earlier order is still unknown',
                'Its answer was lost, and nothing tells whether it was carried out. A new order may double it.',
                'Check your position. Then place the new order anyway, or settle the earlier one in Activity.',
              )
            : warn(
                'unknown',
                'An earlier order is still unknown',
                'Its answer was lost. Until it settles, the same order is not placed again.',
                'Open it in Activity and look again.',
              )
    case 'guard_rail': {
      const text = railText(failure)
      return warn('shield', text.title, text.meaning, text.remedy)
    }
    case 'no_wallet':
      return warn('account', 'No wallet is connected', 'Only your wallet can sign this.', 'Connect it by scanning a code with your phone.')
    case 'wrong_chain':
      return warn(
        'swap',
        'The wallet is on another chain',
        `It is on chain ${failure.chainId}; this exchange lives on ${failure.expected === 8453 ? 'Base (8453)' : `chain ${failure.expected}`}.`,
        'Switch the chain, here or in the wallet.',
      )
    case 'rpc_wrong_chain':
      return danger(
        'relay',
        'The RPC leads to another chain',
        `It answers for chain ${failure.chainId}; this exchange lives on ${failure.expected === 8453 ? 'Base (8453)' : `chain ${failure.expected}`}. Nothing that it says is believed, and no new risk is signed.`,
        'Enter the address of a Base RPC for this profile. Cancelling and closing by a signed message go on without it.',
      )
    case 'wrong_wallet':
      return warn(
        'account',
        'Another wallet is connected',
        `This belongs to ${shorten(failure.expected)}; connected is ${shorten(failure.wallet)}.`,
        'Choose the right account in the wallet.',
      )
    case 'signing_refused':
      return danger(
        'shield-x',
        'Not sent to the wallet',
        reasonText(failure.why),
        'Do not sign this anywhere else. Prepare it again; if it stays, ask the exchange.',
      )
    case 'challenge_refused':
      return danger(
        'shield-x',
        'Not sent to the wallet',
        challengeProblemText(failure.problem),
        'Do not sign this anywhere else. Prepare it again; if it stays, ask the exchange.',
      )
    case 'confirmation_required':
      return warn(
        'shield',
        confirmationTitle(failure.what),
        'It was not seen before, so it waits for your word.',
        `Look at it, then confirm it with ${failure.expected}.`,
      )
    case 'signature_invalid':
      return danger(
        'shield-x',
        'The signature is not from this wallet',
        failure.recovered === null
          ? `It does not fit ${shorten(failure.expected)}. It was not sent on.`
          : `${shorten(failure.recovered)} signed; it had to be ${shorten(failure.expected)}. It was not sent on.`,
        'Choose the right account in the wallet and sign again.',
      )
    case 'expired':
      return warn(
        'hourglass',
        `${expiredWord(failure.what)} ran out`,
        `It was good until ${timeOfDay(failure.atMs)} UTC. Nothing was sent.`,
        'Start it again; it gets a new one.',
      )
    case 'not_executable':
      if (failure.status === 'no_gas')
        return danger(
          'stop',
          'The order cannot be carried out',
          'Your wallet has too little ETH on Base for the network fee. Nothing was signed.',
          'Send a little ETH on Base to your wallet, and try it again.',
        )
      return danger(
        'stop',
        'The order cannot be carried out',
        `The service says ${failure.status}. Nothing was signed.`,
        'Change the order and review it again.',
        failure.reason,
      )
    case 'too_early':
      return warn(
        'clock',
        'Too early to settle it',
        'It may still be carried out, and the app is still looking it up.',
        `You can settle it yourself from ${exactTime(failure.fromMs)}.`,
      )
    case 'contradicted':
      return warn(
        'unknown',
        'Your account shows it',
        `Your ${failure.by === 'trade' ? 'trades' : 'orders'} show this order, so it was carried out.`,
        'Look again: the app settles it by what the account shows.',
      )
    case 'wrong_state':
      return warn(
        'clock',
        'Too late for that',
        `It is ${stateText(failure.state)} by now; this works only while it is ${stateText(failure.wanted)}.`,
        'Open it in Activity to see where it stands.',
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
  if (status === 401) return 'The key or sign-in is not accepted any more. Sign in again, or choose another key.'
  if (status === 403) return 'The key or wallet may not do this. Choose another key.'
  if (status === 404) return 'It may be gone. Read the list again.'
  if (code?.endsWith('_LIMIT_REACHED')) return 'There is no room for another one. End one that is not needed any more.'
  if (status === 409) return 'It may have changed meanwhile. Read it again.'
  if (status >= 500) return 'It is a fault of the service, not of what was asked for. Try again in a moment.'
  return 'Check what was asked for and try again.'
}

/** States that take more than one word. */
const states: Readonly<Record<string, string>> = {
  old_key: 'the old key',
  settled_under_keys: 'settled under keys',
  nothing_on_its_way: 'nothing on its way',
  no_key_listed: 'no key of it in the list',
  later_end: 'a later end of the new key',
  secret_here: 'its secret here',
  under_way: 'under way',
  none_under_way: 'none under way',
  open_profile: 'an open profile',
  forwarding: 'listening, and forwarding',
  known_subscription: 'a known url and events',
  test_running: 'a test that runs',
  no_test_running: 'no test that runs',
}
const stateText = (state: string): string => (Object.hasOwn(states, state) ? states[state] : undefined) ?? state.toLowerCase()

/** Other causes are a program's own words. */
function practiceCause(detail: string): string {
  if (detail === 'not_running') return 'Practice is not running.'
  const [, seconds] = /^not_ready (\d+)$/.exec(detail) ?? []
  return seconds === undefined ? detail : `not ready within ${seconds} s`
}
