import { z } from 'zod'
import { command, query } from '../define.ts'

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  rail: z.enum(['open', 'collapsed']),
  /** WalletConnect project id; null uses the build's own. */
  projectId: z.string().nullable(),
})
export type Settings = z.infer<typeof Settings>

export const AppInfo = z.object({
  version: z.string(),
  host: z.enum(['electron', 'stand-in']),
  platform: z.string(),
  /** False when the build has no WalletConnect project id and none is set. */
  hasProjectId: z.boolean(),
})

export const Health = z.object({
  service: z.enum(['up', 'slow', 'down', 'unknown']),
  serviceAgeMs: z.number().nullable(),
  /** The hosts of the service, the profile's own first; empty while no profile is chosen. `answering`: the newest answer was this one's. */
  hosts: z.array(
    z.object({
      which: z.enum(['first', 'second']),
      host: z.string(),
      state: z.enum(['up', 'down', 'unknown']),
      lastAnswerAgeMs: z.number().nullable(),
      answering: z.boolean(),
    }),
  ),
  /** The account's stream (ACC-04). off: no key that may read the account. polling: the service has none now. null: no profile is chosen. */
  stream: z
    .object({ state: z.enum(['off', 'polling', 'live']), sinceMs: z.number(), nextTryAtMs: z.number().nullable(), lastEventAtMs: z.number().nullable() })
    .nullable(),
  keychain: z.enum(['ready', 'locked', 'unavailable', 'unknown']),
  journal: z.enum(['ready', 'rebuilt', 'memory_only']),
})
export type Health = z.infer<typeof Health>

export const Attention = z.object({
  id: z.string(),
  kind: z.enum([
    'unknown_intent',
    'unsent_signature',
    'orphan_key',
    'unstored_key',
    'orphan_webhook',
    'unstored_webhook',
    'key_expiring',
    'grant_expiring',
    'grant_unknown',
    'sign_in_ending',
    'sign_in_required',
    'keychain',
    'journal_rebuilt',
    'no_key',
    'schema_drift',
    'clock',
    'keep_draft',
    'replacement_due',
    'replacement_stuck',
    'panic_unfinished',
    'sweep_unfinished',
  ]),
  severity: z.enum(['info', 'warn', 'danger']),
  title: z.string(),
  text: z.string(),
  /** What the row leads to: a route of the renderer and the label of its one button. */
  action: z.object({ label: z.string(), to: z.string() }),
  atMs: z.number(),
  /** A countdown that belongs to it, Unix ms. */
  untilMs: z.number().nullable(),
})
export type Attention = z.infer<typeof Attention>

export const app = {
  'app.info': query(z.object({}), AppInfo),
  'app.settings': query(z.object({}), Settings),
  'app.saveSettings': command(Settings.partial(), Settings, { invalidates: ['app.settings', 'app.info'] }),
  /**
   * Milliseconds by which the service's clock is ahead of this computer's; null before the first answer. Every instant that crosses in
   * this contract is in the service's time, and so is the window's own clock, by this offset.
   */
  'app.clock': query(z.object({}), z.object({ offsetMs: z.number().nullable() })),
  'app.health': query(z.object({}), Health),
  'app.attention': query(z.object({}), z.array(Attention)),
  /** The user agrees that trading goes on after a journal was set aside and rebuilt. */
  'app.acceptRebuiltJournal': command(z.object({}), z.object({}), { invalidates: ['app.attention', 'app.health'] }),
  /** Opens one of a fixed list of pages in the system's browser. */
  'app.openExternal': command(z.object({ page: z.enum(['transaction', 'address', 'walletconnect_projects']), id: z.string().nullable() }), z.object({})),
  /** Writes text that is not a secret to the clipboard. */
  'app.copyText': command(z.object({ text: z.string().max(65_536) }), z.object({})),
} as const
