import { clockDifferenceText } from '../../shared/clock-difference.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { agentTitle, expiryStops } from '../../shared/text/expiry-text.ts'
import { reasonText } from '../../shared/text/intent-text.ts'
import { statesText } from './en/states.en.tsx'

interface AttentionText {
  readonly title: string
  readonly text: string
  /** Of the row's one button. */
  readonly action: string
}

type Of<K extends Attention['kind']> = Extract<Attention, { kind: K }>

const stuck: Readonly<Record<Of<'replacement_stuck'>['reason'], string>> = {
  no_room: statesText.asManyKeysAreActiveAsThe,
  creation_unknown: statesText.theAnswerWasLostSeeWhatThe,
  creation_unnamed: statesText.aCreationWasLeftWithoutKnowingWhat,
  old_key_gone: statesText.theOldKeyIsRevokedAlready,
  new_key_gone: statesText.theNewKeyHasEndedOrWas,
  new_key_dead: statesText.theServiceRefusesTheNewKeysSecret,
  secret_lost: statesText.theNewKeysSecretIsNotOn,
}

const bulkActions: Readonly<Record<Of<'bulk_action_unfinished'>['bulkAction'], string>> = {
  cancel_all: statesText.cancellingAllOrders,
  close_all: statesText.closingAllPositions,
  kill: statesText.theKillSwitch,
}

const heldBack = statesText.soNewOrdersAndKeysAreHeld

function journalText({ what, names }: Of<'journal_rebuilt'>): AttentionText {
  const listed = names.slice(0, 5).join(', ')
  switch (what) {
    case 'set_aside':
      return {
        title: statesText.theJournalWasDamagedAndLostEntries,
        text: statesText.theDamagedFileWasSetAsideNew,
        action: statesText.readOn,
      }
    case 'unreadable':
      return {
        title: names.length === 1 ? statesText.anEntryOfTheJournalCannotBe : statesText.entriesOfTheJournalCannotBeRead(names.length),
        text: statesText.leftOutOfEveryListLookOn(listed, names.length > 5 ? statesText.andMore : ''),
        action: statesText.showActivity,
      }
    case 'no_space':
      return {
        title: statesText.theDiskIsFull,
        text: statesText.theJournalCannotBeWrittenFreeSome(heldBack),
        action: statesText.openSettings,
      }
    case 'read_only':
      return {
        title: statesText.theJournalCannotBeWritten,
        text: statesText.theAppMayNotWriteItsOwn(heldBack),
        action: statesText.openSettings,
      }
    case 'newer':
      return {
        title: statesText.aNewerVersionOfSvcDeskWrote,
        text: statesText.thisVersionLeavesItAsItIs(heldBack),
        action: statesText.openSettings,
      }
    case 'profiles_set_aside':
      return {
        title: statesText.theListOfProfilesWasDamagedAnd,
        text: statesText.theDamagedFileWasKeptAsAdd(names[0]),
        action: statesText.openSettings,
      }
    case 'profiles_unreadable':
      return {
        title: names.length === 1 ? statesText.aProfileCannotBeRead : statesText.profilesCannotBeRead(names.length),
        text: statesText.damagedInTheListOfProfilesAnd(listed),
        action: statesText.openSettings,
      }
  }
}

function keychainText({ state, noProfile }: Of<'keychain'>): AttentionText {
  const locked = state === 'locked'
  if (!noProfile)
    return {
      title: locked ? statesText.theKeychainIsLocked : statesText.theKeychainDoesNotAnswer,
      text: statesText.noKeyCanBeCreatedOrUsed,
      action: statesText.show,
    }
  return locked
    ? {
        title: statesText.theSystemKeychainIsLocked,
        text: statesText.keysCannotBeCreatedOrUsedUntil,
        action: statesText.openSettings,
      }
    : {
        title: statesText.noSystemKeychain,
        text: statesText.keysCannotBeStoredOnThisComputer,
        action: statesText.openSettings,
      }
}

const signInText = statesText.managingKeysNeedsASignInWith
const onlyInMemory = statesText.theKeychainDidNotTakeItIt

