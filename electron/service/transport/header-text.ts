/** The one value of a header, or its first; null when it is absent. */
export const headerText = (value: string | string[] | undefined): string | null => (Array.isArray(value) ? (value[0] ?? null) : (value ?? null))
