import type { Failure, NotFoundThing } from '../../shared/ipc/failure.ts'
import { unreachable } from '../../shared/result.ts'
import { inputIssueText } from '../../shared/text/input-issue-text.ts'
import { knownReason, reasonText } from '../../shared/text/reason-text.ts'
import { challengeProblemText } from '../../shared/text/signing-text.ts'
import type { IconName } from '../kit/icons/icon-shapes.tsx'
import { stateWord } from '../kit/layout/state.tsx'
import { durationText, exactTime, zonedTime } from '../kit/time/time.tsx'
import { statesText } from './en/states.en.tsx'
import {
  confirmationTitle,
  exchangeText,
  expiredTitle,
  fileText,
  hostText,
  journalText,
  keychainText,
  limitText,
  lostAnswerText,
  missingFields,
  parsingText,
  practiceText,
} from './failure-text-parts.ts'
import { mapIssueText } from './field-map-text.ts'

export interface FailureText {
  readonly tone: 'warn' | 'danger'
  readonly icon: IconName
  /** The first part of the failure's text: what happened. */
  readonly title: string
  /** The second part of the failure's text: what the failure means for the user. */
  readonly meaning: string
  /** The last part of the failure's text: what the user can do. */
  readonly remedy: string
  /** The service's own error message, which the app shows as a quotation. */
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

/** The text for a failure: what happened, what it means, what to do. */
export function failureText(failure: Failure): FailureText {
  switch (failure.kind) {
    case 'internal':
      return danger('stop', statesText.internal, statesText.internalMeaning, statesText.internalRemedy)
    case 'bad_input':
      return warn(
        'warn',
        failure.field === null ? statesText.badInput : statesText.badInputField(failure.field),
        sentence(inputIssueText(failure.issue)),
        statesText.badInputRemedy,
      )
    case 'not_found':
      return warn('search', notFound[failure.what], statesText.notFoundMeaning, statesText.notFoundRemedy)
    case 'field_map':
      return warn('file', statesText.fieldMapRefused, failure.issues.slice(0, 3).map(mapIssueText).join(' '), statesText.badInputRemedy)
    case 'no_profile':
      return warn('server', statesText.noProfile, statesText.noProfileMeaning, statesText.noProfileRemedy)
    case 'host_refused': {
      const text = hostText(failure.issue, failure.detail)
      return warn('server', text.title, text.meaning, text.remedy)
    }
    case 'practice_unavailable':
      return danger(
        'flask',
        statesText.practiceUnavailable,
        failure.why === 'no_glibc' ? statesText.practiceNoGlibc : statesText.practiceNoChain(failure.system),
        failure.why === 'anvil_missing' && failure.npmPackage !== null ? statesText.practiceInstallChain(failure.npmPackage) : statesText.practiceOtherComputer,
      )
    case 'practice_failed':
      return danger('flask', statesText.practiceFailed, practiceText(failure.part), statesText.practiceFailedRemedy(practiceCause(failure.detail)))
    case 'sign_in_required':
      return warn('user', statesText.signInRequired, statesText.signInRequiredMeaning, statesText.signInRequiredRemedy)
    case 'api_key_required':
      return warn(
        'nokey',
        statesText.apiKeyRequired,
        failure.scope === null ? statesText.apiKeyRequiredMeaning : statesText.apiKeyScopeMeaning(failure.scope),
        statesText.apiKeyRequiredRemedy,
      )
    case 'scope_missing':
      return warn('nokey', statesText.scopeMissing(failure.keyLabel), statesText.scopeMissingMeaning(failure.scope), statesText.scopeMissingRemedy)
    case 'ip_not_allowed':
      return warn(
        'globe',
        statesText.ipNotAllowed,
        statesText.ipNotAllowedMeaning(failure.keyLabel, failure.allowlist.length === 0 ? null : failure.allowlist.join(', '), failure.seenAs),
        statesText.ipNotAllowedRemedy,
      )
    case 'executor_required':
      return warn('chip', statesText.executorRequired(failure.keyLabel), statesText.executorRequiredMeaning, statesText.executorRequiredRemedy)
    case 'wrong_credential':
      return danger('shield-x', statesText.wrongCredential, statesText.wrongCredentialMeaning(failure.route), statesText.wrongCredentialRemedy)
    case 'refused':
      return danger(
        'stop',
        failure.status >= 500 ? statesText.serviceFailed : statesText.serviceRefused,
        [failure.code === null ? null : knownReason(failure.code), statesText.serviceRefusedMeaning(failure.status, failure.code)]
          .filter((part) => part !== null)
          .join(' '),
        refusedRemedy(failure),
        failure.message,
      )
    case 'executor_differs':
      return danger('chip', statesText.executorDiffers, statesText.executorDiffersMeaning(failure.bound, failure.sent), statesText.executorDiffersRemedy)
    case 'rate_limited':
      return warn(
        'hourglass',
        statesText.rateLimited,
        statesText.rateLimitedMeaning,
        failure.retryAfterMs === null ? statesText.rateLimitedRemedy : statesText.tryAgainIn(durationText(Math.max(failure.retryAfterMs, 1_000))),
      )
    case 'body_too_large':
      return warn('file', statesText.bodyTooLarge, statesText.bodyTooLargeMeaning(failure.bytes, failure.limit), statesText.bodyTooLargeRemedy)
    case 'unreachable': {
      const text = exchangeText(failure.reason, failure.status)
      return danger('relay', text.title, text.meaning, text.remedy)
    }
    case 'outcome_unknown':
      return warn('unknown', statesText.responseLost, ...lostAnswerText(failure.route))
    case 'unreadable':
      return warn(
        'unknown',
        statesText.unreadable,
        failure.route === 'POST /orders/prepare'
          ? statesText.prepareUnreadable(missingFields(failure.missing))
          : statesText.changeUnreadable(failure.status, missingFields(failure.missing)),
        failure.route === 'POST /orders/prepare' ? statesText.prepareUnreadableRemedy : statesText.changeUnreadableRemedy,
        failure.raw,
      )
    case 'price_deviation':
      return warn('activity', statesText.priceMoved, statesText.priceMovedMeaning, statesText.priceMovedRemedy)
    case 'market_data_stale':
      return warn('clock', statesText.priceStale, statesText.priceStaleMeaning, statesText.priceStaleRemedy)
    case 'idempotency_conflict':
      return warn(
        'copy',
        failure.code === 'DUPLICATE_CLIENT_ORDER_ID' ? statesText.duplicateOrder : statesText.duplicateRequest,
        statesText.duplicateMeaning,
        statesText.duplicateRemedy,
      )
    case 'locked':
      return warn('lock', statesText.appLocked, statesText.nothingDone, statesText.appLockedRemedy)
    case 'gesture_required':
      return warn('lock', statesText.gestureRequired, statesText.gestureRequiredMeaning, statesText.gestureRequiredRemedy)
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
      return warn('file', statesText.notRead, parsingText(failure.issue), statesText.notReadRemedy)
    case 'held_back':
      if (failure.why === 'drift') return warn('warn', statesText.ordersNeedConsent, statesText.ordersNeedConsentMeaning, statesText.ordersNeedConsentRemedy)
      if (failure.why === 'state_away') return warn('doc', statesText.stateAway, statesText.stateAwayMeaning, statesText.stateAwayRemedy)
      return failure.why === 'journal_rebuilt'
        ? warn('doc', statesText.ordersHeldBack, statesText.ordersHeldBackMeaning, statesText.ordersHeldBackRemedy)
        : failure.why === 'rails_lost'
          ? warn('shield', statesText.limitsLost, statesText.limitsLostMeaning, statesText.limitsLostRemedy)
          : failure.why === 'unknown_intent_old'
            ? warn('unknown', statesText.orderUnknown, statesText.orderUnknownOldMeaning, statesText.orderUnknownOldRemedy)
            : warn('unknown', statesText.orderUnknown, statesText.orderUnknownMeaning, statesText.orderUnknownRemedy)
    case 'guard_rail': {
      const text = limitText(failure)
      return warn('shield', text.title, text.meaning, text.remedy)
    }
    case 'no_wallet':
      return warn('account', statesText.noWallet, statesText.noWalletMeaning, statesText.noWalletRemedy)
    case 'wrong_chain':
      return warn('swap', statesText.wrongChain, statesText.wrongChainMeaning(failure.chainId, failure.expected), statesText.wrongChainRemedy)
    case 'rpc_wrong_chain':
      return danger('relay', statesText.rpcWrongChain, statesText.rpcWrongChainMeaning(failure.chainId, failure.expected), statesText.rpcWrongChainRemedy)
    case 'wrong_wallet':
      return warn('account', statesText.wrongWallet, statesText.wrongWalletMeaning(failure.expected, failure.wallet), statesText.wrongWalletRemedy)
    case 'signing_refused':
      return danger('shield-x', statesText.notSent, reasonText(failure.why), statesText.notSentRemedy)
    case 'challenge_refused':
      return danger('shield-x', statesText.notSent, challengeProblemText(failure.problem), statesText.notSentRemedy)
    case 'confirmation_required':
      return warn('shield', confirmationTitle(failure.what), statesText.confirmationMeaning, statesText.confirmationRemedy(failure.expected))
    case 'signature_invalid':
      return danger(
        'shield-x',
        statesText.signatureInvalid,
        failure.recovered === null
          ? statesText.signatureInvalidMeaning(failure.expected)
          : statesText.signatureOfOtherMeaning(failure.recovered, failure.expected),
        statesText.signatureInvalidRemedy,
      )
    case 'expired':
      return warn('hourglass', expiredTitle(failure.what), statesText.expiredMeaning(zonedTime(failure.atMs)), statesText.expiredRemedy)
    case 'not_executable':
      if (failure.status === 'no_gas') return danger('stop', statesText.notExecutable, statesText.noGasMeaning, statesText.noGasRemedy)
      return danger('stop', statesText.notExecutable, statesText.notExecutableMeaning(failure.status), statesText.notExecutableRemedy, failure.reason)
    case 'too_early':
      return warn('clock', statesText.tooEarly, statesText.tooEarlyMeaning, statesText.tooEarlyRemedy(exactTime(failure.fromMs)))
    case 'contradicted':
      return warn(
        'unknown',
        statesText.contradicted,
        failure.by === 'trade' ? statesText.contradictedByTrade : statesText.contradictedByOrder,
        statesText.contradictedRemedy,
      )
    case 'wrong_state':
      return Object.hasOwn(needs, failure.wanted)
        ? warn('clock', statesText.wrongState, needs[failure.wanted] ?? '', statesText.needsRemedy)
        : warn('clock', statesText.wrongState, statesText.wrongStateMeaning(stateWord(failure.state), stateWord(failure.wanted)), statesText.wrongStateRemedy)
    default:
      return unreachable(failure)
  }
}

/** Returns the id to quote to support: the service's request id, or a reference in this app's own log. */
export function failureReference(failure: Failure): { readonly label: string; readonly id: string } | null {
  if (failure.kind === 'internal') return { label: statesText.referenceLabel, id: failure.reference }
  if ('requestId' in failure && failure.requestId !== null) return { label: statesText.requestLabel, id: failure.requestId }
  return null
}

const sentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`)

function refusedRemedy({ status, code }: Extract<Failure, { kind: 'refused' }>): string {
  if (status === 401) return statesText.refusedCredential
  if (status === 403) return statesText.refusedRights
  if (status === 404) return statesText.refusedMissing
  if (code?.endsWith('_LIMIT_REACHED')) return statesText.refusedNoRoom
  if (status === 409) return statesText.refusedConflict
  if (status >= 500) return statesText.refusedByFault
  return statesText.refusedInput
}

const notFound: Readonly<Record<NotFoundThing, string>> = {
  audit: statesText.auditNotFound,
  bot: statesText.botNotFound,
  'bulk action': statesText.bulkActionNotFound,
  call: statesText.callNotFound,
  challenge: statesText.challengeNotFound,
  change: statesText.changeNotFound,
  check: statesText.checkNotFound,
  delivery: statesText.deliveryNotFound,
  draft: statesText.draftNotFound,
  field: statesText.fieldNotFound,
  file: statesText.fileNotFound,
  folder: statesText.folderNotFound,
  grant: statesText.grantNotFound,
  import: statesText.importNotFound,
  intent: statesText.orderNotFound,
  key: statesText.keyNotFound,
  'kill switch': statesText.killSwitchNotFound,
  market: statesText.marketNotFound,
  'open order': statesText.openOrderNotFound,
  'open position': statesText.openPositionNotFound,
  operation: statesText.operationNotFound,
  order: statesText.orderNotFound,
  order_book: statesText.orderBookNotFound,
  payment: statesText.paymentNotFound,
  preparation: statesText.preparationNotFound,
  preset: statesText.presetNotFound,
  profile: statesText.profileNotFound,
  'fleet plan': statesText.fleetPlanNotFound,
  replacement: statesText.replacementNotFound,
  report: statesText.reportNotFound,
  request: statesText.requestNotFound,
  'revoke all': statesText.revokeAllNotFound,
  secret: statesText.secretNotFound,
  step: statesText.stepNotFound,
  table: statesText.tableNotFound,
  'throwaway secret': statesText.throwawaySecretNotFound,
  transaction: statesText.transactionNotFound,
  'watched wallet': statesText.watchedWalletNotFound,
  webhook: statesText.webhookNotFound,
}

/**
 * Sentences that explain why an operation is not possible now, by the state that the operation requires. A required state without an entry here is
 * the state of an order.
 */
const needs: Readonly<Record<string, string>> = {
  old_key: statesText.needsOldKey,
  settled_under_keys: statesText.needsResolving,
  nothing_on_its_way: statesText.needsQuiet,
  no_key_listed: statesText.needsNoKey,
  later_end: statesText.needsLaterExpiry,
  secret_here: statesText.needsSecret,
  under_way: statesText.needsReplacement,
  none_under_way: statesText.needsNoReplacement,
  open_profile: statesText.needsProfile,
  forwarding: statesText.needsForwarding,
  known_subscription: statesText.needsSubscription,
  stopped: statesText.needsStopped,
  test_running: statesText.needsTest,
  no_test_running: statesText.needsNoTest,
}

/** Explains the known failures of the practice exchange. Any other detail is a program's error message, which is shown unchanged. */
function practiceCause(detail: string): string {
  if (detail === 'not_running') return statesText.practiceNotRunning
  const [, seconds] = /^not_ready (\d+)$/.exec(detail) ?? []
  return seconds === undefined ? detail : statesText.practiceNotReady(seconds)
}
