import { formatDecimal } from '../../shared/decimal.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'

interface Words {
  readonly title: string
  readonly meaning: string
  readonly remedy: string
}

const words = (title: string, meaning: string, remedy: string): Words => ({ title, meaning, remedy })

/** Codes of the network layer, as sentences. */
const reachCodes: readonly (readonly [RegExp, string])[] = [
  [/\bENOTFOUND\b/, 'There is no host of that name.'],
  [/\bEAI_AGAIN\b/, 'The name could not be looked up.'],
  [/\bECONNREFUSED\b/, 'The host refuses the connection.'],
  [/\b(ECONNRESET|UND_ERR_SOCKET)\b/, 'The host broke the connection off.'],
  [/\b(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)\b/, 'The host did not answer in time.'],
  [/\b(ENETUNREACH|EHOSTUNREACH|ENETDOWN)\b/, 'This computer has no way to it.'],
]

function reachText(detail: string | null): string {
  if (detail === null) return 'The host could not be found, or it does not answer.'
  return reachCodes.find(([code]) => code.test(detail))?.[1] ?? (/[.!?]$/.test(detail) ? detail : `${detail}.`)
}

/** Why an address was not taken as that of an exchange. */
export function hostText(issue: Extract<Failure, { kind: 'host_refused' }>['issue'], detail: string | null): Words {
  switch (issue) {
    case 'not_a_url':
      return words('This is not an address', 'It has to look like https://dex.example.', 'Correct it and check again.')
    case 'needs_https':
      return words(
        'The address has to begin with https://',
        'Over plain http others could read and change what is sent. Only this computer itself may be reached that way.',
        'Put https:// before it.',
      )
    case 'has_credentials':
      return words(
        'The address holds a name or a password',
        'Those do not belong there and would be sent along everywhere.',
        'Leave out what stands before the @.',
      )
    case 'has_path':
      return words('Only the host, please', 'The address goes on after the host; the app adds the paths itself.', 'Cut it after the host name or the port.')
    case 'unreachable':
      return words('Nothing answers there', reachText(detail), 'Check the spelling and your network.')
    case 'tls':
      return words(
        'Its certificate is not valid',
        'So it cannot be known who answers there. Nothing was sent.',
        'Check the spelling. If it is right, ask the exchange.',
      )
    case 'answers_html':
      return words('A website answers there, not the exchange’s API', 'It sent a page for people.', 'Look for the API host in the exchange’s documentation.')
    case 'redirects':
      return words(
        'It points to another address',
        detail === null ? 'The app does not follow, since keys would go along.' : `It points to ${detail}. The app does not follow, since keys would go along.`,
        'Enter the final address if you trust it.',
      )
    case 'not_the_service':
      return words('Something else answers there', 'It does not answer the way this exchange does.', 'Look for the API host in the exchange’s documentation.')
    case 'duplicate':
      return words(
        'This exchange is already there',
        detail === null ? 'A profile for this host exists.' : `The profile ${detail} is for this host.`,
        'Choose it in the profile menu.',
      )
    default:
      return unreachable(issue)
  }
}

export function practiceText(part: Extract<Failure, { kind: 'practice_failed' }>['part']): string {
  switch (part) {
    case 'chain':
      return 'Its local chain did not come up.'
    case 'exchange':
      return 'Its local exchange did not come up.'
    case 'relay':
      return 'Its wallet relay did not come up.'
    case 'wallet':
      return 'Its phone wallet did not come up.'
    case 'process':
      return 'Its process stopped. Nothing that you practised is lost.'
    default:
      return unreachable(part)
  }
}

/** Why an answer of the service could not be had or read. Only said of requests that changed nothing. */
export function exchangeText(reason: Extract<Failure, { kind: 'unreachable' }>['reason'], status: number | null): Words {
  const answer = status === null ? 'It answered' : `It answered ${status}`
  switch (reason) {
    case 'connect':
      return words(
        'The service cannot be reached',
        'No connection came about. Your positions and orders are not affected.',
        'Check your network and try again.',
      )
    case 'tls':
      return words(
        'The service’s certificate is not valid',
        'It cannot be known who answers there, so nothing was sent.',
        'Check your network. If it stays, ask the exchange.',
      )
    case 'timeout':
      return words('The service did not answer in time', 'It may be busy. Your positions and orders are not affected.', 'Try again in a moment.')
    case 'reset':
      return words('The connection broke', 'The answer did not arrive whole. Your positions and orders are not affected.', 'Try again.')
    case 'redirect':
      return words(
        'The service points to another address',
        'The app does not follow, since keys would go along.',
        'If the exchange has moved, add the new host as a profile.',
      )
    case 'html':
      return words(
        'A web page came instead of an answer',
        `${answer} with a page for people, often a sign of maintenance or of a network log-in.`,
        'Check your network and try again.',
      )
    case 'malformed':
      return words('The answer cannot be read', `${answer}, but not in the form that this app knows.`, 'Try again. If it stays, the app needs an update.')
    case 'too_large':
      return words('The answer is too large', 'It was cut off at 8 MiB and not used.', 'Ask for less, or report it to the exchange.')
    case 'server_error':
      return words('The service has trouble', `${answer}. Your positions and orders are not affected.`, 'Try again in a moment.')
    case 'closing':
      return words('The app is about to close', 'Nothing more is sent.', 'Start it again.')
    default:
      return unreachable(reason)
  }
}

