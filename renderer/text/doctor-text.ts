import type { DoctorCheckId, DoctorFound, DoctorReport } from '../../shared/ipc/keys/doctor.ts'
import { unreachable } from '../../shared/result.ts'
import { dateText, durationText, shortAddress } from '../../shared/signing/wording.ts'

export const doctorTitles: Readonly<Record<DoctorCheckId, string>> = {
  secret: 'Secret on this computer',
  status: 'Listed by the service',
  expiry: 'Not expired',
  service: 'Service reachable',
  clock: 'Clocks agree',
  accepted: 'Key accepted',
  address: 'Address allowed',
  wallet: 'Belongs to this wallet',
  'scope:market:read': 'market:read',
  'scope:account:read': 'account:read',
  'scope:trade:prepare': 'trade:prepare',
  'scope:orders:manage': 'orders:manage',
  'scope:collateral:manage': 'collateral:manage',
  'scope:trade:execute': 'trade:execute',
  executor: 'Executor bound',
  agent: 'Trading agent',
  payment: 'Execution payment',
}

const inCode = (said: string | null): string => (said === null ? '' : ` (${said})`)
const agentName = (agent: string | null): string => (agent === null ? 'Its agent' : `The agent ${shortAddress(agent)}`)

const pastScope = {
  answered: () => 'A call that needs it was answered.',
  executor_missing: () => 'The call got past the scope; what it lacks is an executor.',
  body_refused: (said: string | null) => `The call got past the scope: its body was refused${inCode(said)}, as it should be.`,
}

