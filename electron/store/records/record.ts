import { z } from 'zod'

type PartNames<Name extends string> = Name extends `${string}{${infer Part}}${infer Rest}` ? Part | PartNames<Rest> : never

/** The parts of a record's name, for example `{ profile, wallet }` of `guards/{profile}/{wallet}`. */
export type KeyOf<Name extends string> = { readonly [Part in PartNames<Name>]: string }

/** All records of one kind: their names, form, schema and versions. */
export interface Family<Name extends string = string, T = unknown, Form extends 'text' | 'json' = 'text' | 'json'> {
  /** The pattern of the names. `{part}` is a placeholder for a part of the key. Only the last part may contain slashes. */
  readonly name: Name
  readonly schema: z.ZodType<T>
  /** Whether the records are plain text or JSON. */
  readonly form: Form
  /** The version that the app writes, from 1. Records stored before versions existed count as version 1. */
  readonly version: number
  /** The conversions in order: from version 1 to 2, from version 2 to 3, and so on. */
  readonly older: readonly Migration[]
}

export type Migration = (record: unknown) => unknown

/** Declares a kind of record (`Family`) that is stored as JSON. `older` has one conversion for each earlier version, oldest first. */
export const record = <const Name extends string, T>(name: Name, schema: z.ZodType<T>, ...older: readonly Migration[]): Family<Name, T, 'json'> => ({
  ...{ name, schema, form: 'json', version: older.length + 1, older },
})

/** Declares a kind of record (`Family`) that is stored as plain text. Without a schema, any text is valid. */
export const text = <const Name extends string>(name: Name, schema: z.ZodType<string> = z.string()): Family<Name, string, 'text'> => ({
  ...{ name, schema, form: 'text', version: 1, older: [] },
})

/** Declares a kind of record (`Family`) that has no content: a record only exists or does not. */
export const mark = <const Name extends string>(name: Name, word: string): Family<Name, string, 'text'> => text(name, z.literal(word))

/** Parses a record's JSON. Returns null if there is no text, or if the text isn't JSON that matches the schema. */
export function readRecord<T>(schema: { parse(value: unknown): T }, json: string | null): T | null {
  try {
    return json === null ? null : schema.parse(JSON.parse(json))
  } catch {
    return null
  }
}

/** Converts and parses a stored record. Returns null if its text is not valid, or if a newer version of the app wrote it. */
export function decode<T>({ schema, form, version, older }: Family<string, T>, value: string, from: number): T | null {
  if (from > version) return null
  const brought = z
    .unknown()
    .transform((written) => older.slice(from - 1).reduce((before, migrate) => migrate(before), written))
    .pipe(schema)
  if (form === 'json') return readRecord(brought, value)
  const read = schema.safeParse(value)
  return read.success ? read.data : null
}

export const encode = <T>({ form }: Family<string, T>, value: T): string => (form === 'text' ? String(value) : JSON.stringify(value))

const part = /\{(\w+)\}/g

export const nameOf = <Name extends string>({ name }: Pick<Family<Name>, 'name'>, key: KeyOf<Name>): string =>
  name.replace(part, (_, of: string) => (key as Readonly<Record<string, string>>)[of] ?? '')

/** Builds the common prefix of all record names whose key starts with the given parts. */
export function prefixOf<Name extends string>({ name }: Family<Name>, key: Partial<KeyOf<Name>>): string {
  const given = key as Readonly<Record<string, string | undefined>>
  let prefix = ''
  for (const [index, piece] of name.split(part).entries()) {
    if (index % 2 === 0) prefix += piece
    else if (given[piece] === undefined) return prefix
    else prefix += given[piece]
  }
  return prefix
}

/**
 * Returns a function that extracts the key from a record's name. The function returns null if the name does not match the pattern of this kind of
 * record.
 */
export function matcher<Name extends string>({ name }: Family<Name>): (written: string) => KeyOf<Name> | null {
  const pieces = name.split(part)
  const pattern = pieces.map((piece, index) =>
    index % 2 === 0 ? piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : `(?<${piece}>${index === pieces.length - 2 && pieces.at(-1) === '' ? '.+' : '[^/]+'})`,
  )
  const expression = new RegExp(`^${pattern.join('')}$`, 's')
  return (written) => {
    const found = expression.exec(written)
    return found === null ? null : ({ ...found.groups } as KeyOf<Name>)
  }
}
