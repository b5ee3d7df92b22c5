import type { CheckedField, CheckOutcome } from './ipc/host/service-check.ts'

/** How many steps of a service check had which result. Leaves out steps for which the account has no data or the keys lack the rights. */
export interface CheckCounts {
  readonly read: number
  readonly partly: number
  /** Number of answers that were unreadable or failed, or that executed a command although the app asked for a dry run. */
  readonly not: number
}

const counted: Partial<Readonly<Record<CheckOutcome, keyof CheckCounts>>> = {
  read: 'read',
  empty: 'read',
  refused_as_expected: 'read',
  partly: 'partly',
  not: 'not',
  failed: 'not',
  acted: 'not',
}

export function countsOf(rows: readonly { readonly outcome: CheckOutcome }[]): CheckCounts {
  const counts = { read: 0, partly: 0, not: 0 }
  for (const { outcome } of rows) {
    const as = counted[outcome]
    if (as !== undefined) counts[as] += 1
  }
  return counts
}

export const countsText = ({ read, partly, not }: CheckCounts): string => `${read} read, ${partly} partly read, ${not} not read`

/**
 * Whether the app failed to read the field: its value is unreadable, a required field is missing, or the field may have another name. An optional field
 * that the answer simply lacks does not count.
 */
export const isUnread = ({ state, required, documented, suggestions }: CheckedField): boolean =>
  state === 'unknown' || (state === 'missing' && (required || (!documented && suggestions.length > 0)))

/** Whether the user can fix the field with a field map. */
export const isOpen = (field: CheckedField): boolean => !field.documented && isUnread(field)
