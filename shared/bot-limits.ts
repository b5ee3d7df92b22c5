/** Smallest and largest whole number of each setting of a gateway's bot. Schemas, the page's form and the terminal use the same ranges. */
export const botRanges = { ordersPerMinute: [1, 6_000], silenceSeconds: [10, 86_400], tokenDays: [1, 2_000] } as const

/** Reads a typed whole number. null: there is none, or it is outside the range. */
export const wholeIn = (typed: string | undefined, [from, to]: readonly [number, number]): number | null => {
  const value = /^\d{1,6}$/.test(typed?.trim() ?? '') ? Number(typed) : from - 1
  return value >= from && value <= to ? value : null
}
