import type { CheckedResource } from '../../shared/ipc/service-check.ts'

/**
 * Whether an answer that can be read tells less than one before it: a record lacks a field that it must have, or a field is there and cannot be read,
 * such as one whose unit is another now. What is null, or not there, was not told.
 */
export const tellsLess = (before: readonly CheckedResource[], now: readonly CheckedResource[]): boolean =>
  now.some(({ resource, incomplete, fields }) => {
    const earlier = before.find((one) => one.resource === resource)
    if (earlier === undefined || earlier.records === 0) return false
    if (incomplete > 0 && earlier.incomplete === 0) return true
    return fields.some(({ field, state }) => state === 'unknown' && earlier.fields.some((one) => one.field === field && one.state === 'read'))
  })
