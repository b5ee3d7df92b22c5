import { z } from 'zod'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { isRecord } from '../../../shared/api/reader/kinds.ts'
import { answerPlacesOf, fieldMapVersion, type MapEntry, sortedEntries } from '../../../shared/field-map/field-map-entries.ts'
import { type FieldMapView, MapEntry as StoredEntry } from '../../../shared/ipc/host/field-map.ts'
import { readRecord } from '../../store/records/record.ts'
import type { Records } from '../../store/records/registry.ts'

export interface StoredMap {
  entries(): readonly MapEntry[]
  /** The places of response fields in the service's answers; `undefined` if none are set. Returns the same object until an entry changes. */
  answers(): FieldMap | undefined
  state(): FieldMapView['stored']
  canUndo(): boolean
  keep(entries: readonly MapEntry[]): void
  /** Swaps the current map and the previous map. Returns `false` if there is no previous map. */
  undo(): boolean
}

const Versioned = z.object({ version: z.number() })
const Stored = z.object({ version: z.number().int(), entries: z.array(StoredEntry) })

type MapStatus = Pick<FieldMapView, 'stored'> & { readonly entries: readonly MapEntry[] }

function mapStatusOf(text: string | null): MapStatus {
  if (text === null) return { entries: [], stored: 'read' }
  const version = readRecord(Versioned, text)?.version ?? 0
  if (version > fieldMapVersion) return { entries: [], stored: 'newer' }
  const read = readRecord(Stored, text)
  return read === null ? { entries: [], stored: 'damaged' } : { entries: sortedEntries(read.entries), stored: 'read' }
}

const textOf = (entries: readonly MapEntry[]): string | null => (entries.length === 0 ? null : JSON.stringify({ version: fieldMapVersion, entries }))

/**
 * The field map of a profile in the journal, with the map before the last change. Both maps stay exactly as they were written. `undo` can therefore
 * also restore entries that only a newer version of the app can read.
 */
export function createStoredMap({ profileId, records }: { readonly profileId: string; readonly records: Records }): StoredMap {
  const { fieldMaps, fieldMapsBefore } = records
  const key = { profile: profileId }
  takeOver(records, key)
  let status = mapStatusOf(fieldMaps.read(key))
  if (status.stored === 'damaged') fieldMaps.report(key)
  let answers = answerPlacesOf(status.entries)

  const put = (text: string | null): void => {
    fieldMapsBefore.write(key, fieldMaps.read(key) ?? '')
    if (text === null) fieldMaps.delete(key)
    else fieldMaps.write(key, text)
    status = mapStatusOf(text)
    const places = answerPlacesOf(status.entries)
    if (JSON.stringify(places) !== JSON.stringify(answers)) answers = places
  }

  return {
    entries: () => status.entries,
    answers: () => answers,
    state: () => status.stored,
    canUndo: () => fieldMapsBefore.read(key) !== null,
    keep: (entries) => put(textOf(entries)),
    undo: () => {
      const before = fieldMapsBefore.read(key)
      if (before === null) return false
      put(before === '' ? null : before)
      return true
    },
  }
}

/** Imports the names of request fields that an earlier version of the app stored, before field maps existed. */
function takeOver({ fieldMaps, formerFieldNames }: Records, key: { readonly profile: string }): void {
  const text = textOf(readStoredNames(formerFieldNames.read(key) ?? {}))
  if (text === null) return
  if (fieldMaps.read(key) === null) fieldMaps.write(key, text)
  formerFieldNames.delete(key)
}

/**
 * Reads the names of request fields that the app stored before field maps existed, by the rules of that time. Also keeps entries that a field-map
 * file may not contain today.
 */
function readStoredNames(value: Readonly<Record<string, unknown>>): readonly MapEntry[] {
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
