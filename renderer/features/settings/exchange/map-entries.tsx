import { keyOfEntry, type MapEntry } from '../../../../shared/field-map/field-map-entries.ts'
import { IconButton } from '../../../kit/button.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { originText, requestTitle } from '../../../text/field-map-text.ts'

interface MapEntriesProps {
  readonly label: string
  readonly entries: readonly MapEntry[]
  /** By key: what stood there before. */
  readonly before?: ReadonlyMap<string, MapEntry>
  readonly onRemove?: (entry: MapEntry) => void
}

/** Entries of a field map: where each belongs, what the service calls it, and who said so. */
export function MapEntries({ label, entries, before, onRemove }: MapEntriesProps) {
  return (
    <Table label={label} dense>
      <thead>
        <tr>
          <HeadCell>Where</HeadCell>
          <HeadCell>Field</HeadCell>
          <HeadCell>In this service</HeadCell>
          <HeadCell>Unit</HeadCell>
          <HeadCell>Source</HeadCell>
          {onRemove === undefined ? null : (
            <HeadCell>
              <span className={textStyles.screenReaderOnly}>Actions</span>
            </HeadCell>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const old = before?.get(keyOfEntry(entry))
          return (
            <tr key={keyOfEntry(entry)}>
              <td>
                {entry.part === 'answers' ? 'Answer' : 'Request'} {requestTitle(entry.of) ?? <code>{entry.of}</code>}
              </td>
              <td>
                <code>{entry.field}</code>
              </td>
              <td>
                <code>{entry.at}</code>
                {old === undefined ? null : <code className={tableStyles.sub}>was {old.at}</code>}
              </td>
              <td>{entry.unit ?? <span className={textStyles.muted}>—</span>}</td>
              <td>{originText[entry.from]}</td>
              {onRemove === undefined ? null : (
                <td className={textStyles.right}>
                  <IconButton icon="x" size="xs" label={`Remove ${entry.field} of ${entry.of}`} onClick={() => onRemove(entry)} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
