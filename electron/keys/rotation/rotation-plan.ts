import { limits } from '../../../shared/api/limits.ts'
import { defaultScopes, Scope } from '../../../shared/api/scopes.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../shared/ipc/keys/replacements.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { day } from '../../../shared/time.ts'
import { quotaIssue } from '../calls/quotas.ts'

type Plan = Replacement['plan']

const longestLabel = 60

/**
 * What the key in another's place gets: the same scopes, addresses, limits and executor, and the days that are left, at least one. Fails with
 * `bad_input` where the service does not say what the old one has, or in a way that cannot be asked for again.
 */
export function planFor(
  key: KeySummary,
  others: readonly KeySummary[],
  asked: { readonly label: string | null; readonly expiresInDays: number | null },
  nowMs: number,
): Result<Plan, Failure> {
  const unclear = (issue: string) => fail<Failure>({ kind: 'bad_input', field: 'keyId', issue })
  if (key.scopes === null) return unclear('scopes_unknown')
  const scopes = key.scopes.filter((scope) => Scope.safeParse(scope).success)
  if (scopes.length === 0 || scopes.length < key.scopes.length) return unclear('foreign_scope')
  const quotas = key.quotas ?? []
  if (quotaIssue(quotas) !== null) return unclear('foreign_limit')
  return ok({
    label: asked.label ?? nextLabel(key.label, new Set(others.map(({ label }) => label))),
    scopes,
    expiresInDays: asked.expiresInDays ?? daysLeft(key.expiresAtMs, nowMs),
    ipAllowlist: key.allowlist ?? [],
    quotas,
    executor: key.executor,
    agent: agentOf(key),
  })
}

/** A bot-ready key gets the default scopes; other scopes need a key of their own and its agent afterwards. */
function agentOf({ agent, scopes }: KeySummary): Plan['agent'] {
  if (agent === null || agent.granted === false) return 'none'
  const isDefault = scopes?.length === defaultScopes.length && defaultScopes.every((scope) => scopes.includes(scope))
  return isDefault ? 'with_key' : 'after_key'
}

const daysLeft = (expiresAtMs: number | null, nowMs: number): number =>
  expiresAtMs === null
    ? limits.keyExpiryDays.default
    : Math.min(limits.keyExpiryDays.max, Math.max(limits.keyExpiryDays.min, Math.ceil((expiresAtMs - nowMs) / day)))

/** "bot" → "bot 2" → "bot 3": the next number that no key has. */
function nextLabel(label: string, taken: ReadonlySet<string>): string {
  const [, base = label, number] = /^(.*?)(?: (\d{1,6}))?$/s.exec(label) ?? []
  for (let next = Number(number ?? 1) + 1; ; next += 1) {
    const suffix = ` ${next}`
    const candidate = `${base.slice(0, longestLabel - suffix.length)}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}