export function keychainText(code: Extract<Failure, { kind: 'keychain' }>['code']): Words {
  switch (code) {
    case 'unavailable':
      return words(
        'There is no system keychain',
        'Secrets are kept nowhere else, so no call that yields one is made without it.',
        'On Linux, install and start gnome-keyring or KWallet, then try again.',
      )
    case 'locked':
      return words('The system keychain is locked', 'Secrets cannot be read or kept until it is open.', 'Unlock it and try again.')
    case 'timeout':
      return words('The system keychain does not answer', 'An unlock prompt may be waiting behind a window.', 'Answer the prompt and try again.')
    case 'invalid':
      return words(
        'The system keychain gave something else back',
        'What was read is not what was written, so it is not used.',
        'Try again. If it stays, check the keychain for damage.',
      )
    case 'failed':
      return words('The system keychain failed', 'No call that yields a secret is made without it.', 'Try again, or restart the keychain.')
    default:
      return unreachable(code)
  }
}

/** Why nothing can be written down. */
export function journalText(issue: Extract<Failure, { kind: 'journal' }>['issue']): Words {
  switch (issue) {
    case 'disk_full':
      return words(
        'The disk is full',
        'Nothing can be written down, so nothing new is sent. Closing, cancelling and revoking still work.',
        'Free some space and try again.',
      )
    case 'corrupt':
      return words(
        'The journal is damaged',
        'It was set aside, not deleted. New orders wait; closing, cancelling and revoking still work.',
        'Start the app again to rebuild it from the service.',
      )
    case 'taken':
      return words(
        'Another copy of Svc Desk is using these files',
        'Only one copy may write the journal. Close, cancel and revoke in that one.',
        'Close the other copy, then start this one again.',
      )
    case 'newer':
      return words(
        'A newer version of Svc Desk wrote the journal',
        'This version leaves it as it is, and sends nothing new. Closing, cancelling and revoking still work.',
        'Start the newer version again.',
      )
    case 'read_only':
      return words(
        'The journal cannot be written',
        'The app may not write its own files, so nothing new is sent. Closing, cancelling and revoking still work.',
        'Allow writing to the app’s folder, then start the app again.',
      )
    default:
      return unreachable(issue)
  }
}

/** Which of the user's own rails held an order back. */
export function railText({ rail, limit, asked }: Extract<Failure, { kind: 'guard_rail' }>): Words {
  const change = 'Make it smaller, or change the rail under Settings, Guard rails.'
  switch (rail) {
    case 'order_value':
      return asked === null
        ? words(
            'The size of this order is not known',
            `Your rail allows ${usdc(limit)} an order. Nothing was sent.`,
            'Try again once the position or order is shown.',
          )
        : words('The order is larger than you allow', `It is ${usdc(asked)}; your rail is ${usdc(limit)} an order. Nothing was sent.`, change)
    case 'leverage':
      return asked === null
        ? words('The leverage of this order is not known', `Your rail allows ${limit}×. Nothing was sent.`, 'Try again once the position is shown.')
        : words('The leverage is higher than you allow', `It is ${asked}×; your rail is ${limit}×. Nothing was sent.`, change)
    case 'daily_loss':
      return asked === null
        ? words(
            'Today’s loss cannot be read',
            `Your rail stops new risk at ${usdc(limit)} a day, and nobody can tell whether that is reached. Closing and cancelling still work.`,
            'Try again in a moment, or remove that rail under Settings, Guard rails.',
          )
        : words(
            'Today’s loss has reached your rail',
            `You lost ${usdc(asked)} since midnight UTC; your rail is ${usdc(limit)} a day. Closing and cancelling still work.`,
            'Go on tomorrow, or change the rail under Settings, Guard rails.',
          )
    case 'market':
      return words(
        'You do not allow this market',
        `${asked ?? 'The market of this order'} is not among ${limit === '' ? 'yours: there is none' : `yours: ${limit}`}. Nothing was sent.`,
        'Add it under Settings, Guard rails.',
      )
    default:
      return unreachable(rail)
  }
}

