import { z } from 'zod'
import { languages } from '../../text/catalogue.ts'
import { command, query } from '../define.ts'
import { BulkActionKind } from '../intents/kill-switch.ts'
import { IntentReason } from '../intents/reasons.ts'
import { Title } from '../intents/titles.ts'
import { StuckReason } from '../keys/replacements.ts'
import { ServiceChange } from './service.ts'

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** The colours for long and short. Users who cannot distinguish green and red can choose blue and orange. */
  directionColours: z.enum(['green_red', 'blue_orange']),
  /** The text size, in percent of the normal size. */
  textSize: z.literal([100, 115, 130]),
  /** The language of the interface. system: the first language in the system's settings that the app supports. */
  language: z.enum(['system', ...languages]),
  rail: z.enum(['open', 'collapsed']),
  /** Whether balances, sizes and profits are hidden, both on pages and in notices. */
  hideAmounts: z.boolean(),
  /** WalletConnect project id that the user entered; null: use the id built into the app. */
  projectId: z.string().nullable(),
  /** What closing the main window does on a desktop with a tray. On a desktop without a tray, closing the main window quits the app. */
  whenClosed: z.enum(['ask', 'tray', 'quit']),
  startAtLogin: z.boolean(),
  /** Whether the app looks for updates at its start and every 12 hours. */
  looksForUpdates: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

export const AppInfo = z.object({
  version: z.string(),
  host: z.enum(['electron', 'stand-in']),
  platform: z.string(),
  /** false if neither the build nor the user set a WalletConnect project id. */
  hasProjectId: z.boolean(),
  hasTray: z.boolean(),
  /** Whether the app can detect that the user locked the screen. */
  seesScreenLock: z.boolean(),
  /** Whether this computer has Touch ID, and can use it now. */
  hasTouchId: z.boolean(),
})

export const Health = z.object({
  /** failing: some of the latest requests failed. down: none succeeds, and `outage` is set. */
  service: z.enum(['up', 'slow', 'failing', 'down', 'unknown']),
  serviceAgeMs: z.number().nullable(),
  /** Set once the service has been down for some seconds. `how`: it sends no response, or only errors. `sinceMs`: start of the outage, Unix ms. */
  outage: z.object({ how: z.enum(['no_response', 'errors']), sinceMs: z.number() }).nullable(),
  /** The service's hosts, beginning with the profile's main host; empty without a profile. `answering`: this host sent the latest answer. */
  hosts: z.array(
    z.object({
      which: z.enum(['first', 'second']),
      host: z.string(),
      state: z.enum(['up', 'down', 'unknown']),
      lastAnswerAgeMs: z.number().nullable(),
      answering: z.boolean(),
    }),
  ),
  /**
   * The state of the account stream (ACC-04). off: no key can read the account. polling: the service offers no stream at present. null: no profile.
   */
  stream: z
    .object({ state: z.enum(['off', 'polling', 'live']), sinceMs: z.number(), nextTryAtMs: z.number().nullable(), lastEventAtMs: z.number().nullable() })
    .nullable(),
  keychain: z.enum(['ready', 'locked', 'unavailable', 'unknown']),
  journal: z.enum(['ready', 'rebuilt', 'memory_only']),
})
export type Health = z.infer<typeof Health>

/** Fields of every item in the attention list. `to`: the page that the item's button opens. `untilMs`: when the item's countdown ends, Unix ms. */
const row = {
  id: z.string(),
  severity: z.enum(['info', 'warn', 'danger']),
  to: z.string(),
  atMs: z.number(),
  untilMs: z.number().nullable(),
}
const label = z.string()

