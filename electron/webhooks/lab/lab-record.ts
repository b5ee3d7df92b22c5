import type { Captures } from './captures.ts'

/** What the lab received in this run, for comparison with the expected events. */
export interface LabRecord {
  readonly webhookId: string | null
  readonly captures: Captures
  /** Unix ms of each period in which the lab listened; `toMs` is `null` while the lab still listens. */
  readonly spans: readonly { readonly fromMs: number; readonly toMs: number | null }[]
}
