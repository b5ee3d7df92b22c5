import { z } from 'zod'
import { ReceiverTestCheck, ReceiverTestSetup } from '../../../shared/ipc/webhooks/receiver-test.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { createSealedRecord, type SealedRecord } from '../../store/secrets/sealed-record.ts'
import type { ReceiverReport } from './report.ts'

/** What was tested last, and its report. */
export interface KeptTest {
  readonly setup: ReceiverTestSetup
  readonly report: ReceiverReport
}

const KeptTest: z.ZodType<KeptTest> = z.strictObject({
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

/** Sealed, since the receiver's address may hold a token, and what it answers is its own. */
export const createKeptTest = (vault: Vault, profileId: string): SealedRecord<KeptTest> =>
  createSealedRecord({ name: `receiver-test/${profileId}`, schema: KeptTest, vault })
