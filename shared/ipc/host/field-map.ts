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
  canUndo: z.boolean(),
  /**
   * How the app read the stored field map. newer: a newer version of the app wrote it. damaged: it is unreadable. In both cases, the app works with
   * an empty map, and overwrites the stored map only with the next change.
   */
  stored: z.enum(['read', 'newer', 'damaged']),
})
export type FieldMapView = z.infer<typeof FieldMapView>

const MapChanges = z.object({
  added: z.array(MapEntry),
  changed: z.array(z.object({ before: MapEntry, after: MapEntry })),
  /** Entries that the import would remove. Empty if the import merges the file into the existing map. */
  removed: z.array(MapEntry),
})

/** The content of a field map file that the user chose. If any line has an issue, nothing can be imported. */
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
  /** Sets the entries in `set` and deletes the entries in `remove`. If the call fails with `field_map`, nothing has changed. */
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
  /** Undoes the last change. Called again, it redoes the change. */
  'fieldMap.undo': command(z.object({}), FieldMapView, changes),
  /** Saves the map to a file that the user chooses; null if the user cancelled. */
  'fieldMap.export': command(z.object({}), z.object({ path: z.string().nullable() })),
  /** Lets the user choose a file, and reports what importing the file would change. Changes nothing yet. null if the user cancelled. */
  'fieldMap.choose': command(z.object({}), z.object({ chosen: ChosenMap.nullable() })),
  /** Imports the chosen file with this id. Uses the content that was read when the user chose the file. */
  'fieldMap.import': command(z.object({ id: z.string().max(64), how: z.enum(['merge', 'replace']) }), FieldMapView, changes),
} as const
