import type { Failure } from '../../../shared/ipc/failure.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'

interface Query {
  readonly data: unknown
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** Why a query has nothing to show; null while it has, or is still being read. */
export const missing = ({ data, error }: Pick<Query, 'data' | 'error'>): Failure | null => (data === undefined && error !== null ? failureOf(error) : null)

/** In the place of what could not be read. */
export function Unread({ query, small = false }: { readonly query: Query; readonly small?: boolean }) {
  const failure = missing(query)
  if (failure === null) return null
  const retry = { onRetry: () => void query.refetch(), retrying: query.isFetching }
  return small ? <FailureNote failure={failure} {...retry} /> : <FailurePanel failure={failure} {...retry} />
}
