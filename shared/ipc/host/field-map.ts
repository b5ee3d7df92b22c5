import { z } from 'zod'
import { mapLimits } from '../../field-map/field-map-entries.ts'
import { command, query } from '../define.ts'
import { MapIssue } from '../failure.ts'

const MapKey = z.object({ part: z.enum(['answers', 'payloads']), of: z.string().max(64), field: z.string().max(64) })
/** One entry of a field map. `shared/field-map/check-entry` defines which values `at` and `unit` may have. */
const Place = MapKey.extend({ at: z.string().max(mapLimits.pathCharacters), unit: z.string().max(mapLimits.unitCharacters).nullable() })
export const MapEntry = Place.extend({ from: z.enum(['you', 'check', 'refusal', 'file']) })

export const FieldMapView = z.object({
  entries: z.array(MapEntry),
  /** true if the last change can be undone. */
  canUndo: z.boolean(),
  /**
   * newer: a newer version of the app wrote the stored map. damaged: the stored map is unreadable. Both count as an empty map. The app keeps the
   * stored map until the next change.
   */
  stored: z.enum(['read', 'newer', 'damaged']),
})
export type FieldMapView = z.infer<typeof FieldMapView>

const MapChanges = z.object({
  added: z.array(MapEntry),
  changed: z.array(z.object({ before: MapEntry, after: MapEntry })),
  /** Only filled if the file replaces the existing map. */
  removed: z.array(MapEntry),
})

/** A file that the user chose. If it has issues, the app can import no part of it. */
export const ChosenMap = z.object({
  id: z.string(),
  path: z.string(),
  issues: z.array(MapIssue),
  merge: MapChanges,
  replace: MapChanges,
})
export type ChosenMap = z.infer<typeof ChosenMap>

const changes = { invalidates: ['fieldMap.get'] } as const

export const fieldMap = {
  'fieldMap.get': query(z.object({}), FieldMapView, 'app'),
  /** Adds or changes the entries in `set` and removes those in `remove`. If it fails with `field_map`, nothing changes. */
  'fieldMap.change': command(
    z.object({
      set: z.array(Place).max(mapLimits.entries),
      remove: z.array(MapKey).max(mapLimits.entries),
      from: z.enum(['you', 'refusal']),
    }),
    FieldMapView,
    changes,
  ),
  'fieldMap.reset': command(z.object({}), FieldMapView, changes),
  /** Undoes the last change; a second call redoes it. */
  'fieldMap.undo': command(z.object({}), FieldMapView, changes),
  /** Saves the map to a file that the user chooses; null if the user cancelled. */
  'fieldMap.export': command(z.object({}), z.object({ path: z.string().nullable() })),
  /** Reads a file that the user chooses, and reports what it would change; null if the user cancelled. Changes nothing. */
  'fieldMap.choose': command(z.object({}), z.object({ chosen: ChosenMap.nullable() })),
  /** Imports the chosen file with this id, using the content read when the user chose it. */
  'fieldMap.import': command(z.object({ id: z.string().max(64), how: z.enum(['merge', 'replace']) }), FieldMapView, changes),
} as const