const usdc = (amount: string): string => `${formatDecimal(amount)} USDC`

const parsingWords: Readonly<Record<Extract<Failure, { kind: 'parsing' }>['issue'], string>> = {
  too_slow: 'Reading it took too long, so the app stopped.',
  too_much_memory: 'Reading it took too much memory, so the app stopped.',
  broken: 'Reading it failed in a way that should not happen. Nothing of it was used.',
  stopped: 'Reading it was stopped. Nothing of it was used.',
}
export const parsingText = (issue: keyof typeof parsingWords): string => parsingWords[issue]

/** What kept a file that the user chose from being read or written. */
export function fileText(issue: Extract<Failure, { kind: 'file' }>['issue'], path: string): Words {
  const name = path.split(/[\\/]/).at(-1) ?? path
  switch (issue) {
    case 'missing':
      return words('The folder is not there', `${path} cannot be reached, so nothing was written.`, 'Choose another place.')
    case 'not_allowed':
      return words('This computer does not allow it', `${path} may not be read or written by you. Nothing was changed.`, 'Choose another place.')
    case 'disk_full':
      return words('The disk is full', `${name} was not written; what stood there is as it was.`, 'Free some space and try again.')
    case 'not_a_file':
      return words('This is not a file', `${path} is a folder or a device. Nothing was changed.`, 'Choose another name.')
    case 'not_text':
      return words('This is not a text file', `${name} holds something else, so nothing was added to it.`, 'Choose another file.')
    case 'too_large':
      return words('The file is too large', `${name} is larger than such a file can be. Nothing was changed.`, 'Choose another file.')
    case 'changed':
      return words('The file changed meanwhile', `Another program wrote ${name} while it was being read. Nothing was changed.`, 'Try again.')
    case 'failed':
      return words('The file could not be used', `Reading or writing ${path} failed. Nothing was changed.`, 'Try again, or choose another place.')
    default:
      return unreachable(issue)
  }
}

export function confirmationTitle(what: Extract<Failure, { kind: 'confirmation_required' }>['what']): string {
  switch (what) {
    case 'layout':
      return 'This form of message is new'
    case 'router':
      return 'This contract is new'
    case 'challenge_layout':
      return 'This form of sign-in is new'
    case 'transaction':
      return 'This transaction needs your word'
    default:
      return unreachable(what)
  }
}

export function expiredWord(what: Extract<Failure, { kind: 'expired' }>['what']): string {
  switch (what) {
    case 'challenge':
      return 'The sign-in text'
    case 'grant':
      return 'The grant'
    case 'intent':
      return 'The order'
    case 'signature':
      return 'The signature'
    case 'request':
      return 'The request'
    default:
      return unreachable(what)
  }
}

/** `missing`: dotted names; empty where nothing of the answer could be read. */
export const missingText = (missing: readonly string[]): string => {
  const named = missing.filter((name) => name !== '')
  return named.length === 0 ? 'its answer is not what the document shows' : `its answer does not give ${named.slice(0, 4).join(', ')}`
}

/** What a lost answer means and what to do, by the route: prepare and execute are repeated under one key, the relay never is (Idempotency rules 3, 6). */
export function lostAnswerText(route: string | null): readonly [meaning: string, remedy: string] {
  if (route?.endsWith('/orders/prepare') === true)
    return [
      'The app asked up to three times under the same idempotency key. The order may be prepared, but nothing was signed, so nothing can be executed.',
      'Review the order again.',
    ]
  if (route?.endsWith('/orders/execute') === true)
    return [
      'The app sent it up to three times under the same idempotency key, so it is carried out at most once. Whether it was is not known.',
      'Wait: the app looks it up. Activity shows what it finds.',
    ]
  if (route?.endsWith('/actions/relay') === true)
    return [
      'The app sent your signature once and does not repeat it. Whether the relay took it is not known.',
      'Wait: the app looks it up. Activity shows what it finds.',
    ]
  return ['The request left this computer. Whether the service carried it out is not known.', 'Wait: the app looks it up. Activity shows what it finds.']
}
