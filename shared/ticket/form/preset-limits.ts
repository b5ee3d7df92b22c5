/** Presets that a profile keeps, and the characters of their names. */
export const presetLimits = { most: 20, longestName: 40 } as const
