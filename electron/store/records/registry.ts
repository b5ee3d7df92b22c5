import { z } from 'zod'
import { PopoutView, Settings } from '../../../shared/ipc/host/app.ts'
import { KeptNoticeRow } from '../../../shared/ipc/host/notices.ts'
import { ServiceChange } from '../../../shared/ipc/host/service.ts'
import { RiskThresholds, WatchedWallet } from '../../../shared/ipc/reads/account.ts'
import { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { ReceiverTestCheck, ReceiverTestSetup } from '../../../shared/ipc/webhooks/receiver-test.ts'
import type { TrustedFormat } from '../../../shared/signing/trust.ts'
import type { RecordsOf, SealedOf } from './access.ts'
import { gatewayRecords } from './gateway-records.ts'
import { intentRecords } from './intent-records.ts'
import { keyRecords } from './key-records.ts'
import { mark, record, text } from './record.ts'

const PinnedField = z.object({
  path: z.string(),
  type: z.string(),
  role: z.string().nullable(),
  unit: z.enum(['usdc', 'price', 'times', 'base', 'bps']).nullable(),
  scale: z.number().nullable(),
  words: z.record(z.string(), z.string()).nullable(),
  rule: z.enum(['empty', 'fixed', 'random', 'time']).nullable(),
  value: z.string().nullable(),
  values: z.record(z.string(), z.string()).exactOptional(),
})

const StoredLayouts: z.ZodType<readonly TrustedFormat[]> = z.array(
  z.object({
    hash: z.string(),
    usdcScale: z.number().nullable(),
    priceScale: z.number().nullable(),
    leverageScale: z.number().nullable(),
    // How many decimals the message's integer sizes have. null if the user confirmed this signing format before the app could read sizes.
    sizeScale: z.number().nullable().default(null),
    // The meaning of each field. null if the user confirmed this signing format before the app stored meanings. The app adds the meanings when the
    // next message in this format matches its order ticket.
    format: z
      .object({ variants: z.array(z.string()), fields: z.array(PinnedField), unsaid: z.record(z.string(), z.string()) })
      .nullable()
      .default(null),
  }),
)

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** The user's trusted contracts, signing formats, watched wallets and other settings of a profile. */
const accountRecords = {
  pinnedRouters: text('pin/{profile}/router', Address),
  pinnedTokens: text('pin/{profile}/token', Address),
  pinnedOwnTokens: text('pin/{profile}/token/svc', Address),
  pinnedLayouts: record('pin/{profile}/layout/{kind}', StoredLayouts),
  trustedContracts: record('pin/{profile}/trusted', z.array(z.string())),
  /** The service changes that the user accepted. */
  agreedDrifts: record('drift/{profile}/agreed', z.array(ServiceChange)),
  /**
   * The profile's field map, as text. This record accepts any text, because the code of the field map checks version and content. Settings shows
   * the parts that the app can't read, and undo restores the whole text.
   */
  fieldMaps: text('field-map/{profile}'),
  fieldMapsBefore: text('field-map/{profile}/before'),
  /** Earlier form of the field map: the request field names of each action. */
  formerFieldNames: record('corrections/{profile}', z.record(z.string(), z.unknown())),
  watchedWallets: record('watch/{profile}/{address}', WatchedWallet),
  favouriteMarkets: record('markets/{profile}/favourites', z.array(z.number().int())),
  /** The user's thresholds for risk alerts. `whose` is `own` or `watched`. */
  riskThresholds: record('alerts/{profile}/{whose}/{wallet}/thresholds', RiskThresholds),
  /**
   * Risk alerts that the app has shown and whose value hasn't recovered yet. The app doesn't show these again. Each entry is `health`, or a
   * position's market and side.
   */
  riskAlerts: record('alerts/{profile}/{whose}/{wallet}/told', z.array(z.string())),
  /**
   * Items that the user snoozed in the attention list. `atMs`: when. `untilMs`: until when; null means until `facts` change. `harm`: how bad the
   * item was; if it gets worse, the app shows the item again.
   */
  snoozes: record('snooze/{profile}/{wallet}/{item}', z.object({ untilMs: z.number().nullable(), facts: z.string(), harm: z.number(), atMs: z.number() })),
  /** The notices of the last 30 days, with IDs in order of time. `wallet` is null if the app knew no wallet at the time. */
  notices: record('notice/{profile}/{id}', KeptNoticeRow.extend({ wallet: z.string().nullable() })),
  hiddenColumns: record('account/{profile}/columns', z.array(z.string())),
}

/** A profile as stored. Its RPC URL is not included: it may contain a key, so the vault stores it encrypted. */
export const StoredProfile = z.object({
  id: z.string(),
  name: z.string(),
  hostUrl: z.string(),
  rpcHost: z.string().nullable(),
  secondHostUrl: z.string().nullable().default(null),
  createdAtMs: z.number(),
})
export type StoredProfile = z.infer<typeof StoredProfile>

const Bounds = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(1), height: z.number().int().min(1) })

