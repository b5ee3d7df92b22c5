import { clockDifferenceText } from '../../shared/clock-difference.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { agentTitle, expiryStops } from '../../shared/text/expiry-text.ts'
import { reasonText } from '../../shared/text/intent-text.ts'

interface AttentionText {
  readonly title: string
  readonly text: string
  /** Of the row's one button. */
  readonly action: string
}

type Of<K extends Attention['kind']> = Extract<Attention, { kind: K }>

const stuck: Readonly<Record<Of<'replacement_stuck'>['reason'], string>> = {
  no_room: 'As many keys are active as the service allows. Revoke one, then try again.',
  creation_unknown: 'The answer was lost. See what the service lists, then rotate or revoke it.',
  creation_unnamed: 'A creation was left without knowing what came of it.',
  old_key_gone: 'The old key is revoked already.',
  new_key_gone: 'The new key has ended or was revoked.',
  new_key_dead: 'The service refuses the new key’s secret. Rotate the new key.',
  secret_lost: 'The new key’s secret is not on this computer. Rotate the new key.',
}

const bulkActions: Readonly<Record<Of<'bulk_action_unfinished'>['bulkAction'], string>> = {
  cancel_all: 'Cancelling all orders',
  close_all: 'Closing all positions',
  kill: 'The kill switch',
}

const heldBack = 'so new orders and keys are held back. Closing, cancelling and revoking still work.'

function journalText({ what, names }: Of<'journal_rebuilt'>): AttentionText {
  const listed = names.slice(0, 5).join(', ')
  switch (what) {
    case 'set_aside':
      return {
        title: 'The journal was damaged and lost entries',
        text: 'The damaged file was set aside. New orders and keys wait until you agree. Guard rails were in it: new risk then waits until you set or waive them under Settings. Sign in, and the secrets of the keys that the service lists are found in the keychain again.',
        action: 'Read on',
      }
    case 'unreadable':
      return {
        title: names.length === 1 ? 'An entry of the journal cannot be read' : `${names.length} entries of the journal cannot be read`,
        text: `Left out of every list: ${listed}${names.length > 5 ? ' and more' : ''}. Look on the exchange for what became of them.`,
        action: 'Show Activity',
      }
    case 'no_space':
      return {
        title: 'The disk is full',
        text: `The journal cannot be written, ${heldBack} Free some space; the journal goes on by itself.`,
        action: 'Open settings',
      }
    case 'read_only':
      return {
        title: 'The journal cannot be written',
        text: `The app may not write its own files, ${heldBack} Allow writing to its folder, then start the app again.`,
        action: 'Open settings',
      }
    case 'newer':
      return {
        title: 'A newer version of Svc Desk wrote the journal',
        text: `This version leaves it as it is, ${heldBack} Start the newer version again.`,
        action: 'Open settings',
      }
    case 'profiles_set_aside':
      return {
        title: 'The list of profiles was damaged and begun anew',
        text: `The damaged file was kept as ${names[0]}. Add your profiles again; their journals and keys are still here.`,
        action: 'Open settings',
      }
    case 'profiles_unreadable':
      return {
        title: names.length === 1 ? 'A profile cannot be read' : `${names.length} profiles cannot be read`,
        text: `Damaged in the list of profiles, and left out: ${listed}. Their journals and keys are still here. Put back a copy of desk.db and desk.db.mark, or add the exchange again.`,
        action: 'Open settings',
      }
  }
}

function keychainText({ state, noProfile }: Of<'keychain'>): AttentionText {
  const locked = state === 'locked'
  if (!noProfile)
    return {
      title: locked ? 'The keychain is locked' : 'The keychain does not answer',
      text: 'No key can be created or used until it does.',
      action: 'Show',
    }
  return locked
    ? {
        title: 'The system keychain is locked',
        text: 'Keys cannot be created or used until it is unlocked. Unlock it, or sign in to your desktop again.',
        action: 'Open settings',
      }
    : {
        title: 'No system keychain',
        text: 'Keys cannot be stored on this computer. On Linux, install and start gnome-keyring or KWallet, then look again.',
        action: 'Open settings',
      }
}

const signInText = 'Managing keys needs a sign-in with your wallet. Trading does not.'
const onlyInMemory = 'The keychain did not take it. It is lost when the app quits.'

