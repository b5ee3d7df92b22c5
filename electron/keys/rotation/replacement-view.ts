import type { Replacement, ReplacementStep } from '../../../shared/ipc/keys/replacements.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { StoredReplacement } from './stored-replacement.ts'

/** A replacement as the window sees it, with the steps that it may be taken to. */
export function replacementView(stored: StoredReplacement, credentials: Pick<Credentials, 'whereIs' | 'facts'>, nowMs: number): Replacement {
  const { id, oldKeyId, oldLabel, plan, now, newKeyId, notBeforeMs, createdAtMs, updatedAtMs, steps } = stored
  return {
    id,
    oldKey: { id: oldKeyId, label: oldLabel },
    newKey: newKeyId === null ? null : { id: newKeyId, label: credentials.facts(newKeyId)?.label ?? plan.label, kept: kept(newKeyId, credentials) },
    plan,
    now,
    next: nextSteps(stored),
    notBeforeMs,
    due: now.state === 'planned' && (notBeforeMs === null || notBeforeMs <= nowMs),
    createdAtMs,
    updatedAtMs,
    steps,
  }
}

const kept = (keyId: string, { whereIs, facts }: Pick<Credentials, 'whereIs' | 'facts'>) => {
  const where = whereIs(keyId)
  return where === 'elsewhere' && facts(keyId)?.removed === true ? 'removed' : where
}

export function nextSteps({ now }: StoredReplacement): ReplacementStep[] {
  switch (now.state) {
    case 'planned':
      return ['begin', 'abandon']
    case 'granting':
      return now.by === 'preparation' ? ['sign_grant', 'check', 'abandon'] : ['sign_agent', 'check', 'without_agent', 'abandon']
    case 'created':
      return ['probe', 'abandon']
    case 'probed':
      return now.verdict === 'works' ? ['handed_over', 'abandon'] : ['handed_over', 'probe', 'abandon']
    case 'handed_over':
      return ['revoke', 'check', 'abandon']
    case 'revoking':
      return ['revoke', 'check']
    case 'stuck':
      return ['retry', 'check', 'abandon']
    case 'done':
    case 'abandoned':
      return []
  }
}
