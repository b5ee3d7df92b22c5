import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../shared/time.ts'
import { raw } from '../../records/raw.ts'
import { openJournal } from './sqlite-journal.ts'

const canary = 'an-address-with-a-token-that-was-erased'

test('after the journal is closed, none of its files contains data that the app erased from it [21]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-erased-'))
  const file = join(folder, 'journal.db')
  const containing = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(canary))
  try {
    const first = openJournal({ file, clock: systemClock })
    first[raw].values.set('token', canary)
    first.close()
    expect(containing()).toEqual(['journal.db'])
    const second = openJournal({ file, clock: systemClock })
    second[raw].values.set('token', null)
    second.close()
    expect(containing()).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