/** An item in the list of what needs the user's attention. `renderer/text/attention-text.ts` has the texts. */
export const Attention = z.discriminatedUnion('kind', [
  z.object({ ...row, kind: z.literal('unknown_intent'), title: Title, reason: IntentReason.nullable() }),
  z.object({ ...row, kind: z.literal('unsent_signature'), title: Title }),
  z.object({ ...row, kind: z.literal('orphan_key'), label, operation: z.enum(['create', 'rotate']) }),
  z.object({ ...row, kind: z.enum(['unstored_key', 'grant_unknown']), label }),
  z.object({ ...row, kind: z.enum(['orphan_webhook', 'unstored_webhook', 'sign_in_ending', 'no_key']) }),
  z.object({ ...row, kind: z.literal('key_expiring'), label, over: z.boolean() }),
  z.object({ ...row, kind: z.literal('grant_expiring'), label, agent: z.string().nullable(), over: z.boolean() }),
  z.object({ ...row, kind: z.literal('sign_in_required'), ended: z.boolean() }),
  /** The system keychain is locked or unavailable. `noProfile`: no profile exists yet, so the app has only checked the keychain. */
  z.object({ ...row, kind: z.literal('keychain'), state: z.enum(['locked', 'unavailable']), noProfile: z.boolean() }),
  /** A problem with the journal or the stored profiles. `names`: the unreadable entries, or the name of the damaged file that the app moved aside. */
  z.object({
    ...row,
    kind: z.literal('journal_rebuilt'),
    what: z.enum(['set_aside', 'unreadable', 'no_space', 'read_only', 'newer', 'profiles_set_aside', 'profiles_unreadable']),
    names: z.array(z.string()),
  }),
  z.object({ ...row, kind: z.literal('service_down'), how: z.enum(['no_response', 'errors']) }),
  /** The service publishes something different than the app expects. `agreed`: the user has agreed to trade despite the changes. */
  z.object({ ...row, kind: z.literal('service_changed'), changes: z.array(ServiceChange), agreed: z.boolean() }),
  /**
   * A webhook has a problem. `label`: its URL. disabled: the service or another program disabled a webhook whose secret is stored in the app.
   * deliveries: the receiver lab did not accept the last `count` deliveries.
   */
  z.object({ ...row, kind: z.literal('webhook_failing'), label, why: z.enum(['disabled', 'deliveries']), count: z.number() }),
  /** The clocks differ. `offsetMs`: how far the service's clock is ahead of this computer's clock. */
  z.object({ ...row, kind: z.literal('clock'), offsetMs: z.number() }),
  z.object({ ...row, kind: z.literal('keep_draft'), label, unknown: z.boolean() }),
  /** The replacement of a key is due. `planned`: the app has not yet requested the new key from the service. `signs`: the wallet must sign. */
  z.object({ ...row, kind: z.literal('replacement_due'), label, planned: z.boolean(), signs: z.boolean() }),
  /** `fleet_left`: a new key of a plan that still works and that the plan does not need, because no bot got it or a later new key took its place. */
  z.object({ ...row, kind: z.enum(['fleet_due', 'fleet_waits', 'fleet_left']), label }),
  z.object({ ...row, kind: z.literal('replacement_stuck'), label, reason: StuckReason }),
  z.object({ ...row, kind: z.literal('revoke_all_unfinished'), left: z.number(), of: z.number() }),
  z.object({ ...row, kind: z.literal('bulk_action_unfinished'), bulkAction: BulkActionKind, left: z.number(), of: z.number() }),
])
export type Attention = z.infer<typeof Attention>

/**
 * An item in the attention list. `maySnooze`: whether the user may snooze the item. `snoozed`: the end of the snooze, Unix ms; null if the item is
 * not snoozed. `untilMs` null: the snooze ends when the content of the item changes.
 */
export const ListedAttention = Attention.and(z.object({ maySnooze: z.boolean(), snoozed: z.object({ untilMs: z.number().nullable() }).nullable() }))
export type ListedAttention = z.infer<typeof ListedAttention>

/** How long to snooze an item. Each snooze ends earlier if the item gets worse. */
export const SnoozeLength = z.enum(['hour', 'day', 'changed'])
export type SnoozeLength = z.infer<typeof SnoozeLength>

export const app = {
  'app.info': query(z.object({}), AppInfo, 'app'),
  'app.settings': query(z.object({}), Settings, 'app'),
  'app.saveSettings': command(Settings.partial(), Settings, { invalidates: ['app.settings', 'app.info'] }),
  /**
   * Milliseconds that the service's clock is ahead of this computer's clock; null before the service's first answer. All times in these calls are in
   * the service's time, so a window must add this offset to its own clock.
   */
  'app.clock': query(z.object({}), z.object({ offsetMs: z.number().nullable() }), 'app'),
  'app.health': query(z.object({}), Health, 'app'),
  /** Returns what needs the user's attention, most harmful item first. Includes snoozed items, so that the user can see them and end the snooze. */
  'app.attention': query(z.object({}), z.array(ListedAttention), 'wallet'),
  'app.snooze': command(z.object({ id: z.string().max(300), length: SnoozeLength }), z.object({}), { invalidates: ['app.attention'] }),
  'app.wake': command(z.object({ id: z.string().max(300) }), z.object({}), { invalidates: ['app.attention'] }),
  /** Records that the user agrees to continue trading after the app replaced the journal. */
  'app.acceptRebuiltJournal': command(z.object({}), z.object({}), { invalidates: ['app.attention', 'app.health'] }),
  /** Opens a page in the default browser. Only the listed pages are possible. */
  'app.openExternal': command(z.object({ page: z.enum(['transaction', 'address', 'walletconnect_projects']), id: z.string().nullable() }), z.object({})),
  /** Copies text that is not a secret to the clipboard. */
  'app.copyText': command(z.object({ text: z.string().max(65_536) }), z.object({})),
} as const

