import { formatDecimal } from '../decimal.ts'
import type { Notice } from '../ipc/contract.ts'
import { durationText } from '../signing/wording.ts'
import { expiryStops, expiryTitle } from './expiry-text.ts'
import { intentEndText } from './intent-text.ts'

interface NoticeText {
  readonly title: string
  readonly text: string
}

const of = (account: string | null): string => (account === null ? '' : `${account}: `)

/** What a notice says. The system shows it too, while no window may be open. */
export function noticeText(notice: Notice): NoticeText {
  switch (notice.code) {
    case 'intent':
      return { title: notice.title, text: intentEndText(notice) }
    case 'secrets_found':
      return {
        title:
          notice.count === 1 ? `The secret of ${notice.label} was found in the keychain` : `The secrets of ${notice.count} keys were found in the keychain`,
        text: 'This computer had lost its note of it, and uses it again.',
      }
    case 'secret_not_stored':
      return {
        title: `The keychain did not take the secret of ${notice.label}`,
        text: 'It is kept in memory until the app quits. Copy it or store it again.',
      }
    case 'sign_in_ended':
      return {
        title: 'Your sign-in has ended',
        text: notice.refused
          ? 'The service does not take it any more. Trading continues without it.'
          : 'Its four hours are over. Trading continues without it.',
      }
    case 'wrong_passphrases':
      return { title: 'Wrong passphrases were given', text: `${notice.times} times in a row, before it was unlocked.` }
    case 'webhook_not_recreated':
      return { title: 'The webhook was disabled and not created again', text: `Create it again for ${notice.label}.` }
    case 'receiver_test_broke':
      return { title: 'The receiver test broke off', text: 'Something in Svc Desk went wrong. Its log says more.' }
    case 'end': {
      const { item, leftMs } = notice
      return { title: leftMs <= 0 ? `${expiryTitle(item)} has ended` : `${expiryTitle(item)} ends in ${durationText(leftMs)}`, text: expiryStops[item.kind] }
    }
    case 'ends': {
      const { count, allOver, items } = notice
      return {
        title: allOver ? `${count} keys and grants have ended` : `${count} keys and grants end soon`,
        text: `${items.map(expiryTitle).join('; ')}${count > items.length ? `; and ${count - items.length} more` : ''}.`,
      }
    }
    case 'low_health':
      return {
        title: `${of(notice.account)}Health factor ${formatDecimal(notice.value, { decimals: 2 })}`,
        text: `It is below your ${formatDecimal(notice.threshold)}. Add collateral, or make positions smaller.`,
      }
    case 'near_liquidation': {
      const { account, position, distance, mark, liquidation, threshold } = notice
      const name = `${position.symbol ?? `Market ${position.pairId}`} ${position.side}`
      return {
        title: `${of(account)}${name} is ${formatDecimal(distance, { decimals: 1 })} % from liquidation`,
        text: `Mark ${formatDecimal(mark)}, liquidation ${formatDecimal(liquidation)}. Your threshold is ${formatDecimal(threshold)} %.`,
      }
    }
    case 'command_needs_sign_in':
      return { title: 'A command needs your sign-in', text: notice.said }
    case 'restarted':
      return {
        title: 'Svc Desk restarted after an error',
        text: `${notice.isOpen ? 'It checked your orders and keys against the journal. Anything that needs you is in Overview.' : 'Open your profile to check its orders and keys against the journal.'} The log has the error under ${notice.reference}.`,
      }
    case 'page_reloaded':
      return { title: 'The window reloaded after an error', text: 'Orders and keys were not affected. Anything that needs you is in Overview.' }
  }
}

/** A locked app says of whom, but not what. */
export const lockedNotice: NoticeText = { title: 'An account needs you', text: 'Unlock Svc Desk to see what happened.' }
