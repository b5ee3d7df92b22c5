import { useState } from 'react'
import { keyOfEntry } from '../../../../shared/field-map/field-map-entries.ts'
import type { ChosenMap } from '../../../../shared/ipc/host/field-map.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Segments } from '../../../kit/layout/segments.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { mapIssueText } from '../../../text/field-map-text.ts'
import styles from '../settings.module.css'
import { MapEntries } from './map-entries.tsx'

const hows = [
  { value: 'merge', label: 'Add to field map' },
  { value: 'replace', label: 'Replace field map' },
] as const

/** What a file would change, before anything is changed; or, line by line, why it cannot be taken. */
export function MapImportSheet({ chosen, onClose }: { readonly chosen: ChosenMap; readonly onClose: () => void }) {
  const take = useDeskCommand('fieldMap.import')
  const [how, setHow] = useState<'merge' | 'replace'>('merge')
  const { added, changed, removed } = chosen[how]
  const total = added.length + changed.length + removed.length
  const refused = chosen.issues.length > 0
  return (
    <Sheet title={refused ? 'This file cannot be imported' : 'Import field map'} lead={chosen.path} icon="upload" onClose={onClose}>
      <div className={overlayStyles.sheetBody}>
        {refused ? (
          <>
            <Note tone="warn" title="Nothing was changed.">
              Correct these lines, then import the file again.
            </Note>
            <ul className={styles.mapIssues} aria-label="What is wrong with the file">
              {chosen.issues.map((issue) => (
                <li key={`${issue.line ?? ''}${issue.code}${issue.path.join('.')}`}>
                  {issue.line === null ? null : <b>Line {issue.line}: </b>}
                  {mapIssueText(issue)}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <Segments label="How to import" size="md" choices={[...hows]} value={how} onChange={setHow} />
            {total === 0 ? <Note>The file changes nothing.</Note> : null}
            {added.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>Added: {added.length}</h3>
                <MapEntries label="Added entries" entries={added} />
              </section>
            )}
            {changed.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>Changed: {changed.length}</h3>
                <MapEntries
                  label="Changed entries"
                  entries={changed.map(({ after }) => after)}
                  before={new Map(changed.map(({ before }) => [keyOfEntry(before), before]))}
                />
              </section>
            )}
            {removed.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>Removed: {removed.length}</h3>
                <MapEntries label="Removed entries" entries={removed} />
              </section>
            )}
            {take.error === null ? null : <FailureNote failure={failureOf(take.error)} />}
          </>
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={['Esc']}>
          {refused ? 'Close' : 'Cancel'}
        </Button>
        {refused ? null : (
          <Button variant="primary" disabled={total === 0} busy={take.isPending} onClick={() => take.mutate({ id: chosen.id, how }, { onSuccess: onClose })}>
            {how === 'merge' ? 'Add entries' : 'Replace field map'}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