/** Every kind of record in the database table `values`. The app can't write a record whose name matches none of these patterns. */
export const families = {
  ...intentRecords,
  ...keyRecords,
  ...gatewayRecords,
  ...accountRecords,
  /** The user's settings. A missing setting has its default value. */
  settings: record('settings', Settings.partial()),
  /** The user's profiles. The journal's table `promises` lists them a second time, so that the app can detect a lost profile. */
  profiles: record('profile/{id}', StoredProfile),
  activeProfile: text('profiles.active'),
  practiceSecondHost: mark('profiles.practice.second', 'on'),
  practiceSeed: record('practice.seed', z.number().int().positive()),
  windowBounds: record('window.bounds', Bounds),
  /** The last bounds of a pop-out window of each kind. */
  popoutBounds: record('popout/{kind}/bounds', Bounds),
  /** The pop-out windows that are open now, or that were open when the app quit or locked. */
  openPopouts: record('popouts/{profile}/open', z.array(z.object({ view: PopoutView, bounds: Bounds }))),
  /**
   * The newest release statement that the publisher signed and this computer has seen, and the version about which the user got a notice. The app
   * refuses an older statement.
   */
  updates: record('updates', z.strictObject({ version: z.string(), issuedAtMs: z.number(), noticed: z.string().nullable() })),
  shownRouters: text('shown-router/{profile}', accountRecords.pinnedRouters.schema),
  /** The value that the journal writes to test whether the disk is full. */
  journalProbe: text('journal.probe'),
  /** The name of the damaged journal file that was moved away, until the user accepts the loss. */
  journalRebuilt: text('journal.rebuilt'),
  /** This record exists if a new journal replaced a damaged one. The settings in the damaged journal, such as risk limits, are lost. */
  journalLost: text('journal.lost'),
  /** The IDs of the unreadable journal entries that the app has already reported to the user. */
  journalUnread: text('journal.unread'),
} as const

/**
 * Whether a backup contains each kind of record. A backup never contains an unfinished operation (a draft, a replacement, a bulk action), because
 * two computers could then continue the same operation. A new kind of record does not compile without an entry here.
 */
export const inBackup: Readonly<Record<keyof typeof families, boolean>> = {
  nonces: true,
  passed: true,
  fills: true,
  executions: true,
  payments: true,
  presets: true,
  ticketSettings: true,
  guardRails: true,
  bulkActions: false,
  revokeAllRuns: false,
  serviceChecks: true,
  checkAnswers: true,
  checkDismissed: true,
  keyFacts: true,
  consoleKeys: true,
  chosenKeys: true,
  keyNotes: true,
  keyDrafts: false,
  grantDrafts: false,
  grantEnds: true,
  replacements: false,
  fleetPlans: false,
  doctorReports: true,
  endNotices: true,
  auditReadAt: true,
  auditReadWith: true,
  auditSyncedTo: true,
  // The next records name keychain entries or folders of one computer, so a backup leaves them out.
  soughtKeys: false,
  soughtWebhooks: false,
  formerKeys: false,
  formerWebhooks: false,
  writingKeys: false,
  writingWebhooks: false,
  leakFolders: false,
  // Records of the gateway. A restored backup must not let the same bot act on two computers.
  gatewaySettings: false,
  bots: false,
  formerBotKeys: false,
  botCalls: false,
  botIntents: false,
  // Records about the account.
  pinnedRouters: true,
  pinnedTokens: true,
  pinnedOwnTokens: true,
  pinnedLayouts: true,
  trustedContracts: true,
  agreedDrifts: true,
  fieldMaps: true,
  fieldMapsBefore: true,
  formerFieldNames: true,
  watchedWallets: true,
  favouriteMarkets: true,
  riskThresholds: true,
  riskAlerts: true,
  snoozes: true,
  notices: true,
  hiddenColumns: true,
  // Records of the app itself. A backup leaves out windows, practice and the active profile, because they belong to one computer.
  settings: true,
  profiles: true,
  activeProfile: false,
  practiceSecondHost: false,
  practiceSeed: false,
  windowBounds: false,
  popoutBounds: false,
  openPopouts: false,
  updates: false,
  shownRouters: false,
  journalProbe: false,
  journalRebuilt: true,
  journalLost: true,
  journalUnread: false,
}

