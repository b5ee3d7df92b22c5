import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BindingId, bindings, pressed, shownKeys } from './key-bindings.ts'

const renderer = join(import.meta.dirname, '..')
const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
const sources = files.filter((file) => file !== 'kit/key-bindings.ts').map((file) => ({ file, source: readFileSync(join(renderer, file), 'utf8') }))

/**
 * Finds code that reads the pressed key from a keyboard event instead of using the table of bindings. Each file may give the event another name, so
 * the function first collects these names.
 */
function ownKeys(source: string): string[] {
  const names = [
    ...[...source.matchAll(/(\w+): (?:globalThis\.|React\.)?KeyboardEvent\b/g)].map(([, name]) => name),
    ...[...source.matchAll(/onKey(?:Down|Up|Press)(?:Capture)?=\{\(?(\w+)\)? =>/g)].map(([, name]) => name),
    ...[...source.matchAll(/['"]key(?:down|up|press)['"],\s*\(?(\w+)(?:: [\w.]+)?\)? =>/g)].map(([, name]) => name),
  ]
  const reads = [...new Set(names)].flatMap((name) =>
    [...source.matchAll(new RegExp(`\\b${name}\\.(?:nativeEvent\\.)?(?:key|code|keyCode|which)\\b`, 'g'))].map(String),
  )
  return [...reads, ...[...source.matchAll(/\{[^{}]*\b(?:key|code)\b[^{}]*\}: (?:React\.)?KeyboardEvent/g)].map(String)]
}

test('no handler in the windows reads a pressed key directly, because the shortcuts sheet would then lack that key', () => {
  expect(sources.flatMap(({ file, source }) => ownKeys(source).map((read) => `${file}: ${read}`))).toEqual([])
})

test.each([
  "const on = (event: KeyboardEvent) => event.key === 'x'",
  '<div onKeyDown={(press) => press.key} />',
  "window.addEventListener('keydown', (key) => { if (key.code === 'KeyX') go() })",
  'function on({ key }: KeyboardEvent) {}',
])('the check of key bindings detects code that reads a key directly: %s', (source) => {
  expect(ownKeys(source)).toHaveLength(1)
})

test.each(Object.keys(bindings))('the app’s code handles the keyboard shortcut %s', (id) => {
  const asked = sources.filter(
    ({ file, source }) => file !== 'app/commands/shortcuts-sheet.tsx' && new RegExp(`\\b${id}\\b`).test(source) && /pressed|pageKeys/.test(source),
  )
  expect(asked.length).toBeGreaterThan(0)
})

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
})

test('a key triggers a shortcut only with exactly the shortcut’s modifier keys', () => {
  expect(pressed(press('k', { ctrlKey: true }), 'palette')).toBe('palette')
  expect(pressed(press('K', { metaKey: true }), 'palette')).toBe('palette')
  expect(pressed(press('k'), 'palette')).toBeNull()
  expect(pressed(press('k', { ctrlKey: true, altKey: true }), 'palette')).toBeNull()
  expect(pressed(press('n', { ctrlKey: true }), 'newKey')).toBeNull()
  expect(pressed(press('L', { ctrlKey: true, shiftKey: true }), 'lock')).toBe('lock')
  expect(pressed(press('l', { ctrlKey: true }), 'lock')).toBeNull()
  expect(pressed(press('ArrowUp', { shiftKey: true }), 'priceUp', 'priceUpTen')).toBe('priceUpTen')
  expect(pressed(press('ArrowUp', { altKey: true }), 'priceUp', 'batchUp')).toBe('batchUp')
  expect(pressed(press('?', { shiftKey: true }), 'shortcuts')).toBe('shortcuts')
})

test('the shortcuts sheet shows the keys of a shortcut in the order in which the user presses them', () => {
  expect(shownKeys('lock')).toEqual([['Ctrl', 'Shift', 'L']])
  expect(shownKeys('goTrade')).toEqual([['G', 'T']])
  expect(shownKeys('next')).toEqual([['↓'], ['→']])
})

test('no key triggers two shortcuts on the same page', () => {
  const works = ['everywhere', 'goTo', 'actions', 'trade']
  const shown = Object.entries(bindings).flatMap(([id, { where }]) => (works.includes(where) ? shownKeys(id as BindingId).map((keys) => keys.join(' ')) : []))
  expect(shown.filter((keys, index) => shown.indexOf(keys) !== index)).toEqual([])
})

test('a trading shortcut with the same letter as another shortcut differs from it by Shift', () => {
  expect(pressed(press('S', { shiftKey: true }), 'signIn', 'chooseShort')).toBe('chooseShort')
  expect(pressed(press('s'), 'signIn', 'chooseShort')).toBe('signIn')
  // With Caps Lock on, the event has a capital letter but no Shift, so it triggers the shortcut without Shift.
  expect(pressed(press('S'), 'signIn', 'chooseShort')).toBe('signIn')
  expect(pressed(press('C', { shiftKey: true }), 'goAccount', 'closeWhole')).toBe('closeWhole')
  expect(pressed(press('H', { shiftKey: true, ctrlKey: true }), 'closeHalf', 'hideAmounts')).toBe('hideAmounts')
})
