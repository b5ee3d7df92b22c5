import { expect, test } from 'vitest'
import { contextMenuOf } from './menu-items.ts'

const flags = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true, canDelete: false, canSelectAll: true, canEditRichly: false }
const items = (menu: ReturnType<typeof contextMenuOf>) => menu.flatMap(({ label, enabled }) => (label === undefined ? [] : [[label, enabled]]))

test('the app’s menu for a right click in an empty text field offers Paste and Select all', () => {
  expect(items(contextMenuOf({ isEditable: true, editFlags: flags, selectionText: '' }))).toEqual([
    ['Undo', false],
    ['Redo', false],
    ['Cut', false],
    ['Copy', false],
    ['Paste', true],
    ['Select all', true],
  ])
})

test('the app’s menu for a right click outside text fields offers only Copy, and only if text is selected', () => {
  expect(items(contextMenuOf({ isEditable: false, editFlags: { ...flags, canCopy: true }, selectionText: '0x51a9' }))).toEqual([['Copy', true]])
  expect(contextMenuOf({ isEditable: false, editFlags: flags, selectionText: ' ' })).toEqual([])
})