/** What was found and what it means. */
export function doctorFoundText(found: DoctorFound): string {
  switch (found.code) {
    case 'in_keychain':
      return 'In the keychain.'
    case 'only_in_memory':
      return 'In memory only: it is lost when the app quits.'
    case 'not_here':
      return 'It is not here: it was made or kept elsewhere, or removed.'
    case 'keychain_withholds':
      return 'The keychain does not give it out.'
    case 'listed_as':
      return found.now
        ? `The service’s list says: ${found.status}.`
        : `When it was last listed it was ${found.status}.${found.status === 'revoked' ? '' : ' Sign in to see what it is now.'}`
    case 'listed_without_state':
      return 'The service lists it and does not say in which state.'
    case 'not_listed':
      return 'The service does not list it any more.'
    case 'never_listed':
      return 'It was not listed yet. Sign in to see what it is now.'
    case 'end_unknown':
      return 'The service did not say when it ends.'
    case 'expired':
      return found.atMs === null ? 'It has expired.' : `It expired on ${dateText(found.atMs)}.`
    case 'ends':
      return `It ends on ${dateText(found.atMs)}, in ${durationText(found.inMs)}.`
    case 'answers':
      return 'It answers.'
    case 'silent':
      return 'It does not answer.'
    case 'service_silent':
      return 'The service does not answer.'
    case 'time_unknown':
      return 'The service did not tell its time.'
    case 'time_untold':
      return 'Only an answer of the service tells its time.'
    case 'clocks_agree':
      return 'This computer and the service agree on the time.'
    case 'clocks_apart': {
      const where = `This computer is ${durationText(Math.abs(found.offsetMs))} ${found.offsetMs > 0 ? 'behind' : 'ahead of'} the service.`
      return `${where} This app goes by the service’s time; other programs here do not. Let the network set the clock.`
    }
    case 'taken':
      return 'The service takes it.'
    case 'known':
      return 'The service knows it.'
    case 'known_at_rate_limit':
      return 'The service knows it; its own rate limit is used up.'
    case 'says_expired':
      return 'The service says that it has expired.'
    case 'says_revoked':
      return 'The service says that it was revoked.'
    case 'secret_replaced_elsewhere':
      return 'The service does not take this secret, though it lists the key as active: another secret took its place, by a rotation elsewhere.'
    case 'secret_refused':
      return 'The service does not take this secret.'
    case 'not_reached':
      return 'The service did not get as far.'
    case 'no_answer_to_call':
      return 'The service did not answer a call with the key.'
    case 'call_refused':
      return `The service refused the call${found.said === null ? '' : `: ${found.said}`}.`
    case 'address_not_refused':
      return 'The call was not refused for its address.'
    case 'address_allowed':
      return `This computer’s address is allowed: ${found.allowlist.join(', ')}.`
    case 'address_refused': {
      const seen =
        found.seenAs === null ? 'The service refuses this computer’s address.' : `The service sees this computer at ${found.seenAs}, which is not allowed.`
      return `${seen} ${found.allowlist.length === 0 ? 'The key’s allowlist is not known here.' : `Allowed: ${found.allowlist.join(', ')}.`}`
    }
    case 'account_without_wallet':
      return 'The account names no wallet.'
    case 'wallet_needs_account_read':
      return 'Without account:read the service does not say whose it is.'
    case 'wallet_read':
      return found.own ? `It reads the account of ${shortAddress(found.wallet)}.` : `It reads the account of ${found.wallet}, which is not yours.`
    case 'executor_missing':
      return 'None is bound: /orders/execute refuses every call with this key.'
    case 'executor_needs_scope':
      return 'Without trade:execute it has no use.'
    case 'executor_bound':
      return found.listed ? `The list says: bound to ${found.executor}.` : `Bound to ${found.executor}.`
    case 'executor_not_asked':
      return 'The service asked for none. Sign in to see which is bound.'
    case 'executor_not_listed':
      return 'The service’s list names none, though the call was not refused for it.'
    case 'executor_unclear':
      return 'It cannot be told.'
    case 'agent_needs_sign_in':
      return 'Sign in to see whether it has one.'
    case 'agent_none':
      return 'It has none. Only a key that trades by itself needs one.'
    case 'agent_not_granted':
      return `${agentName(found.agent)} has no signed grant: it may not trade.`
    case 'agent_granted':
      return found.atMs === null
        ? `${agentName(found.agent)} may trade. Until when is not known here.`
        : `${agentName(found.agent)} may trade until ${dateText(found.atMs)}.`
    case 'agent_grant_over':
      return `${agentName(found.agent)} may not trade any more: its grant was over on ${dateText(found.atMs)}.`
    case 'agent_unclear':
      return 'The service does not say whether its agent is granted.'
    case 'payment_none':
      return 'None was made here. Whether it needs one, only a delegated order shows.'
    case 'payment':
      return `${found.title}: ${found.state.toLowerCase()}.`
    case 'no_secret':
      return 'Without the secret there is no call.'
    case 'not_let_in':
      return 'The key is not let in.'
    case 'scope_passed': {
      const how = pastScope[found.how](found.said)
      return found.unlisted ? `${how} The key’s list does not name this scope, yet the service lets it through.` : how
    }
    case 'scope_listed_body_refused':
      return `The key’s list names it. The service refused the made-up body${inCode(found.said)}, not the scope.`
    case 'scope_body_refused':
      return `It cannot be told: the service refused the made-up body${inCode(found.said)} and may not have looked at the scope.`
    case 'scope_listed_refused':
      return `The key’s list names it, and the service refuses it${inCode(found.said)}. Make a key that has it.`
    case 'scope_not_made_with':
      return 'The key was made without it, and the service refuses it, as it should.'
    case 'scope_at_rate_limit':
      return 'It cannot be told: the key’s own rate limit is used up for now.'
    case 'scope_no_answer':
      return 'It cannot be told: the service did not answer this call.'
    case 'scope_unclear':
      return `It cannot be told: the service refused the call${inCode(found.said)}.`
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
      return { sentence: 'The key works for everything that it was made for.', action: null }
    case 'secret_missing':
      return {
        sentence: 'The secret of this key is not on this computer, so nothing here can use it.',
        action: { label: 'Give it a fresh secret', to: `/keys/${keyId}/rotate` },
      }
    case 'keychain':
      return { sentence: 'The keychain does not give the secret out.', action: { label: 'Show', to: '/settings' } }
    case 'revoked':
      return { sentence: 'The key was revoked. It works never again.', action: { label: 'New key', to: '/keys/new' } }
    case 'missing_or_revoked':
      return {
        sentence: 'The service does not know this secret: it was rotated or revoked elsewhere.',
        action: { label: 'Give it a fresh secret', to: `/keys/${keyId}/rotate` },
      }
    case 'expired':
      return { sentence: 'The key has expired.', action: { label: 'Extend', to: `/keys/${keyId}/extend` } }
    case 'service_down':
      return { sentence: 'The service does not answer. That says nothing about the key.', action: null }
    case 'clock_skew':
      return {
        sentence: 'This computer’s clock and the service’s are apart. Deadlines and signatures of other programs here will be off.',
        action: null,
      }
    case 'ip_not_allowed':
      return {
        sentence: 'The key is good, but not from this address: its allowlist does not name it.',
        action: { label: 'Show the allowlist', to: `/keys/${keyId}` },
      }
    case 'other_wallet':
      return { sentence: 'The key belongs to another wallet.', action: null }
    case 'scope_missing':
      return { sentence: 'The service refuses a scope that the key’s list names.', action: { label: 'New key', to: '/keys/new' } }
    case 'executor_not_bound':
      return {
        sentence: 'The key works. Delegated execution does not: no executor is bound to it.',
        action: { label: 'Bind an executor', to: `/keys/${keyId}/executor` },
      }
    case 'agent_not_granted':
      return {
        sentence: 'The key works. Its trading agent does not: its grant is missing or over.',
        action: { label: 'Sign the grant', to: `/keys/${keyId}/grant` },
      }
    case 'rate_limited':
      return { sentence: 'The key’s own rate limit is used up. Wait a moment and examine it again.', action: null }
    case 'unclear':
      return { sentence: 'Something keeps the key from working, and the answers do not say what.', action: null }
  }
}
