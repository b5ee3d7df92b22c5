import { type AmountFormat, formatDecimal } from '../decimal.ts'
import type { Notice } from '../ipc/host/notices.ts'
import { timeLeftText } from '../signing/wording.ts'
import { catalogue, plural } from './catalogue.ts'
import { expiryStops, expiryTitle, expiryWords } from './expiry-text.ts'
import { intentEndText } from './intent-text.ts'
import { titleText } from './title-text.ts'

export const noticeWords = catalogue('notices', {
  secret_found: (label: string) => `Found the secret of ${label} in the keychain`,
  secrets_found: (count: number) =>
    plural(count, { one: `Found the secret of ${count} key in the keychain`, other: `Found the secrets of ${count} keys in the keychain` }),
  secrets_found_text: 'This computer had lost its record of the secrets and uses them again.',
  secret_not_stored: (label: string) => `The keychain did not store the secret of ${label}`,
  secret_not_stored_text: 'The secret stays in memory until the app quits. Copy it or store it again.',
  sign_in_ended: 'Your sign-in has ended',
  sign_in_refused_text: 'The service no longer accepts your sign-in. Trading continues without it.',
  sign_in_over_text: 'The four hours of your sign-in are over. Trading continues without it.',
  wrong_passphrases: 'Wrong passphrases were entered',
  wrong_passphrases_text: (times: number) =>
    plural(times, { one: `${times} wrong attempt before the app was unlocked.`, other: `${times} wrong attempts in a row before the app was unlocked.` }),
  webhook_not_recreated: 'The webhook was disabled but not created again',
  webhook_not_recreated_text: (label: string) => `Create the webhook for ${label} again.`,
  receiver_test_broke: 'The receiver test failed',
  receiver_test_broke_text: 'Something went wrong in Svc Desk. Its log has the details.',
  webhook_failing_disabled: 'A webhook was disabled',
  webhook_failing_disabled_text: (url: string) => `${url} receives no more events.`,
  webhook_failing_deliveries: 'Your receiver did not accept an event',
  webhook_failing_deliveries_text: (url: string) => `The receiver lab shows the deliveries for ${url}.`,
  service_down_no_response: 'The exchange did not respond',
  service_down_errors: 'The exchange responded with errors',
  service_down_text: 'Figures were out of date. The app retried automatically.',
  service_changed: 'The service has changed',
  service_changed_text: 'New orders wait until you agree. Closing and cancelling still work.',
  ends_over: (count: number) => plural(count, { one: `${count} key or grant has expired`, other: `${count} keys and grants have expired` }),
  ends_soon: (count: number) => plural(count, { one: `${count} key or grant expires soon`, other: `${count} keys and grants expire soon` }),
  ends_listed: (names: string) => `${names}.`,
  ends_listed_more: (names: string, more: number) => `${names}; and ${more} more.`,
  low_health: (value: string) => `Health factor ${value}`,
  low_health_of: (account: string, value: string) => `${account}: Health factor ${value}`,
  low_health_text: (threshold: string) => `The health factor is below your threshold of ${threshold}. Add collateral or reduce positions.`,
  market_without_name: (id: number) => `Market ${id}`,
  near_liquidation: (market: string, side: string, distance: string) => `${market} ${side} is ${distance} % from liquidation`,
  near_liquidation_of: (account: string, market: string, side: string, distance: string) => `${account}: ${market} ${side} is ${distance} % from liquidation`,
  near_liquidation_text: (mark: string, liquidation: string, threshold: string) =>
    `Mark ${mark}, liquidation ${liquidation}. Your threshold is ${threshold} %.`,
  command_needs_sign_in: 'A command needs your sign-in',
  command_needs_sign_in_text: 'Sign in with your wallet, then run the command again.',
  command_needs_wallet_text: (wallet: string) => `Connect ${wallet}, which owns the key, and sign in. Then run the command again.`,
  command_needs_profile_text: (profile: string) => `Open ${profile} and sign in with your wallet. Then run the command again.`,
  restarted: 'Svc Desk restarted after an error',
  restarted_open: (reference: string) =>
    `The app checked your orders and keys against the journal. Anything that needs you is in Overview. The log has the error under ${reference}.`,
  restarted_closed: (reference: string) => `Open your profile to check its orders and keys against the journal. The log has the error under ${reference}.`,
  page_reloaded: 'The window reloaded after an error',
  page_reloaded_text: 'Orders and keys were not affected. Anything that needs you is in Overview.',
  update_available: (version: string) => `Svc Desk ${version} is available`,
  update_available_text: 'Download it under Settings → Updates when you have a moment.',
  project_id_saved: 'Project ID saved',
  project_id_saved_text: 'Your next connection will use the new ID.',
  project_id_saved_connected_text: 'The connected wallet keeps the earlier ID. Connections use the new ID after you restart the app.',
  locked: 'An account needs you',
  locked_text: 'Unlock Svc Desk to see what happened.',
})

