import { useState } from 'react'
import { keyOfEntry, type MapEntry } from '../../../../shared/field-map/field-map-entries.ts'
import type { ChosenMap } from '../../../../shared/ipc/host/field-map.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { settingsText } from '../../../text/en/settings.en.tsx'
import { mapIssueText, originText, requestTitle } from '../../../text/field-map-text.ts'
import styles from '../settings.module.css'

const hows = [
  { value: 'merge', label: settingsText.addToFieldMap },
  { value: 'replace', label: settingsText.replaceFieldMap },
] as const

/** Previews what importing a field-map file would change. If the file is invalid, lists the reasons line by line. */
export function MapImportSheet({ chosen, onClose }: { readonly chosen: ChosenMap; readonly onClose: () => void }) {
  const take = useIpcCommand('fieldMap.import')
  const [how, setHow] = useState<'merge' | 'replace'>('merge')
  const { added, changed, removed } = chosen[how]
  const total = added.length + changed.length + removed.length
  const refused = chosen.issues.length > 0
  return (
    <Sheet title={refused ? settingsText.importRefused : settingsText.importFieldMap} lead={chosen.path} icon="upload" onClose={onClose}>
      <div className={overlayStyles.sheetBody}>
        {refused ? (
          <>
            <Note tone="warn" title={settingsText.nothingChanged}>
              {settingsText.importRefusedHelp}
            </Note>
            <ul className={styles.mapIssues} aria-label={settingsText.errorsInFile}>
              {chosen.issues.map((issue) => (
                <li key={`${issue.line ?? ''}${issue.code}${issue.path.join('.')}`}>
                  {issue.line === null ? null : <b>{settingsText.atLine(issue.line)} </b>}
                  {mapIssueText(issue)}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <Segments label={settingsText.howToImport} size="md" choices={[...hows]} value={how} onChange={setHow} />
            {total === 0 ? <Note>{settingsText.fileChangesNothing}</Note> : null}
            {added.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>{settingsText.addedCount(added.length)}</h3>
                <MapEntries label={settingsText.addedEntries} entries={added} />
              </section>
            )}
            {changed.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>{settingsText.changedCount(changed.length)}</h3>
                <MapEntries
                  label={settingsText.changedEntries}
                  entries={changed.map(({ after }) => after)}
                  before={new Map(changed.map(({ before }) => [keyOfEntry(before), before]))}
                />
              </section>
            )}
            {removed.length === 0 ? null : (
              <section>
                <h3 className={styles.settingsBy}>{settingsText.removedCount(removed.length)}</h3>
                <MapEntries label={settingsText.removedEntries} entries={removed} />
              </section>
            )}
            {take.error === null ? null : <FailureNote failure={failureOf(take.error)} />}
          </>
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[settingsText.esc]}>
          {refused ? settingsText.close : settingsText.cancel}
        </Button>
        {refused ? null : (
          <Button variant="primary" disabled={total === 0} busy={take.isPending} onClick={() => take.mutate({ id: chosen.id, how }, { onSuccess: onClose })}>
            {how === 'merge' ? settingsText.addEntries : settingsText.replaceFieldMap}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

interface MapEntriesProps {
  readonly label: string
  readonly entries: readonly MapEntry[]
  /** The earlier version of each changed entry, by entry key. */
  readonly before?: ReadonlyMap<string, MapEntry>
  readonly onRemove?: (entry: MapEntry) => void
}

/** A table of field-map entries: the field, the name and unit that this service uses for it, and who set the entry. */
export function MapEntries({ label, entries, before, onRemove }: MapEntriesProps) {
  return (
    <Table label={label} dense>
      <thead>
        <tr>
          <HeadCell>{settingsText.where}</HeadCell>
          <HeadCell>{settingsText.field}</HeadCell>
          <HeadCell>{settingsText.inThisService}</HeadCell>
          <HeadCell>{settingsText.unit}</HeadCell>
          <HeadCell>{settingsText.source}</HeadCell>
          {onRemove === undefined ? null : (
            <HeadCell>
              <span className={textStyles.screenReaderOnly}>{settingsText.actions}</span>
            </HeadCell>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const old = before?.get(keyOfEntry(entry))
          return (
            <tr key={keyOfEntry(entry)}>
              <td>{(entry.part === 'answers' ? settingsText.inResponse : settingsText.inRequest)(requestTitle(entry.of) ?? <code>{entry.of}</code>)}</td>
              <td>
                <code>{entry.field}</code>
              </td>
              <td>
                <code>{entry.at}</code>
                {old === undefined ? null : <code className={tableStyles.sub}>{settingsText.previousPath(old.at)}</code>}
              </td>
              <td>{entry.unit ?? <span className={textStyles.muted}>—</span>}</td>
              <td>{originText[entry.from]}</td>
              {onRemove === undefined ? null : (
                <td className={textStyles.right}>
                  <IconButton icon="x" size="xs" label={settingsText.removeField(entry.field, entry.of)} onClick={() => onRemove(entry)} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
