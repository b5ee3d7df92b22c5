import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { dialogText } from '../../shared/text/desktop-text.ts'
import { dialogWords, fileKind } from './files/dialog-words.ts'
import { inUserLanguage, speakToUser } from './user-language.ts'

afterEach(() => speakToUser(undefined))

test('texts of system dialogs are in the user’s language, and all other texts of the main process in English', async () => {
  expect(dialogWords('exportTable')).toEqual({ title: 'Export table', button: 'Export' })
  await speakToUser('de')
  expect(dialogWords('exportTable')).toEqual({ title: 'Tabelle exportieren', button: 'Exportieren' })
  expect(fileKind('csv')).toEqual({ name: 'Tabelle', extensions: ['csv'] })
  expect(dialogText.exportTable).toBe('Export table')
})

test('only one module of the main process may switch to the user’s language, so that other texts stay English', () => {
  const electron = join(import.meta.dirname, '..')
  const setters = readdirSync(electron, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /globalThis\.spoken\s*=[^=]/.test(readFileSync(join(electron, name), 'utf8')))
  expect(setters.map((name) => name.replaceAll('\\', '/'))).toEqual(['kernel/user-language.ts'])
})

test('the main process switches back to English after creating a text in the user’s language, even after an error or a nested call', async () => {
  await speakToUser('de')
  expect(() =>
    inUserLanguage(() => {
      throw new Error('broken')
    }),
  ).toThrow('broken')
  expect(dialogText.export).toBe('Export')
  expect(inUserLanguage(() => [inUserLanguage(() => dialogText.export), dialogText.export])).toEqual(['Exportieren', 'Exportieren'])
})
