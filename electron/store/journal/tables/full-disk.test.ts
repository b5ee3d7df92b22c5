import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../shared/time.ts'
import { openJournal } from './sqlite-journal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-full-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const script = join(import.meta.dirname, '../../../../e2e/support/journal/on-full-disk.ts')

test('on a full disk, the app blocks actions that add risk but still cancels and revokes; it loses nothing once there is space again', () => {
  const file = join(folder, 'journal.db')
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, file], { encoding: 'utf8' }))
  expect(said).toEqual({
    before: { risk: true, state: 'ready' },
    full: { risk: false, state: 'memory_only' },
    whileFull: { readable: 50, cancelled: 'CANCELLED', revoke: 'PLANNED' },
    after: { risk: true, state: 'ready' },
  })

  const journal = openJournal({ file, clock: systemClock })
  expect(journal.state()).toBe('ready')
  expect(journal.intents.list('practice', { wallet: null, beforeMs: null, limit: 1 }).total).toBe(51)
  expect(journal.intents.get('before-0')?.state).toBe('CANCELLED')
  expect(journal.intents.timeline('before-0').map(({ state }) => state)).toEqual(['PLANNED', 'CANCELLED'])
  expect(journal.secretOperations.get('o1')?.kind).toBe('revoke')
  journal.close()
})

test('if the disk is full when the app starts, the app opens with the journal in memory and reports the full disk', () => {
  const file = join(folder, 'journal.db')
  const probe = `
    process.on('SIGXFSZ', () => {})
    const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'sqlite-journal.ts'))})
    const { raw } = await import(${JSON.stringify(join(import.meta.dirname, '../../records/raw.ts'))})
    const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../../../shared/time.ts'))})
    const journal = openJournal({ file: ${JSON.stringify(file)}, clock: systemClock })
    journal[raw].values.set('a', 'b')
    process.stdout.write(JSON.stringify([journal.state(), journal.takesNewRisk(), journal[raw].values.get('a')]))`
  const said = execFileSync(
    'bash',
    ['-c', 'ulimit -f 1; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"', process.execPath, probe],
    // Node's cache of compiled code would be cut off at the limit, too.
    { encoding: 'utf8', env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } },
  )
  expect(JSON.parse(said)).toEqual(['memory_only', false, 'b'])
})
