import { useState } from 'react'
import { type MapEntry, requestNamesOf } from '../../../../shared/field-map/field-map.ts'
import { assumedFields } from '../../../../shared/field-map/requests.ts'
import type { ChosenMap } from '../../../../shared/ipc/host/field-map.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MapEntries } from './map-entries.tsx'
import { MapImportSheet } from './map-import-sheet.tsx'
import { RequestNames } from './request-names.tsx'

/** How this service names the fields that its document does not show. */
export function FieldMapPanel() {
  const query = useDeskQuery('fieldMap.get', {})
  const change = useDeskCommand('fieldMap.change')
  const reset = useDeskCommand('fieldMap.reset')
  const undo = useDeskCommand('fieldMap.undo')
  const toFile = useDeskCommand('fieldMap.export')
  const choose = useDeskCommand('fieldMap.choose')
  const [chosen, setChosen] = useState<ChosenMap | null>(null)
  // Without a profile there is no service.
  if (query.data === undefined) return null
  const { entries, canUndo, stored } = query.data
  const names = requestNamesOf(entries)
  const failed = [change, reset, undo, toFile, choose].map(({ error }) => error).find((error) => error !== null)
  const remove = ({ part, of, field }: MapEntry) => change.mutate({ set: [], remove: [{ part, of, field }], from: 'you' })
  return (
    <div id="settings-fields">
      <Panel
        title="Field map"
        count={entries.length === 0 ? undefined : `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`}
        end={
          <span className="set-acts">
            <Button size="sm" icon="upload" busy={choose.isPending} onClick={() => choose.mutate({}, { onSuccess: (answer) => setChosen(answer.chosen) })}>
              Import
            </Button>
            <Button size="sm" icon="download" busy={toFile.isPending} disabled={entries.length === 0} onClick={() => toFile.mutate({})}>
              Export
            </Button>
            <Button size="sm" icon="refresh" busy={undo.isPending} disabled={!canUndo} onClick={() => undo.mutate({})}>
              Undo last change
            </Button>
            <Button size="sm" variant="ghost" busy={reset.isPending} disabled={entries.length === 0} onClick={() => reset.mutate({})}>
              Reset all
            </Button>
          </span>
        }
      >
        <p className="set-note muted">
          The document leaves many field names open. Where this service uses other names, list them here; the app uses them at once, in this profile only.
          Exported files hold names and units, never keys, addresses or signing formats, so you can share them.
        </p>
        {stored === 'read' ? null : (
          <div className="set-note">
            <Note tone="warn" title={stored === 'newer' ? 'A newer version of the app wrote the stored field map.' : 'The stored field map cannot be read.'}>
              The app uses its own names for now. If you change the field map, “Undo last change” restores the stored one.
            </Note>
          </div>
        )}
        {failed == null ? null : (
          <div className="set-note">
            <FailureNote failure={failureOf(failed)} />
          </div>
        )}
        {entries.length === 0 ? null : <MapEntries label="Field map" entries={entries} onRemove={remove} />}
        <RequestNames
          namesOf={(request) => names[request] ?? {}}
          busy={change.isPending}
          onSave={(request, said, done) => {
            const key = { part: 'payloads', of: request } as const
            const set = Object.entries(said).map(([field, at]) => ({ ...key, field, at, unit: null }))
            const left = assumedFields[request].filter((field) => !Object.hasOwn(said, field)).map((field) => ({ ...key, field }))
            change.mutate({ set, remove: left, from: 'you' }, { onSuccess: done })
          }}
        />
      </Panel>
      {chosen === null ? null : <MapImportSheet chosen={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}
