import { z } from 'zod'
import { mapLimits } from '../../field-map/field-map-entries.ts'
import { command, query } from '../define.ts'
import { MapIssue } from '../failure.ts'

const MapKey = z.object({ part: z.enum(['answers', 'payloads']), of: z.string().max(64), field: z.string().max(64) })
/** `shared/field-map/check-entry` says what may stand in `at` and `unit`. */
const Place = MapKey.extend({ at: z.string().max(mapLimits.pathCharacters), unit: z.string().max(mapLimits.unitCharacters).nullable() })
export const MapEntry = Place.extend({ from: z.enum(['you', 'check', 'refusal', 'file']) })

export const FieldMapView = z.object({
  entries: z.array(MapEntry),
  /** The last change can be taken back. */
  canUndo: z.boolean(),
  /** newer: a newer version of the app wrote what is stored. damaged: it cannot be read. Both count as an empty map, and are kept until it is changed. */
  stored: z.enum(['read', 'newer', 'damaged']),
})
export type FieldMapView = z.infer<typeof FieldMapView>

const MapChanges = z.object({
  added: z.array(MapEntry),
  changed: z.array(z.object({ before: MapEntry, after: MapEntry })),
  /** Only where the file replaces what stands. */
  removed: z.array(MapEntry),
})

/** A file that was chosen. With issues nothing of it can be taken. */
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
  /** Adds or changes the entries of `set`, takes those of `remove` away. Fails with `field_map`; then nothing is changed. */
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
  /** Takes the last change back; once more brings it again. */
  'fieldMap.undo': command(z.object({}), FieldMapView, changes),
  /** Into a file that the user chooses; null: none was chosen. */
  'fieldMap.export': command(z.object({}), z.object({ path: z.string().nullable() })),
  /** Reads a file that the user chooses, and says what it would change; null: none was chosen. Changes nothing. */
  'fieldMap.choose': command(z.object({}), z.object({ chosen: ChosenMap.nullable() })),
  /** Takes the file that was chosen under this id, as it was read then. */
  'fieldMap.import': command(z.object({ id: z.string().max(64), how: z.enum(['merge', 'replace']) }), FieldMapView, changes),
} as const
