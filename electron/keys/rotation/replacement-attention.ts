import type { Attention } from '../../../shared/ipc/host/app.ts'
import type { StoredReplacement } from './stored-replacement.ts'

const sentences = {
  no_room: 'As many keys are active as the service allows. Revoke one, then try again.',
  creation_unknown: 'The answer was lost. See what the service lists, then rotate or revoke it.',
  creation_unnamed: 'A creation was left without knowing what came of it.',
  old_key_gone: 'The old key is revoked already.',
  new_key_gone: 'The new key has ended or was revoked.',
  new_key_dead: 'The service refuses the new key’s secret. Rotate the new key.',
  secret_lost: 'The new key’s secret is not on this computer. Rotate the new key.',
} as const

/** Replacements that are due, under way or stuck. A scheduled one is silent until its time. */
export function replacementAttention(open: readonly StoredReplacement[], nowMs: number): Attention[] {
  return open.flatMap((replacement): Attention[] => {
    const { id, now, oldKeyId, oldLabel, plan, notBeforeMs, updatedAtMs } = replacement
    const common = { id: `replacement:${id}`, atMs: updatedAtMs, untilMs: null, action: { label: 'Go on', to: `/keys/${oldKeyId}/replace` } }
    if (now.state === 'stuck')
      return [{ ...common, kind: 'replacement_stuck', severity: 'warn', title: `${oldLabel}: its replacement is stuck`, text: sentences[now.reason] }]
    if (now.state === 'planned' && notBeforeMs !== null && notBeforeMs > nowMs) return []
    const text =
      now.state === 'planned'
        ? plan.agent === 'none'
          ? 'It makes a new key beside the old one.'
          : 'It makes a new key beside the old one. Your wallet signs once.'
        : `Both keys work until ${oldLabel} is revoked.`
    const title = now.state === 'planned' ? `${oldLabel}: time to replace it` : `${oldLabel}: its replacement is not finished`
    return [{ ...common, kind: 'replacement_due', severity: now.state === 'planned' && notBeforeMs !== null ? 'warn' : 'info', title, text }]
  })
}
