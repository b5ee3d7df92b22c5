import panelStyles from '../../../kit/layout/panel.module.css'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import type { KeyOrder, KeySection } from '../key-view.ts'
import styles from '../keys.module.css'
import { ActiveRow, type Copied, EndedRow, type KeyActions } from './key-row.tsx'

/** Columns of the table, for headings across it. */
const columns = 9

interface KeyTableProps {
  readonly sections: readonly KeySection[]
  readonly order: KeyOrder
  readonly onOrder: (by: KeyOrder['by']) => void
  readonly copied: Copied | null
  /** The same object as long as nothing of it changes, so that rows stay as they are. */
  readonly actions: KeyActions
}

/** The keys in their sections, active ones first. */
export function KeyTable({ sections, order, onOrder, copied, actions }: KeyTableProps) {
  // Ascending is what its words say: soonest end, first name, longest ago.
  const sort = (by: KeyOrder['by']) =>
    order.by !== by ? ('none' as const) : order.reversed === (by === 'used') ? ('ascending' as const) : ('descending' as const)
  const head = (by: KeyOrder['by']) => ({ sort: sort(by), onSort: () => onOrder(by) })
  return (
    <Table label="Keys" className={styles.keyTable}>
      <thead>
        <tr>
          <HeadCell {...head('name')}>Key</HeadCell>
          <HeadCell>Scopes</HeadCell>
          <HeadCell {...head('expiry')}>Expires</HeadCell>
          <HeadCell>Agent</HeadCell>
          <HeadCell>Executor</HeadCell>
          <HeadCell>Allowlist</HeadCell>
          <HeadCell>Secret</HeadCell>
          <HeadCell numeric {...head('used')}>
            Last used
          </HeadCell>
          <HeadCell>
            <span className={textStyles.screenReaderOnly}>Actions</span>
          </HeadCell>
        </tr>
      </thead>
      {sections.map((section) => (
        <tbody key={section.id}>
          {section.title === null ? null : (
            <tr className={tableStyles.group} data-part="group">
              <th colSpan={columns} scope="colgroup">
                <span className={textStyles.name}>{section.title}</span> <span className={panelStyles.count}>{section.keys.length}</span>
              </th>
            </tr>
          )}
          {section.keys.map((entry) =>
            section.active ? (
              <ActiveRow key={entry.id} entry={entry} actions={actions} copied={copied?.keyId === entry.id ? copied : null} />
            ) : (
              <EndedRow key={entry.id} entry={entry} actions={actions} />
            ),
          )}
        </tbody>
      ))}
    </Table>
  )
}
