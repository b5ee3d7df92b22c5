import { z } from 'zod'
import { Settings } from '../../../shared/ipc/host/app.ts'
import { Drift } from '../../../shared/ipc/host/service.ts'
import { RiskThresholds, WatchedWallet } from '../../../shared/ipc/reads/account.ts'
import { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { ReceiverTestCheck, ReceiverTestSetup } from '../../../shared/ipc/webhooks/receiver-test.ts'
import type { LayoutPin } from '../../../shared/signing/pins.ts'
import type { RecordsOf, SealedOf } from './access.ts'
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

const StoredLayouts: z.ZodType<readonly LayoutPin[]> = z.array(
  z.object({
    hash: z.string(),
    usdcScale: z.number().nullable(),
    priceScale: z.number().nullable(),
    leverageScale: z.number().nullable(),
    // Layouts that were confirmed before sizes were read have none.
    sizeScale: z.number().nullable().default(null),
    // Those that were confirmed before meanings were kept get them with the next message that says what was asked for.
    format: z
      .object({ variants: z.array(z.string()), fields: z.array(PinnedField), unsaid: z.record(z.string(), z.string()) })
      .nullable()
      .default(null),
  }),
)

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** What is pinned, agreed to and watched: of the wallet, the service and what is read. */
const accountRecords = {
  pinnedRouters: text('pin/{profile}/router', Address),
  pinnedTokens: text('pin/{profile}/token', Address),
  pinnedOwnTokens: text('pin/{profile}/token/svc', Address),
  pinnedLayouts: record('pin/{profile}/layout/{kind}', StoredLayouts),
  trustedContracts: record('pin/{profile}/trusted', z.array(z.string())),
  /** The drifts that the user agreed to. */
  agreedDrifts: record('drift/{profile}/agreed', z.array(Drift)),
  /** Any text: the field map has versions of its own, says in Settings what it cannot read, and gives it back by undo. */
  fieldMaps: text('field-map/{profile}'),
  fieldMapsBefore: text('field-map/{profile}/before'),
  /** From before there were field maps: by request, the names of its fields. */
  formerFieldNames: record('corrections/{profile}', z.record(z.string(), z.unknown())),
  watchedWallets: record('watch/{profile}/{address}', WatchedWallet),
  favouriteMarkets: record('markets/{profile}/favourites', z.array(z.number().int())),
  /** `whose`: `own` or `watched`. */
  riskThresholds: record('alerts/{profile}/{whose}/{wallet}/thresholds', RiskThresholds),
  /** What was told of and has not recovered: `health`, or a position's market and side. */
  riskAlerts: record('alerts/{profile}/{whose}/{wallet}/told', z.array(z.string())),
  hiddenColumns: record('account/{profile}/columns', z.array(z.string())),
}

/** What is kept of a profile. Its RPC's URL may hold a key and stands in the vault. */
const StoredProfile = z.object({
  id: z.string(),
  name: z.string(),
  hostUrl: z.string(),
  rpcHost: z.string().nullable(),
  secondHostUrl: z.string().nullable().default(null),
  createdAtMs: z.number(),
})
export type StoredProfile = z.infer<typeof StoredProfile>

/** Every family of the table `values`. A name that is not here cannot be written. */
export const families = {
  ...intentRecords,
  ...keyRecords,
  ...accountRecords,
  /** Defaults are in the place of what is missing. */
  settings: record('settings', Settings.partial()),
  /** Promised by the journal. */
  profiles: record('profile/{id}', StoredProfile),
  activeProfile: text('profiles.active'),
  practiceSecondHost: mark('profiles.practice.second', 'on'),
  practiceSeed: record('practice.seed', z.number().int().positive()),
  windowBounds: record(
    'window.bounds',
    z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(1), height: z.number().int().min(1) }),
  ),
  shownRouters: text('shown-router/{profile}', accountRecords.pinnedRouters.schema),
  /** Of the journal itself: its probe of the disk, and what it reports of a loss. */
  journalProbe: text('journal.probe'),
  /** The file under which a damaged journal was put away, until the user accepts it. */
  journalRebuilt: text('journal.rebuilt'),
  /** Stays in a journal that was begun after a damaged one: what the user had settled there is gone. */
  journalLost: text('journal.lost'),
  /** The ids of the entries that the user was told of. */
  journalUnread: text('journal.unread'),
} as const

const Session = z.object({
  wallet: z.string(),
  bearer: z.string(),
  expiresAtMs: z.number(),
  /** Its bearer was erased before its time was over. */
  refused: z.boolean().default(false),
  developer: z.string().nullable().default(null),
})
export type StoredSession = z.output<typeof Session>

/** What the lab was told the last time. `webhookUrl`: what the user knows the webhook by, should it be gone. */
const StoredLab = z.strictObject({ settings: z.strictObject(LabSettings.shape), webhookUrl: z.string().max(2_048) })
export type StoredLab = z.infer<typeof StoredLab>

/** What was tested last, and its report. */
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

/** Version 1 of a receiver test holds sentences, which are shown as they were. */
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

/** Every family of the vault. */
export const sealedFamilies = {
  sessions: record('session/{profile}/{wallet}', Session),
  /** Signatures that were not sent yet: of intents, of a new key's grant, of an agent's grant. */
  signatures: text('signature/{profile}/{ref}'),
  keyGrantSignatures: text('grant-signature/{profile}/{draftId}'),
  agentGrantSignatures: text('agent-grant-signature/{profile}/{keyId}'),
  /** The wallet library's own store. */
  walletConnect: text('walletconnect/{profile}/{key}'),
  rpcUrls: text('rpc/{profile}', z.url()),
  labs: record('lab/{profile}', StoredLab),
  receiverTests: record('receiver-test/{profile}', StoredReceiverTest, testWithCodes),
} as const

export type Records = RecordsOf<typeof families>
export type SealedRecords = SealedOf<typeof sealedFamilies>
