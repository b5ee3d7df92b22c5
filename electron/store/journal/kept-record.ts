import type { z } from 'zod'
import type { Values } from './journal.ts'

/** One record that outlives the run. */
export interface KeptRecord<T> {
  /** null: there is none, or what is written is none. */
  read(): T | null
  /** Never throws: what the journal does not take stays in memory for this run, since nothing on this computer holds back what ends risk. */
  keep(record: T): void
}

/** What reads a record; throws where it is none. */
interface Schema<T> {
  parse(value: unknown): T
}

/** null: there is none, or it is none of this shape. */
export function readRecord<T>(schema: Schema<T>, text: string | null): T | null {
  try {
    return text === null ? null : schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** As `readRecord`, of a value that the user would miss: where it cannot be read it is told of by its name. */
export function readValue<T>(values: Pick<Values, 'get' | 'cannotRead'>, name: string, schema: z.ZodType<T>): T | null {
  const text = values.get(name)
  const read = readRecord(schema, text)
  if (text !== null && read === null) values.cannotRead?.(name)
  return read
}

/** All values under a prefix that can be read; the others are told of. */
export function readValues<T>(values: Pick<Values, 'withPrefix' | 'cannotRead'>, prefix: string, schema: z.ZodType<T>): T[] {
  return values.withPrefix(prefix).flatMap(({ name, value }) => {
    const read = readRecord(schema, value)
    if (read !== null) return [read]
    values.cannotRead?.(name)
    return []
  })
}

export function createKeptRecord<T>({
  name,
  schema,
  values,
}: {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly values: Pick<Values, 'get' | 'set'>
}): KeptRecord<T> {
  let kept: T | null | undefined

  const stored = (): T | null => {
    try {
      return readRecord(schema, values.get(name))
    } catch {
      // The journal is gone.
      return null
    }
  }

  return {
    read: () => {
      if (kept === undefined) kept = stored()
      return kept
    },
    keep: (record) => {
      kept = record
      try {
        values.set(name, JSON.stringify(record))
      } catch {
        // The disk is full, or the journal is gone.
      }
    },
  }
}
