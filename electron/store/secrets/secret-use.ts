import type { SecretKind } from './secret-accounts.ts'

/** One use of a secret, for the audit. Nothing in it is secret. */
export interface SecretUse {
  readonly use: 'copied' | 'revealed' | 'saved' | 'run' | 'handed_over'
  readonly profileId: string
  /** Absent: of a key. */
  readonly of?: SecretKind
  /** Of the key, or of the webhook. */
  readonly keyId: string
  readonly label: string
  /** Where it went: a path, a command's words, a target. null: nowhere beyond the screen. */
  readonly to: string | null
  readonly by: 'app' | 'terminal'
  readonly outcome: 'done' | 'failed' | 'denied'
}

export type NoteSecretUse = (use: SecretUse) => void
