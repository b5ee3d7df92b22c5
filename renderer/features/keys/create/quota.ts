/** One limit as typed (KEY-04). The names and caps are not shown in the document: the service's own words tell what it refuses. */
export interface TypedQuota {
  readonly name: string
  readonly value: string
}

/** What is wrong with a row; null when it may be sent. A row that is all empty is left out. */
export function quotaIssue({ name, value }: TypedQuota, others: readonly TypedQuota[]): string | null {
  if (name.trim() === '' && value.trim() === '') return null
  if (name.trim() === '') return 'Name the limit.'
  if (others.some((other) => other.name.trim() === name.trim())) return 'This limit is listed already.'
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(value.trim())) return 'Give a number, for example 20.'
  return null
}

export const sentQuotas = (quotas: readonly TypedQuota[]): TypedQuota[] =>
  quotas.filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