export const supportBundle = {
  /** Collects facts about the app for a support request. Contains nothing private. Nothing is saved or sent. */
  'supportBundle.make': command(z.object({}), z.object({ text: z.string() })),
  /** Saves the text that `supportBundle.make` returned last. null if the user chose no file. */
  'supportBundle.save': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const

/**
 * What a look for updates found. newer: an update. current: no update. unreachable: the server did not respond. no_file: the release has no file for
 * this system.
 * With any other outcome, the app refuses the server's statement about the release. unreadable: it is not such a statement, or has unknown fields.
 * unsigned: it has no signature by a key that this build trusts. other_app: it is about another app. rollback: it is older than this app, or older
 * than a statement that this computer has seen. stale: it is no longer valid. clock_behind: its date is in the future by this computer's clock.
 */
export const UpdateOutcome = z.enum(['newer', 'current', 'unreachable', 'unreadable', 'unsigned', 'other_app', 'rollback', 'stale', 'clock_behind', 'no_file'])
export type UpdateOutcome = z.infer<typeof UpdateOutcome>

/**
 * Why a downloaded update is not ready or not installed. incomplete: the server did not send the whole file. changed: the file's bytes do not match
 * the signed statement.
 */
export const UpdateIssue = z.enum(['incomplete', 'changed', 'no_space', 'not_allowed', 'disk'])
export type UpdateIssue = z.infer<typeof UpdateIssue>

/** The work that a restart would interrupt. An update waits until that work ends. */
export const UpdateWait = z.enum(['wallet', 'order', 'bulk_action', 'revoke_all', 'replacement', 'lab'])
export type UpdateWait = z.infer<typeof UpdateWait>

export const UpdateState = z.object({
  /**
   * Why this copy of the app cannot look for updates; null if it can. no_address: the build has no update server. source: the app runs from its
   * source, not from a package.
   */
  off: z.enum(['no_address', 'source']).nullable(),
  /** The last look for updates since the app started; null if there was none. */
  checked: z.object({ atMs: z.number(), outcome: UpdateOutcome }).nullable(),
  /**
   * The update on offer. `bytes`: the size of its file. `way`: the app installs it (install), the user runs `command`, or the user downloads its file
   * and installs it (page). `newerData`: earlier versions cannot open the app's data after the update. `unsupported`: the publisher no longer
   * supports the running version.
   */
  offer: z
    .object({
      version: z.string(),
      bytes: z.number(),
      way: z.enum(['install', 'command', 'page']),
      command: z.string().nullable(),
      newerData: z.boolean(),
      unsupported: z.boolean(),
    })
    .nullable(),
  /** The download of the offered update. `bytes`: how many bytes of the new file are written so far. */
  download: z.discriminatedUnion('state', [
    z.object({ state: z.enum(['none', 'ready']) }),
    z.object({ state: z.literal('running'), bytes: z.number() }),
    z.object({ state: z.literal('failed'), issue: UpdateIssue }),
  ]),
  waits: UpdateWait.nullable(),
})
export type UpdateState = z.infer<typeof UpdateState>

const changesUpdate = { invalidates: ['updates.state'] } as const

export const updates = {
  'updates.state': query(z.object({}), UpdateState, 'app'),
  /** Asks the update server for an update. Never fails: `checked` has the outcome. */
  'updates.check': command(z.object({}), UpdateState, changesUpdate),
  /** Starts the download. Changes nothing if there is no update that the app can install, or while `waits` is set. */
  'updates.download': command(z.object({}), UpdateState, changesUpdate),
  /** Replaces this copy of the app with the downloaded update and restarts the app. Changes nothing while `waits` is set. */
  'updates.install': command(z.object({}), UpdateState, changesUpdate),
  /** Opens the address of the update's file in the default browser. */
  'updates.open': command(z.object({}), z.object({})),
  /** Reports whether the page waits for the wallet, or does other work that a restart would lose. */
  'updates.hold': command(z.object({ held: z.boolean() }), z.object({})),
} as const

/** The content of a pop-out window. */
export const PopoutView = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['chart', 'book']), pairId: z.number().int() }),
  z.object({ kind: z.literal('positions') }),
])
export type PopoutView = z.infer<typeof PopoutView>

const RowId = z.string().min(1).max(200)

/** A page or dialog in the main window that a pop-out window may open. The user must still review it there before anything is sent or signed. */
export const PlaceInMain = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('market'), pairId: z.number().int() }),
  z.object({ kind: z.literal('position'), id: RowId, action: z.enum(['close', 'invert', 'exits', 'margin', 'leverage']) }),
  z.object({ kind: z.literal('order'), id: RowId, action: z.enum(['cancel', 'replace']) }),
  z.object({ kind: z.enum(['close_all', 'cancel_all', 'connect']) }),
])
export type PlaceInMain = z.infer<typeof PlaceInMain>

export const popouts = {
  /** Opens a pop-out window with this view, or focuses the window if it is already open. */
  'popouts.open': command(PopoutView, z.object({})),
} as const

/** Calls that only pop-out windows may make. */
export const handOver = {
  /** Focuses the main window and opens a page or dialog in it. */
  'popouts.handOver': command(PlaceInMain, z.object({})),
} as const
