import { z } from 'zod'
import { command, query } from '../define.ts'
import { Fill, IntentState } from '../intents/orders.ts'
import { IntentReason } from '../intents/reasons.ts'
import { Title } from '../intents/titles.ts'
import { ExpiryItem } from '../keys/expiry.ts'

const label = z.string()
const EndingItem = ExpiryItem.pick({ kind: true, label: true, agent: true })

/** A notice to the user, as a code with the values to insert. The journal stores notices in this form. `shared/text/notice-text.ts` has the texts. */
export const Notice = z.discriminatedUnion('code', [
  /** An order or request ended. `fill`: what a final order traded; null if that is unknown, and absent if no trade of it is known. */
  z.object({ code: z.literal('intent'), title: Title, state: IntentState, reason: IntentReason.nullable(), fill: Fill.nullable().optional() }),
  z.object({ code: z.literal('secrets_found'), count: z.number(), label }),
  z.object({ code: z.literal('secret_not_stored'), label }),
  /** The sign-in ended. `refused`: the service ended the sign-in before it expired. */
  z.object({ code: z.literal('sign_in_ended'), refused: z.boolean() }),
  z.object({ code: z.literal('wrong_passphrases'), times: z.number() }),
  z.object({ code: z.literal('webhook_not_recreated'), label }),
  /**
   * A webhook has a problem. `label`: its URL. disabled: the service or another program disabled the webhook. deliveries: the receiver lab did not
   * accept deliveries.
   */
  z.object({ code: z.literal('webhook_failing'), label, why: z.enum(['disabled', 'deliveries']) }),
  z.object({ code: z.literal('receiver_test_broke') }),
  z.object({ code: z.literal('service_down'), how: z.enum(['no_response', 'errors']) }),
  z.object({ code: z.literal('service_changed') }),
  z.object({ code: z.literal('end'), item: EndingItem, leftMs: z.number() }),
  /**
   * Several keys, grants or sign-ins have expired or will expire. `count`: how many. `allOver`: whether all of them have expired. `items`: some of
   * them.
   */
  z.object({ code: z.literal('ends'), count: z.number(), allOver: z.boolean(), items: z.array(EndingItem) }),
  /** The account's health factor is low. `account`: the name of a watched account; null for the user's own account. */
  z.object({ code: z.literal('low_health'), account: z.string().nullable(), value: z.string(), threshold: z.string() }),
  /** A position is near its liquidation price. `distance` and `threshold` are in percent. */
  z.object({
    code: z.literal('near_liquidation'),
    account: z.string().nullable(),
    position: z.object({ symbol: z.string().nullable(), pairId: z.number(), side: z.enum(['long', 'short']) }),
    distance: z.string(),
    mark: z.string(),
    liquidation: z.string(),
    threshold: z.string(),
  }),
  /**
   * A command in a terminal needs a sign-in. `wallet`: the key's owner, if another wallet is connected now. `profile`: the profile that the user must
   * open.
   */
  z.object({ code: z.literal('command_needs_sign_in'), wallet: z.string().nullable(), profile: z.string().nullable() }),
  z.object({ code: z.literal('restarted'), reference: z.string(), isOpen: z.boolean() }),
  z.object({ code: z.literal('page_reloaded') }),
  z.object({ code: z.literal('update_available'), version: z.string() }),
  /** The app saved the WalletConnect project id. `connected`: a wallet is connected, and its connection keeps using the earlier project id. */
  z.object({ code: z.literal('project_id_saved'), connected: z.boolean() }),
])
export type Notice = z.infer<typeof Notice>

/** A notice as the journal stores it. `to`: the page that the notice opens. */
export const KeptNoticeRow = z.object({
  atMs: z.number(),
  severity: z.enum(['ok', 'info', 'warn', 'danger']),
  notice: Notice,
  to: z.string().nullable(),
  read: z.boolean(),
})
export type KeptNoticeRow = z.infer<typeof KeptNoticeRow>

export const NoticeRow = KeptNoticeRow.extend({ id: z.string() })
export type NoticeRow = z.infer<typeof NoticeRow>

/** Maximum number of notices that the journal keeps per profile, and also for the app itself. */
export const mostNotices = 200

export const notices = {
  /** Returns the notices of the last 30 days about the shown wallet and about the app, newest first. */
  'notices.list': query(z.object({}), z.array(NoticeRow), 'wallet'),
  'notices.mark': command(z.object({ ids: z.array(z.string().max(64)).max(2 * mostNotices), read: z.boolean() }), z.object({}), {
    invalidates: ['notices.list'],
  }),
} as const
