import { Secret } from '../../kernel/secret.ts'
import type { Raw, SetAside } from './raw.ts'
import { decode, encode, type Family, type KeyOf, matcher, nameOf, prefixOf } from './record.ts'

/** Reads and writes all records of one kind (`Family`). Sets an unreadable record aside, reports it to the user once, and treats it as missing. */
export interface RecordAccess<Name extends string, T> {
  /** Reads a record; null if it is missing or unreadable. */
  read(key: KeyOf<Name>): T | null
  write(key: KeyOf<Name>, record: T): void
  delete(key: KeyOf<Name>): void
  /** Returns all records whose key starts with the given parts, sorted by name. */
  list(key: Partial<KeyOf<Name>>): { readonly key: KeyOf<Name>; readonly record: T }[]
  /** True if the record was unreadable, and no new record with the same key has been written since. */
  isLost(key: KeyOf<Name>): boolean
  /** Reports to the user that the app cannot use this record. Leaves the record unchanged. */
  report(key: KeyOf<Name>): void
}

/**
 * Access to one kind of record (`Family`) that is encrypted on disk. Each call rejects with `ExpectedFailure` if the keychain doesn't return the
 * encryption key.
 */
export interface SealedAccess<Name extends string, T> {
  read(key: KeyOf<Name>): Promise<T | null>
  write(key: KeyOf<Name>, record: T): Promise<void>
  delete(key: KeyOf<Name>): Promise<void>
  list(key: Partial<KeyOf<Name>>): Promise<{ readonly key: KeyOf<Name>; readonly record: T }[]>
}

export type RecordsOf<Families> = {
  readonly [K in keyof Families]: Families[K] extends Family<infer Name, infer T> ? RecordAccess<Name, T> : never
}
/** Access to every kind (`Family`) of encrypted records. For a record that is plain text and not JSON, reading returns a `Secret`. */
export type SealedOf<Families> = {
  readonly [K in keyof Families]: Families[K] extends Family<infer Name, infer T, infer Form> ? SealedAccess<Name, Form extends 'text' ? Secret : T> : never
}

/**
 * Returns a function that finds a record's family (its kind) by the record's name. If several families match, chooses the one whose name pattern has
 * the most fixed characters.
 */
export function familyFinder(families: readonly Family[]): (name: string) => Family | null {
  const spelled = ({ name }: Family) => name.replace(/\{\w+\}/g, '').length
  const matchers = families.toSorted((a, b) => spelled(b) - spelled(a)).map((family) => ({ family, match: matcher(family) }))
  return (name) => matchers.find(({ match }) => match(name) !== null)?.family ?? null
}

/** Creates access to the records. Reads every stored record at once, so that the app reports a damaged record before it is needed. */
export function createRecords<const Families extends Readonly<Record<string, Family>>>(families: Families, raw: Raw): RecordsOf<Families> {
  const of = familyFinder(Object.values(families))
  for (const { name, value, version } of raw.values.withPrefix('')) {
    const family = of(name)
    if (family !== null && decode(family, value, version) === null) raw.setAside.move(name)
  }
  // An older version of the app sets aside records that a newer version wrote. Restore those that this version can read.
  for (const { name, value, version } of raw.setAside.values()) {
    const family = of(name)
    if (family !== null && raw.values.get(name) === null && decode(family, value, version) !== null) raw.setAside.putBack(name)
  }
  const access = Object.entries(families).map(([name, family]) => [name, accessTo(family, of, raw)])
  return Object.fromEntries(access) as RecordsOf<Families> // The cast is safe: each record family's access is stored under the family's name.
}

function accessTo<Name extends string, T>(family: Family<Name, T>, of: (name: string) => Family | null, raw: Raw): RecordAccess<Name, T> {
  const { values, setAside } = raw
  const keyOf = matcher(family)
  const readRow = ({ name, value, version }: { readonly name: string; readonly value: string; readonly version: number }): T | null => {
    const read = decode(family, value, version)
    if (read === null) setAside.move(name)
    return read
  }
  return {
    read: (key) => {
      const row = values.row(nameOf(family, key))
      return row === null ? null : readRow(row)
    },
    write: (key, record) => {
      const [name, value] = [nameOf(family, key), encode(family, record)]
      const before = values.row(name)
      if (before?.value !== value || before.version !== family.version) values.set(name, value, family.version)
    },
    delete: (key) => values.set(nameOf(family, key), null),
    list: (given) =>
      values.withPrefix(prefixOf(family, given)).flatMap((row) => {
        const key = of(row.name) === family ? keyOf(row.name) : null
        const read = key === null ? null : readRow(row)
        return key === null || read === null ? [] : [{ key, record: read }]
      }),
    isLost: (key) => values.get(nameOf(family, key)) === null && setAside.has(nameOf(family, key)),
    report: (key) => raw.report(nameOf(family, key)),
  }
}

/** Reads and writes values that are encrypted on disk. */
export interface SealedValues {
  /**
   * Reads and decrypts a value. Returns null if the value or its encryption key is missing. If decryption fails, or if `as` returns null because it
   * rejects the value, calls `unreadable` and returns null.
   */
  read<T>(name: string, as: (value: Secret, version: number) => T | null, unreadable: () => void): Promise<T | null>
  set(name: string, value: Secret | null, version?: number): Promise<void>
  names(prefix: string): string[]
}

export function createSealedRecords<const Families extends Readonly<Record<string, Family>>>(
  families: Families,
  values: SealedValues,
  setAside: SetAside['move'],
): SealedOf<Families> {
  const of = familyFinder(Object.values(families))
  const access = Object.entries(families).map(([name, family]) => [name, sealedAccessTo(family, of, values, setAside)])
  return Object.fromEntries(access) as SealedOf<Families> // The cast is safe: each family's access is stored under the family's name.
}

function sealedAccessTo<Name extends string, T>(
  family: Family<Name, T>,
  of: (name: string) => Family | null,
  values: SealedValues,
  setAside: SetAside['move'],
): SealedAccess<Name, T | Secret> {
  const keyOf = matcher(family)
  const decoded = (value: Secret, version: number): T | Secret | null => {
    const read = decode(family, value.reveal(), version)
    return read !== null && family.form === 'text' ? value : read
  }
  const readNamed = (name: string) => values.read(name, decoded, () => setAside(name))
  return {
    read: (key) => readNamed(nameOf(family, key)),
    write: (key, record) => values.set(nameOf(family, key), record instanceof Secret ? record : new Secret(encode(family, record)), family.version),
    delete: (key) => values.set(nameOf(family, key), null),
    list: async (given) => {
      const found: { key: KeyOf<Name>; record: T | Secret }[] = []
      for (const name of values.names(prefixOf(family, given))) {
        const key = of(name) === family ? keyOf(name) : null
        const read = key === null ? null : await readNamed(name)
        if (key !== null && read !== null) found.push({ key, record: read })
      }
      return found
    },
  }
}
