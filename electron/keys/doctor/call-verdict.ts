import type { Result } from '../../../shared/result.ts'
import type { ApiFailure } from '../../service/transport/api-client.ts'

/**
 * What one call with a key tells about the key.
 * works: answered. body: it got as far as what was asked, and that was refused. scope, executor, address: refused for want of it.
 * rejected: a 401 that names no reason: the service does not know the secret, or revoked it. down: no answer of the service itself.
 */
export type CallVerdict = 'works' | 'body' | 'scope' | 'executor' | 'address' | 'expired' | 'revoked' | 'rejected' | 'limited' | 'down' | 'unclear'

export interface CallFinding {
  readonly verdict: CallVerdict
  /** The service's own code, where it named one. */
  readonly code: string | null
  readonly ms: number
  readonly requestId: string | null
  /** For `address`: the key's list as last read, and the address that the answer named. */
  readonly allowlist: readonly string[]
  readonly seenAs: string | null
}

/** Codes of a 401 are not shown in the document but for `API_KEY_REQUIRED`: the usual words decide. */
const rejection = (code: string | null): CallVerdict =>
  /EXPIRED/i.test(code ?? '') ? 'expired' : /REVOKED|DISABLED|DELETED/i.test(code ?? '') ? 'revoked' : 'rejected'

function refusal(status: number, code: string | null): CallVerdict {
  if (status === 401) return rejection(code)
  if (status === 403) return /executor/i.test(code ?? '') ? 'executor' : /SCOPE|PERMISSION/i.test(code ?? '') ? 'scope' : 'unclear'
  if (status >= 400 && status < 500) return 'body'
  return status < 300 ? 'body' : 'down'
}

function verdictOf({ failure }: ApiFailure): { readonly verdict: CallVerdict; readonly code: string | null } {
  switch (failure.kind) {
    case 'refused':
      return { verdict: refusal(failure.status, failure.code), code: failure.code }
    case 'scope_missing':
      return { verdict: 'scope', code: failure.scope }
    case 'executor_required':
      return { verdict: 'executor', code: 'delegated_executor_binding_required' }
    case 'ip_not_allowed':
      return { verdict: 'address', code: 'IP_NOT_ALLOWED' }
    case 'api_key_required':
      return { verdict: 'rejected', code: 'API_KEY_REQUIRED' }
    case 'rate_limited':
      return { verdict: 'limited', code: null }
    case 'price_deviation':
    case 'market_data_stale':
    case 'idempotency_conflict':
      return { verdict: 'body', code: failure.kind }
    case 'unreachable':
    case 'outcome_unknown':
      return { verdict: 'down', code: null }
    default:
      return { verdict: 'unclear', code: failure.kind }
  }
}

/** `ms`: how long the call took. */
export function findingOf(answer: Result<{ readonly requestId: string | null }, ApiFailure>, ms: number): CallFinding {
  const common = { ms: Math.round(ms), allowlist: [], seenAs: null }
  if (answer.ok) return { ...common, verdict: 'works', code: null, requestId: answer.value.requestId }
  const { failure } = answer.failure
  const refused = failure.kind === 'ip_not_allowed' ? { allowlist: failure.allowlist, seenAs: failure.seenAs } : {}
  return { ...common, ...refused, ...verdictOf(answer.failure), requestId: answer.failure.requestId ?? null }
}
