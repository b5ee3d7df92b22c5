import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolders } from './folders.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-desk-folders-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const mode = (folder: string) => statSync(folder).mode & 0o777

// Windows has no such permissions.
test.skipIf(process.platform === 'win32')(
  'at its start, the app makes its data folder and the practice folder private, even if other users could read them before [99]',
  () => {
    const userData = join(home, 'data')
    // Electron creates this folder before the app’s code runs, readable by other users.
    mkdirSync(userData)
    expect(mode(userData)).not.toBe(0o700)
    const { practiceData } = createFolders(userData)
    expect([mode(userData), mode(practiceData)]).toEqual([0o700, 0o700])
  },
)

// Windows has no such permissions.
test.skipIf(process.platform === 'win32')('the app creates a missing data folder so that only the user can access it [99]', () => {
  const userData = join(home, 'new/data')
  createFolders(userData)
  expect(mode(userData)).toBe(0o700)
})
