import { z } from 'zod'
import type { FieldMap } from '../../../shared/api/reader/field-map.ts'
import { isRecord } from '../../../shared/api/reader/kinds.ts'
import { answerPlacesOf, fieldMapVersion, type MapEntry, sortedEntries } from '../../../shared/field-map/field-map.ts'
import { type FieldMapView, MapEntry as StoredEntry } from '../../../shared/ipc/host/field-map.ts'
import type { Values } from '../../store/journal/journal.ts'

export interface StoredMap {
  entries(): readonly MapEntry[]
  /** Where fields of answers stand, for the reader; undefined: nothing was said. The same object until one of them changes. */
  answers(): FieldMap | undefined
  state(): FieldMapView['stored']
  canUndo(): boolean
  keep(entries: readonly MapEntry[]): void
  /** Changes places with what stood before the last change. False: there was none. */
  undo(): boolean
}

const Stored = z.object({ version: z.number().int(), entries: z.array(StoredEntry) })

type Standing = Pick<FieldMapView, 'stored'> & { readonly entries: readonly MapEntry[] }

function standingOf(text: string | null): Standing {
  if (text === null) return { entries: [], stored: 'read' }
  const value = parsed(text)
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : null
  if (typeof version === 'number' && version > fieldMapVersion) return { entries: [], stored: 'newer' }
  const read = Stored.safeParse(value)
  return read.success ? { entries: sortedEntries(read.data.entries), stored: 'read' } : { entries: [], stored: 'damaged' }
}

const textOf = (entries: readonly MapEntry[]): string | null => (entries.length === 0 ? null : JSON.stringify({ version: fieldMapVersion, entries }))

/** A profile's field map in the journal, and the one before it as it was written: undo brings back also what only a newer version can read. */
export function createStoredMap({ profileId, values }: { readonly profileId: string; readonly values: Values }): StoredMap {
  const name = `field-map/${profileId}`
  const beforeName = `${name}/before`
  takeOver(values, `corrections/${profileId}`, name)
  let standing = standingOf(values.get(name))
  let answers = answerPlacesOf(standing.entries)

  const put = (text: string | null): void => {
    values.set(beforeName, values.get(name) ?? '')
    values.set(name, text)
    standing = standingOf(text)
    const places = answerPlacesOf(standing.entries)
    if (JSON.stringify(places) !== JSON.stringify(answers)) answers = places
  }

  return {
    entries: () => standing.entries,
    answers: () => answers,
    state: () => standing.stored,
    canUndo: () => values.get(beforeName) !== null,
    keep: (entries) => put(textOf(entries)),
    undo: () => {
      const before = values.get(beforeName)
      if (before === null) return false
      put(before === '' ? null : before)
      return true
    },
  }
}

/** Names of requests that were kept before there were field maps. What cannot be read stays where it is. */
function takeOver(values: Values, from: string, to: string): void {
  const text = values.get(from)
  if (text === null) return
  const entries = readStoredNames(parsed(text))
  if (entries.length === 0) return
  if (values.get(to) === null) values.set(to, textOf(entries))
  values.set(from, null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What was stored before field maps: names of requests, valid by the rules of then. What those rules took is kept, also what a file may not carry today. */
function readStoredNames(value: unknown): readonly MapEntry[] {
  if (!isRecord(value)) return []
  return sortedEntries(
    Object.entries(value).flatMap(([of, names]) =>
      isRecord(names)
        ? Object.entries(names).flatMap(([field, at]): MapEntry[] =>
            typeof at === 'string' ? [{ part: 'payloads', of, field, at, unit: null, from: 'you' }] : [],
          )
        : [],
    ),
  )
}