interface NoticeText {
  readonly title: string
  readonly text: string
}

/** Returns the text of a notice, for windows and for system notifications. */
export function noticeText(notice: Notice, amount: AmountFormat = formatDecimal): NoticeText {
  switch (notice.code) {
    case 'intent':
      return { title: titleText(notice.title, amount), text: intentEndText(notice, amount) }
    case 'secrets_found':
      return {
        title: notice.count === 1 ? noticeWords.secret_found(notice.label) : noticeWords.secrets_found(notice.count),
        text: noticeWords.secrets_found_text,
      }
    case 'secret_not_stored':
      return { title: noticeWords.secret_not_stored(notice.label), text: noticeWords.secret_not_stored_text }
    case 'sign_in_ended':
      return { title: noticeWords.sign_in_ended, text: notice.refused ? noticeWords.sign_in_refused_text : noticeWords.sign_in_over_text }
    case 'wrong_passphrases':
      return { title: noticeWords.wrong_passphrases, text: noticeWords.wrong_passphrases_text(notice.times) }
    case 'webhook_not_recreated':
      return { title: noticeWords.webhook_not_recreated, text: noticeWords.webhook_not_recreated_text(notice.label) }
    case 'webhook_failing':
      return { title: noticeWords[`webhook_failing_${notice.why}`], text: noticeWords[`webhook_failing_${notice.why}_text`](notice.label) }
    case 'service_down':
      return { title: noticeWords[`service_down_${notice.how}`], text: noticeWords.service_down_text }
    case 'end': {
      const { item, leftMs } = notice
      const what = expiryTitle(item)
      return { title: leftMs <= 0 ? expiryWords.ended(what) : expiryWords.ends_in(what, timeLeftText(leftMs)), text: expiryStops(item.kind) }
    }
    case 'ends': {
      const { count, allOver, items } = notice
      const names = items.map(expiryTitle).join('; ')
      return {
        title: allOver ? noticeWords.ends_over(count) : noticeWords.ends_soon(count),
        text: count > items.length ? noticeWords.ends_listed_more(names, count - items.length) : noticeWords.ends_listed(names),
      }
    }
    case 'low_health': {
      const value = formatDecimal(notice.value, { decimals: 2 })
      return {
        title: notice.account === null ? noticeWords.low_health(value) : noticeWords.low_health_of(notice.account, value),
        text: noticeWords.low_health_text(formatDecimal(notice.threshold)),
      }
    }
    case 'near_liquidation': {
      const { account, position, mark, liquidation, threshold } = notice
      const market = position.symbol ?? noticeWords.market_without_name(position.pairId)
      const distance = formatDecimal(notice.distance, { decimals: 1 })
      return {
        title:
          account === null
            ? noticeWords.near_liquidation(market, position.side, distance)
            : noticeWords.near_liquidation_of(account, market, position.side, distance),
        text: noticeWords.near_liquidation_text(formatDecimal(mark), formatDecimal(liquidation), formatDecimal(threshold)),
      }
    }
    case 'command_needs_sign_in':
      return { title: noticeWords.command_needs_sign_in, text: commandText(notice) }
    case 'restarted':
      return { title: noticeWords.restarted, text: noticeWords[notice.isOpen ? 'restarted_open' : 'restarted_closed'](notice.reference) }
    case 'service_changed':
    case 'receiver_test_broke':
    case 'page_reloaded':
      return { title: noticeWords[notice.code], text: noticeWords[`${notice.code}_text`] }
    case 'update_available':
      return { title: noticeWords.update_available(notice.version), text: noticeWords.update_available_text }
    case 'project_id_saved':
      return { title: noticeWords.project_id_saved, text: noticeWords[notice.connected ? 'project_id_saved_connected_text' : 'project_id_saved_text'] }
  }
}

function commandText({ wallet, profile }: Extract<Notice, { code: 'command_needs_sign_in' }>): string {
  if (wallet !== null) return noticeWords.command_needs_wallet_text(wallet)
  return profile === null ? noticeWords.command_needs_sign_in_text : noticeWords.command_needs_profile_text(profile)
}

/** Returns the notice to show while the app is locked. It asks the user to look, but does not reveal what happened. */
export const lockedNotice = (): NoticeText => ({ title: noticeWords.locked, text: noticeWords.locked_text })
