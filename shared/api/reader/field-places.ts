/** Where one field of a resource stands in this service's answers, as the user has said. */
export interface FieldPlace {
  /** Names from the record inwards, joined by dots: `prices.mark`. */
  readonly path: string
  /** As unit words: `usdc`, `base`, `percent`, `fraction`, `bps`, `usdc e6`. Absent: as the name says. */
  readonly unit?: string
}

/** Per profile: resource → field → place. It never applies to what the document shows (`Field.documented`). */
export type FieldMap = Readonly<Record<string, Readonly<Record<string, FieldPlace>>>>