/** What waits for the user, what it means, and the one thing to do. */
export function attentionText(item: Attention): AttentionText {
  switch (item.kind) {
    case 'unknown_intent':
      return {
        title: statesText.notKnownWhetherItWasTaken(item.title),
        text: item.reason === null ? statesText.itIsLookedUpAgainByItself : reasonText(item.reason),
        action: statesText.show,
      }
    case 'unsent_signature':
      return { title: statesText.signedNotSent(item.title), text: statesText.sendTheKeptSignatureOrDropIt, action: statesText.decide }
    case 'orphan_key':
      return {
        title: item.operation === 'create' ? statesText.aKeyMayExistWithoutItsSecret(item.label) : statesText.itsSecretMayHaveChanged(item.label),
        text: statesText.theAnswerWasLostSeeWhatThe,
        action: statesText.resolve,
      }
    case 'unstored_key':
      return { title: statesText.itsSecretIsOnlyInMemory(item.label), text: onlyInMemory, action: statesText.store }
    case 'orphan_webhook':
      return {
        title: statesText.aWebhookMayExistWithoutItsSecret,
        text: statesText.theAnswerToItsCreationWasLost,
        action: statesText.resolve,
      }
    case 'unstored_webhook':
      return { title: statesText.theSecretOfAWebhookIsOnly, text: onlyInMemory, action: statesText.store }
    case 'key_expiring':
      return item.over
        ? { title: statesText.hasEnded(item.label), text: statesText.callsWithItAreRefused, action: statesText.show }
        : { title: statesText.endsSoon(item.label), text: statesText.whatUsesItStopsThen, action: statesText.show }
    case 'grant_expiring': {
      const title = agentTitle(item.label, item.agent)
      return { title: item.over ? statesText.itsGrantIsOver(title) : statesText.itsGrantEndsSoon(title), text: expiryStops.grant, action: statesText.renew }
    }
    case 'grant_unknown':
      return {
        title: statesText.notKnownWhetherItsAgentsGrantWas(item.label),
        text: statesText.theAnswerWasLostTheSameSignature,
        action: statesText.show,
      }
    case 'sign_in_ending':
      return { title: statesText.yourSignInEndsSoon, text: signInText, action: statesText.signIn }
    case 'sign_in_required':
      return { title: item.ended ? statesText.yourSignInHasEnded : statesText.notSignedIn, text: signInText, action: statesText.signIn }
    case 'keychain':
      return keychainText(item)
    case 'journal_rebuilt':
      return journalText(item)
    case 'no_key':
      return { title: statesText.noApiKeyOnThisComputer, text: statesText.theAccountAndOrdersNeedOne, action: statesText.newKey }
    case 'schema_drift':
      return {
        title: statesText.theServiceSpeaksAnotherVersion,
        text: statesText.itSaysLookTwiceAtWhatYou(item.apiVersion ?? statesText.noVersion, item.schema ?? statesText.noSchema),
        action: statesText.show,
      }
    case 'clock':
      return {
        title: statesText.thisComputersClockIsTheExchange(clockDifferenceText(item.offsetMs)),
        text: statesText.timesHereFollowTheExchangeSoDeadlines,
        action: statesText.show,
      }
    case 'keep_draft':
      return {
        title: statesText.notFinished(item.label),
        text: item.unknown ? statesText.itsAnswerWasLostItCanBe : statesText.theGrantWasPreparedNothingWasCreated,
        action: statesText.goOn,
      }
    case 'replacement_due':
      if (!item.planned)
        return { title: statesText.itsReplacementIsNotFinished(item.label), text: statesText.bothKeysWorkUntilIsRevoked(item.label), action: statesText.goOn }
      return {
        title: statesText.timeToReplaceIt(item.label),
        text: statesText.itMakesANewKeyBesideThe(item.signs ? statesText.yourWalletSignsOnce : ''),
        action: statesText.goOn,
      }
    case 'replacement_stuck':
      return { title: statesText.itsReplacementIsStuck(item.label), text: stuck[item.reason], action: statesText.goOn }
    case 'revoke_all_unfinished':
      return { title: statesText.ofKeysAreNotRevokedYet(item.left, item.of), text: statesText.revokingThemWasInterruptedTheyStill, action: statesText.goOn }
    case 'bulk_action_unfinished':
      return {
        title: statesText.isNotFinished(bulkActions[item.bulkAction]),
        text: item.left === 0 ? statesText.theKeysAreStillToBeRevoked : statesText.ofStepsAreLeft(item.left, item.of),
        action: statesText.goOn,
      }
  }
}
