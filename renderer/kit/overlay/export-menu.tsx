import { Button } from '../button.tsx'
import { Menu } from './menu.tsx'

interface ExportMenuProps {
  /** What the menu is called. */
  readonly label: string
  readonly busy: boolean
  readonly onExport: (format: 'csv' | 'json') => void
}

/** A button that offers the formats in which a table is saved. */
export function ExportMenu({ label, busy, onExport }: ExportMenuProps) {
  return (
    <Menu
      label={label}
      align="end"
      entries={[
        { label: 'As CSV', icon: 'file', onSelect: () => onExport('csv') },
        { label: 'As JSON', icon: 'file', onSelect: () => onExport('json') },
      ]}
      trigger={(props) => (
        <Button size="sm" icon="download" busy={busy} {...props}>
          Export
        </Button>
      )}
    />
  )
}
