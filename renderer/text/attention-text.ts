import { clockDistanceText } from '../../shared/attention.ts'
import { type AmountFormat, formatDecimal } from '../../shared/decimal.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { agentTitle, expiryStops } from '../../shared/text/expiry-text.ts'
import { reasonText } from '../../shared/text/reason-text.ts'
import { titleText } from '../../shared/text/title-text.ts'
import { statesText } from './en/states.en.tsx'

interface AttentionText {
  readonly title: string
  readonly text: string
  /** Label of the only button on the item's row. */
  readonly action: string
}

type Of<K extends Attention['kind']> = Extract<Attention, { kind: K }>

const stuck: Readonly<Record<Of<'replacement_stuck'>['reason'], string>> = {
  no_room: statesText.stuckNoRoom,
  creation_unknown: statesText.keyLostHelp,
  creation_unnamed: statesText.stuckCreationDismissed,
  old_key_gone: statesText.stuckOldKeyRevoked,
  new_key_gone: statesText.stuckNewKeyEnded,
  new_key_dead: statesText.stuckNewKeyRefused,
  secret_lost: statesText.stuckSecretMissing,
}

const bulkActions: Readonly<Record<Of<'bulk_action_unfinished'>['bulkAction'], string>> = {
  cancel_all: statesText.cancelAllUnfinished,
  close_all: statesText.closeAllUnfinished,
  kill: statesText.killSwitchUnfinished,
}

function journalText({ what, names }: Of<'journal_rebuilt'>): AttentionText {
  const listed = names.slice(0, 5).join(', ')
  switch (what) {
    case 'set_aside':
      return {
        title: statesText.journalRebuilt,
        text: statesText.journalRebuiltText,
        action: statesText.readMore,
      }
    case 'unreadable':
      return {
        title: statesText.entriesUnreadable(names.length),
        text: statesText.entriesUnreadableText(listed, names.length > 5),
        action: statesText.showActivity,
      }
    case 'no_space':
      return {
        title: statesText.diskFull,
        text: statesText.diskFullText,
        action: statesText.openSettings,
      }
    case 'read_only':
      return {
        title: statesText.journalUnwritable,
        text: statesText.journalUnwritableText,
        action: statesText.openSettings,
      }
    case 'newer':
      return {
        title: statesText.journalNewer,
        text: statesText.journalNewerText,
        action: statesText.openSettings,
      }
    case 'profiles_set_aside':
      return {
        title: statesText.profilesRebuilt,
        text: statesText.profilesRebuiltText(names[0]),
        action: statesText.openSettings,
      }
    case 'profiles_unreadable':
      return {
        title: statesText.profilesUnreadable(names.length),
        text: statesText.profilesUnreadableText(listed),
        action: statesText.openSettings,
      }
  }
}

function keychainText({ state, noProfile }: Of<'keychain'>): AttentionText {
  const locked = state === 'locked'
  if (!noProfile)
    return {
      title: locked ? statesText.keychainLocked : statesText.keychainSilent,
      text: statesText.keychainSilentText,
      action: statesText.show,
    }
  return locked
    ? {
        title: statesText.systemKeychainLocked,
        text: statesText.systemKeychainLockedText,
        action: statesText.openSettings,
      }
    : {
        title: statesText.noKeychain,
        text: statesText.noKeychainText,
        action: statesText.openSettings,
      }
}

const signInText = statesText.signInNeeded
const onlyInMemory = statesText.onlyInMemoryText

