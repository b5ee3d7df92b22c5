import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import { menuText } from '../../../shared/text/desktop-text.ts'

type Role = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll' | 'resetZoom' | 'zoomIn' | 'zoomOut' | 'togglefullscreen' | 'minimize' | 'close' | 'quit'

/** A menu item with a translated label. (Electron translates its own labels only on macOS.) */
export const item = (role: Role): MenuItemConstructorOptions => ({ role, label: menuText[role] })
export const line: MenuItemConstructorOptions = { type: 'separator' }

/** The context menu’s items. Empty if the click was outside text fields and no text is selected. */
export function contextMenuOf({
  isEditable,
  editFlags,
  selectionText,
}: Pick<ContextMenuParams, 'isEditable' | 'editFlags' | 'selectionText'>): MenuItemConstructorOptions[] {
  const copy = { ...item('copy'), enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  return [
    { ...item('undo'), enabled: editFlags.canUndo },
    { ...item('redo'), enabled: editFlags.canRedo },
    line,
    { ...item('cut'), enabled: editFlags.canCut },
    copy,
    { ...item('paste'), enabled: editFlags.canPaste },
    line,
    { ...item('selectAll'), enabled: editFlags.canSelectAll },
  ]
}