/** What waits for the user, what it means, and the one thing to do. */
export function attentionText(item: Attention): AttentionText {
  switch (item.kind) {
    case 'unknown_intent':
      return {
        title: `${item.title}: not known whether it was taken`,
        text: item.reason === null ? 'It is looked up again by itself.' : reasonText(item.reason),
        action: 'Show',
      }
    case 'unsent_signature':
      return { title: `${item.title}: signed, not sent`, text: 'Send the kept signature, or drop it.', action: 'Decide' }
    case 'orphan_key':
      return {
        title: item.operation === 'create' ? `${item.label}: a key may exist without its secret` : `${item.label}: its secret may have changed`,
        text: 'The answer was lost. See what the service lists, then rotate or revoke it.',
        action: 'Resolve',
      }
    case 'unstored_key':
      return { title: `${item.label}: its secret is only in memory`, text: onlyInMemory, action: 'Store' }
    case 'orphan_webhook':
      return {
        title: 'A webhook may exist without its secret',
        text: 'The answer to its creation was lost. See what the service lists, then disable it.',
        action: 'Resolve',
      }
    case 'unstored_webhook':
      return { title: 'The secret of a webhook is only in memory', text: onlyInMemory, action: 'Store' }
    case 'key_expiring':
      return item.over
        ? { title: `${item.label} has ended`, text: 'Calls with it are refused.', action: 'Show' }
        : { title: `${item.label} ends soon`, text: 'What uses it stops then.', action: 'Show' }
    case 'grant_expiring': {
      const title = agentTitle(item.label, item.agent)
      return { title: item.over ? `${title}: its grant is over` : `${title}: its grant ends soon`, text: expiryStops.grant, action: 'Renew' }
    }
    case 'grant_unknown':
      return {
        title: `${item.label}: not known whether its agent’s grant was stored`,
        text: 'The answer was lost. The same signature can be sent again for thirty minutes.',
        action: 'Show',
      }
    case 'sign_in_ending':
      return { title: 'Your sign-in ends soon', text: signInText, action: 'Sign in' }
    case 'sign_in_required':
      return { title: item.ended ? 'Your sign-in has ended' : 'Not signed in', text: signInText, action: 'Sign in' }
    case 'keychain':
      return keychainText(item)
    case 'journal_rebuilt':
      return journalText(item)
    case 'no_key':
      return { title: 'No API key on this computer', text: 'The account and orders need one.', action: 'New key' }
    case 'schema_drift':
      return {
        title: 'The service speaks another version',
        text: `It says ${item.apiVersion ?? 'no version'}, ${item.schema ?? 'no schema'}. Look twice at what you sign.`,
        action: 'Show',
      }
    case 'clock':
      return {
        title: `This computer’s clock is ${clockDifferenceText(item.offsetMs)} the exchange`,
        text: 'Times here follow the exchange, so deadlines are right. Connecting a wallet may fail. Let the system set the clock by itself.',
        action: 'Show',
      }
    case 'keep_draft':
      return {
        title: `${item.label}: not finished`,
        text: item.unknown ? 'Its answer was lost. It can be sent again.' : 'The grant was prepared. Nothing was created yet.',
        action: 'Go on',
      }
    case 'replacement_due':
      if (!item.planned)
        return { title: `${item.label}: its replacement is not finished`, text: `Both keys work until ${item.label} is revoked.`, action: 'Go on' }
      return {
        title: `${item.label}: time to replace it`,
        text: `It makes a new key beside the old one.${item.signs ? ' Your wallet signs once.' : ''}`,
        action: 'Go on',
      }
    case 'replacement_stuck':
      return { title: `${item.label}: its replacement is stuck`, text: stuck[item.reason], action: 'Go on' }
    case 'revoke_all_unfinished':
      return { title: `${item.left} of ${item.of} keys are not revoked yet`, text: 'Revoking them was interrupted. They still work.', action: 'Go on' }
    case 'bulk_action_unfinished':
      return {
        title: `${bulkActions[item.bulkAction]} is not finished`,
        text: item.left === 0 ? 'The keys are still to be revoked.' : `${item.left} of ${item.of} steps are left.`,
        action: 'Go on',
      }
  }
}