/** Returns the texts for an item that needs the user's attention: what happened, what it means, and the one thing to do. */
export function attentionText(item: Attention, amount: AmountFormat = formatDecimal): AttentionText {
  switch (item.kind) {
    case 'unknown_intent':
      return {
        title: statesText.outcomeUnknown(titleText(item.title, amount)),
        text: item.reason === null ? statesText.checkingAgain : reasonText(item.reason),
        action: statesText.show,
      }
    case 'unsent_signature':
      return { title: statesText.signedNotSent(titleText(item.title, amount)), text: statesText.signedNotSentText, action: statesText.decide }
    case 'orphan_key':
      return {
        title: item.operation === 'create' ? statesText.keyMayExist(item.label) : statesText.secretMayHaveChanged(item.label),
        text: statesText.keyLostHelp,
        action: statesText.resolve,
      }
    case 'unstored_key':
      return { title: statesText.secretInMemory(item.label), text: onlyInMemory, action: statesText.store }
    case 'orphan_webhook':
      return {
        title: statesText.webhookMayExist,
        text: statesText.webhookMayExistText,
        action: statesText.resolve,
      }
    case 'unstored_webhook':
      return { title: statesText.webhookSecretInMemory, text: onlyInMemory, action: statesText.store }
    case 'key_expiring':
      return item.over
        ? { title: statesText.keyExpired(item.label), text: statesText.keyExpiredText, action: statesText.show }
        : { title: statesText.keyExpiresSoon(item.label), text: statesText.keyExpiresSoonText, action: statesText.show }
    case 'grant_expiring': {
      const title = agentTitle(item.label, item.agent)
      return { title: item.over ? statesText.grantExpired(title) : statesText.grantExpiresSoon(title), text: expiryStops('grant'), action: statesText.renew }
    }
    case 'grant_unknown':
      return {
        title: statesText.grantUnknown(item.label),
        text: statesText.grantUnknownText,
        action: statesText.show,
      }
    case 'sign_in_ending':
      return { title: statesText.signInExpiresSoon, text: signInText, action: statesText.signIn }
    case 'sign_in_required':
      return { title: item.ended ? statesText.signInExpired : statesText.notSignedIn, text: signInText, action: statesText.signIn }
    case 'keychain':
      return keychainText(item)
    case 'journal_rebuilt':
      return journalText(item)
    case 'no_key':
      return { title: statesText.noKey, text: statesText.noKeyText, action: statesText.newKey }
    case 'service_down':
      return {
        title: item.how === 'errors' ? statesText.exchangeErrors : statesText.exchangeSilent,
        text: statesText.exchangeDownText,
        action: statesText.show,
      }
    case 'service_changed':
      return { title: statesText.serviceChanged, text: item.agreed ? statesText.serviceChangedAgreed : statesText.serviceChangedText, action: statesText.show }
    case 'webhook_failing':
      return item.why === 'disabled'
        ? { title: statesText.webhookDisabled, text: statesText.webhookDisabledText(item.label), action: statesText.show }
        : { title: statesText.webhookFailing(item.count), text: statesText.webhookFailingText(item.label), action: statesText.show }
    case 'clock':
      return {
        title: (item.offsetMs > 0 ? statesText.clockBehind : statesText.clockAhead)(clockDistanceText(item.offsetMs)),
        text: statesText.clockText,
        action: statesText.show,
      }
    case 'keep_draft':
      return {
        title: statesText.notFinished(item.label),
        text: item.unknown ? statesText.draftUnknownText : statesText.draftPreparedText,
        action: statesText.continue,
      }
    case 'replacement_due':
      if (!item.planned)
        return { title: statesText.replacementUnfinished(item.label), text: statesText.replacementUnfinishedText(item.label), action: statesText.continue }
      return {
        title: statesText.replacementDue(item.label),
        text: statesText.replacementDueText(item.signs),
        action: statesText.continue,
      }
    case 'replacement_stuck':
      return { title: statesText.replacementStuck(item.label), text: stuck[item.reason], action: statesText.continue }
    case 'fleet_due':
      return { title: statesText.fleetDue(item.label), text: statesText.fleetDueText, action: statesText.continue }
    case 'fleet_waits':
      return { title: statesText.fleetWaits(item.label), text: statesText.fleetWaitsText, action: statesText.continue }
    case 'fleet_left':
      return { title: statesText.fleetLeft(item.label), text: statesText.fleetLeftText, action: statesText.continue }
    case 'revoke_all_unfinished':
      return { title: statesText.keysNotRevoked(item.left, item.of), text: statesText.keysNotRevokedText, action: statesText.continue }
    case 'bulk_action_unfinished':
      return {
        title: bulkActions[item.bulkAction],
        text: item.left === 0 ? statesText.keysStillToRevoke : statesText.stepsLeft(item.left, item.of),
        action: statesText.continue,
      }
  }
}