const Session = z.object({
  wallet: z.string(),
  bearer: z.string(),
  expiresAtMs: z.number(),
  /** True if the app erased the bearer token before it expired, because the service refused it. */
  refused: z.boolean().default(false),
  developer: z.string().nullable().default(null),
})
export type StoredSession = z.output<typeof Session>

/** The last settings of the webhook lab. The webhook's URL is stored with them, so that the user recognises the webhook even after it was removed. */
const StoredLab = z.strictObject({ settings: z.strictObject(LabSettings.shape), webhookUrl: z.string().max(2_048) })
export type StoredLab = z.infer<typeof StoredLab>

/** The last test of a webhook receiver, with its report. */
const StoredReceiverTest = z.strictObject({
  setup: z.strictObject(ReceiverTestSetup.shape),
  report: z.strictObject({
    verdict: z.enum(['passed', 'failed', 'stopped']),
    url: z.string(),
    secret: z.enum(['throwaway', 'own']),
    startedAtMs: z.number(),
    endedAtMs: z.number(),
    checks: z.array(z.strictObject(ReceiverTestCheck.shape)),
  }),
})
export type StoredReceiverTest = z.infer<typeof StoredReceiverTest>

const SpokenTest = z.looseObject({
  report: z.looseObject({
    checks: z.array(
      z.looseObject({
        title: z.string(),
        why: z.string(),
        exchanges: z.array(
          z.looseObject({
            sent: z.looseObject({ altered: z.string().nullable() }),
            answered: z.object({ status: z.number().nullable(), ms: z.number(), text: z.string() }),
          }),
        ),
      }),
    ),
  }),
})

/** Converts version 1 of a receiver test, which stores explanations as sentences. The app shows those sentences unchanged. */
function testWithCodes(written: unknown): unknown {
  const spoken = SpokenTest.safeParse(written)
  if (!spoken.success) return written
  const { report, ...rest } = spoken.data
  const checks = report.checks.map(({ title: _, why, exchanges, ...check }) => ({
    ...check,
    why: { code: 'as_stored', text: why },
    exchanges: exchanges.map(({ sent, answered: { text: said, ...answered } }) => ({
      sent: { ...sent, altered: sent.altered === null ? null : { text: sent.altered } },
      answered: { ...answered, outcome: 'as_stored', code: '', said },
    })),
  }))
  return { ...rest, report: { ...report, checks } }
}

/** Every kind of encrypted record that the vault stores. */
export const sealedFamilies = {
  sessions: record('session/{profile}/{wallet}', Session),
  /** Signatures that the app hasn't sent yet: for an intent, for the grant of a new key, or for the grant of an existing key's agent. */
  signatures: text('signature/{profile}/{ref}'),
  keyGrantSignatures: text('grant-signature/{profile}/{draftId}'),
  agentGrantSignatures: text('agent-grant-signature/{profile}/{keyId}'),
  /** The data of the WalletConnect library. */
  walletConnect: text('walletconnect/{profile}/{key}'),
  rpcUrls: text('rpc/{profile}', z.url()),
  labs: record('lab/{profile}', StoredLab),
  receiverTests: record('receiver-test/{profile}', StoredReceiverTest, testWithCodes),
} as const

/**
 * Like `inBackup`, for the vault. A backup contains no sign-in, no signature and no wallet pairing. Otherwise a second computer could use them too,
 * and both computers would act for the user.
 */
export const sealedInBackup: Readonly<Record<keyof typeof sealedFamilies, boolean>> = {
  sessions: false,
  signatures: false,
  keyGrantSignatures: false,
  agentGrantSignatures: false,
  walletConnect: false,
  rpcUrls: true,
  labs: true,
  receiverTests: true,
}

export type Records = RecordsOf<typeof families>
export type SealedRecords = SealedOf<typeof sealedFamilies>
