import { fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anIntent } from '../../../../e2e/support/journal/an-intent.ts'
import { systemClock } from '../../../../shared/time.ts'
import { openFile } from '../open-file.ts'
import { openJournal } from './sqlite-journal.ts'

const { calls } = vi.hoisted(() => ({ calls: [] as { what: 'write' | 'sync'; file: number }[] }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>()
  return {
    ...real,
    writeSync: (...args: [number, Uint8Array, number, number, number]) => {
      calls.push({ what: 'write', file: args[0] })
      return real.writeSync(...args)
    },
    fdatasyncSync: (file: number) => {
      real.fdatasyncSync(file)
      calls.push({ what: 'sync', file })
    },
  }
})

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-power-'))
  file = join(folder, 'journal.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the journal flushes each SQLite commit to the disk, not only to the operating system’s cache [V5]', () => {
  const opened = openFile(file, 0)
  if (typeof opened === 'string') throw new Error(opened)
  expect(opened.database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
  expect(opened.database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  opened.database.close()
})

test('the journal writes its .mark file to disk before an entry counts as acknowledged [V5]', () => {
  const journal = openJournal({ file, clock: systemClock })
  calls.length = 0
  journal.intents.plan(anIntent('a'))
  expect(calls.map(({ what }) => what)).toEqual(['write', 'sync'])
  const [write, sync] = calls
  expect(sync?.file).toBe(write?.file)
  expect(fstatSync(write?.file ?? -1).ino).toBe(statSync(`${file}.mark`).ino)
  journal.close()
})
