import type { Captures } from './captures.ts'

/** What the lab has heard in this run, for those who compare it with what was to come. */
export interface LabRecord {
  readonly webhookId: string | null
  readonly captures: Captures
  /** When it listened, Unix ms; `toMs` null: still. */
  readonly spans: readonly { readonly fromMs: number; readonly toMs: number | null }[]
}
