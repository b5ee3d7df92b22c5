import type { CheckedField } from '../ipc/host/service-check.ts'

/** Fields that the user may set right: found nowhere, or where they cannot be read. */
export const isOpen = (field: CheckedField): boolean =>
  !field.documented && (field.state === 'unknown' || (field.state === 'missing' && (field.required || field.suggestions.length > 0)))
