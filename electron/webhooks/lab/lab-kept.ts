import { z } from 'zod'
import { LabSettings } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { createSealedRecord, type SealedRecord } from '../../store/secrets/sealed-record.ts'
import { readForwardTo } from './lab-settings.ts'

/** What the lab was told the last time. `webhookUrl`: what the user knows the webhook by, should it be gone. */
const KeptLab = z
  .strictObject({ settings: z.strictObject(LabSettings.shape), webhookUrl: z.string().max(2_048) })
  .refine(({ settings }) => readForwardTo(settings).ok)
export type KeptLab = z.infer<typeof KeptLab>

/** Sealed, since the address of the user's endpoint may hold a token. */
export const createKeptLab = (vault: Vault, profileId: string): SealedRecord<KeptLab> =>
  createSealedRecord({ name: `lab/${profileId}`, schema: KeptLab, vault })
