import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createCloseQuestion,
  createConfirm,
  createFileDialogs,
  dialogLine,
  dialogLines,
  type MessageOptions,
  most,
  type OpenOptions,
  type SaveOptions,
} from './dialogs.ts'

const dressed = 'bot\u202e\u2066\u2028\u2029\u200b\u0007\r\nCancel'
const hiddenOrLineEnd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test('the app’s system dialogs make hidden characters and line breaks in a text visible [V10]', () => {
  expect(dialogLine(dressed, 300)).toBe('bot‹U+202E›‹U+2066›‹U+2028›‹U+2029›‹U+200B›‹U+0007›‹U+000D›‹U+000A›Cancel')
  expect(dialogLines('one\ntwo\tthree\r', 300)).toBe('one\ntwo‹U+0009›three‹U+000D›')
  expect(dialogLine('Zürich 漢字 🙂', 300)).toBe('Zürich 漢字 🙂')
})

test('the app’s system dialogs cut the middle of a text that is too long, and show how many characters are left out [V10]', () => {
  expect(dialogLine('a'.repeat(80), 80)).toBe('a'.repeat(80))
  const cut = dialogLine(`${'a'.repeat(500)}${'b'.repeat(500)}`, 80)
  expect(cut).toMatch(/^a+ … (\d+) characters left out … b+$/)
  const left = Number(/\d+/.exec(cut)?.[0])
  expect(cut.length).toBeLessThanOrEqual(80)
  expect(cut.replace(/ … .* … /, '')).toHaveLength(1_000 - left)
})

test('a question in a system dialog shows hidden characters, and is at most 2,000 characters long [V10]', async () => {
  const shown: (MessageOptions | OpenOptions | SaveOptions)[] = []
  const note = <T>(answer: T) =>
    (async (...given: unknown[]) => {
      shown.push(given.at(-1) as MessageOptions)
      return answer
    }) as never
  const dialog = {
    showMessageBox: note({ response: 1, checkboxChecked: false }),
    showOpenDialog: note({ canceled: true, filePaths: [] }),
    showSaveDialog: note({ canceled: true, filePath: '' }),
  }
  const confirm = createConfirm({ dialog, window: () => null })
  const files = createFileDialogs({ dialog, shell: { showItemInFolder: () => undefined }, window: () => null })
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom(...Array.from(dressed)), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    maxLength: 3_000,
  })
  await fc.assert(
    fc.asyncProperty(nasty, nasty, async (one, two) => {
      shown.length = 0
      expect(await confirm({ title: one, message: two, detail: one, button: two })).toBe(false)
      const question = { title: one, button: two, kinds: [{ name: one, extensions: ['csv'] }] }
      await files.chooseToOpen(question)
      await files.chooseFolder(question)
      await files.chooseToSave({ ...question, suggested: join('/home/user', `${two.replaceAll('/', '')}.csv`) })
      expect(shown).toHaveLength(4)
      for (const { title, ...options } of shown) {
        const texts = JSON.parse(JSON.stringify([title, options], (key, value) => (key === 'properties' || key === 'extensions' ? undefined : value)))
        const all = texts.flatMap(function each(value: unknown): string[] {
          if (typeof value === 'string') return [value]
          return value !== null && typeof value === 'object' ? Object.values(value).flatMap(each) : []
        }) as string[]
        expect(all.length).toBeGreaterThanOrEqual(2)
        for (const text of all) expect(text.replaceAll('\n', text === (options as MessageOptions).detail ? '' : '\n')).not.toMatch(hiddenOrLineEnd)
        expect(Array.from(all.join('')).length).toBeLessThanOrEqual(2_000)
      }
    }),
    { numRuns: 100 },
  )
})

test('the app limits all texts of one system dialog together to 2,000 characters', () => {
  expect(most.title + most.message + most.detail + 2 * most.button).toBe(2_000)
})

test('only three files of the main process open system dialogs or show notifications, and each makes hidden characters in their texts visible [V10]', () => {
  const electron = join(import.meta.dirname, '../..')
  const users = readdirSync(electron, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) =>
      /\bshow(?:MessageBox|MessageBoxSync|OpenDialog|OpenDialogSync|SaveDialog|SaveDialogSync|ErrorBox)\b|new Notification\b/.test(
        readFileSync(join(electron, name), 'utf8'),
      ),
    )
    .sort()
  expect(users).toEqual(['host/desktop/system-notice.ts', 'kernel/files/dialogs.ts', 'main.ts'])
  for (const user of users) expect(readFileSync(join(electron, user), 'utf8')).toMatch(/dialogLines?\(/)
})

test.each([
  [0, 'tray'],
  [1, 'quit'],
  [2, null],
] as const)('in the app’s question about closing the window, button %i means %s', async (response, chosen) => {
  const asked: MessageOptions[] = []
  const ask = createCloseQuestion({
    dialog: {
      showMessageBox: async (...given: unknown[]) => {
        asked.push(given.at(-1) as MessageOptions)
        return { response, checkboxChecked: false }
      },
    },
    window: () => null,
  })
  expect(await ask()).toBe(chosen)
  // Pressing Escape or closing the question counts as Cancel: the window stays open.
  expect(asked).toMatchObject([{ buttons: ['Keep running', 'Quit', 'Cancel'], cancelId: 2 }])
})
