import { expect, test } from 'vitest'
import { circleProblems, figureProblems, figuresOf, fileProblems, folderCircles, type Module, mostFilesInFolder } from './folder-rules.ts'

const module = (source: string, ...imports: readonly string[]): Module => ({ source, dependencies: imports.map((resolved) => ({ resolved })) })

const circle = [
  module('electron/a/one.ts', 'electron/a/b/two.ts'),
  module('electron/a/b/two.ts', 'electron/c/three.ts'),
  module('electron/c/three.ts', 'electron/a/four.ts'),
  module('electron/d/five.ts', 'electron/a/one.ts'),
]

test('the folder check finds an import cycle between folders even if no two files import each other', () => {
  expect(folderCircles(circle)).toEqual([['electron/a', 'electron/a/b', 'electron/c']])
  expect(circleProblems(circle)).toEqual(['folders import each other in a circle: electron/a, electron/a/b, electron/c'])
})

test('the folder check allows a folder to import from its parent, and tests to import in any direction', () => {
  expect(folderCircles([module('electron/a/b/two.ts', 'electron/a/one.ts'), module('electron/a/one.test.ts', 'electron/a/b/two.ts')])).toEqual([])
})

test('the folder check reports two separate import cycles as two problems', () => {
  const other = [module('electron/x/one.ts', 'electron/y/two.ts'), module('electron/y/two.ts', 'electron/x/one.ts')]
  expect(folderCircles([...circle, ...other])).toHaveLength(2)
})

test('the folder check reports a folder with more files than allowed; test files count, too', () => {
  const files = Array.from({ length: mostFilesInFolder }, (_, index) => `e2e/full/file-${index}.test.ts`)
  expect(fileProblems(files)).toEqual([])
  expect(fileProblems([...files, 'e2e/full/notes.md'])).toEqual([`e2e/full: ${mostFilesInFolder + 1} files; a folder holds at most ${mostFilesInFolder}`])
})

test.each(['electron/keys/testing/fake.ts', 'shared/testing/fake.json', 'renderer/features/row.fixture.tsx'])(
  'the folder check reports files outside e2e/support that only tests use: %s',
  (file) => {
    expect(fileProblems([file])).toEqual([`${file}: what only tests need is kept in e2e/support`])
  },
)

test('the folder check reports files of the same name within one source tree, but not in different trees such as shared/ and electron/', () => {
  expect(fileProblems(['shared/a/plan.ts', 'electron/a/plan.ts', 'electron/b/plan.test.ts'])).toEqual([])
  const twice = ['electron/a/plan.ts', 'electron/b/plan.ts']
  expect(fileProblems(twice)).toEqual(['electron/**/plan.ts occurs twice: electron/a/plan.ts, electron/b/plan.ts'])
})

test('the folder check counts product files, and short product files with one importer, but neither tests nor the practice exchange’s files', () => {
  const files = ['electron/a/one.ts', 'electron/a/two.ts', 'electron/a/long.ts', 'electron/a/one.test.ts', 'electron/practice/three.ts']
  const modules = [
    module('electron/a/one.ts', 'electron/a/two.ts', 'electron/a/long.ts'),
    module('electron/a/one.test.ts', 'electron/a/one.ts', 'electron/a/two.ts'),
    module('electron/practice/four.ts', 'electron/practice/three.ts'),
  ]
  expect(figuresOf(files, modules, (file) => (file.endsWith('long.ts') ? 60 : 59))).toEqual({ productFiles: 3, shortWithOneImporter: 1 })
})

test('the folder check reports too many product files, and asks to lower a limit that is far above their real number', () => {
  const allowed = { productFiles: 100, shortWithOneImporter: 20 }
  expect(figureProblems(allowed, allowed)).toEqual([])
  expect(figureProblems({ ...allowed, productFiles: 101 }, allowed)).toHaveLength(1)
  expect(figureProblems({ ...allowed, shortWithOneImporter: 21 }, allowed)).toHaveLength(1)
  expect(figureProblems({ productFiles: 89, shortWithOneImporter: 20 }, allowed)).toEqual(['89 product files: lower the 100 in folder-rules.ts'])
})
