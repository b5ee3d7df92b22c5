import { z } from 'zod'
import { Settings } from '../../../shared/ipc/host/app.ts'
import { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { ReceiverTestCheck, ReceiverTestSetup } from '../../../shared/ipc/webhooks/receiver-test.ts'
import type { RecordsOf, SealedOf } from './access.ts'
import { accountRecords } from './account-records.ts'
import { intentRecords } from './intent-records.ts'
import { keyRecords } from './key-records.ts'
import { mark, record, text } from './record.ts'

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
