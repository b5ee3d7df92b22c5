import type { FieldMapBook } from './field-map.ts'

/** What is kept of answers, as they are read with one field map: with another map it is made again. */
export function perFieldMap<T>(answers: FieldMapBook['answers'], make: () => T): () => T {
  let map = answers()
  let kept = make()
  return () => {
    const now = answers()
    if (now !== map) [map, kept] = [now, make()]
    return kept
  }
}
