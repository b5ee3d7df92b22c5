import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../../electron/store/journal/tables/sqlite-journal.ts'
import { systemClock } from '../../shared/time.ts'
import { anIntent } from '../support/journal/an-intent.ts'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

const inMilliseconds = (work: () => void) => (): number => {
  const started = performance.now()
  work()
  return performance.now() - started
}

/**
 * Measures writing an intent to the journal, which the app does before each request. Compares it with appending the same intent to a file as one
 * line and syncing the file, then writing and syncing a mark in a second file, as the journal must. `folder` must be on a real disk, because an
 * in-memory file system does not sync.
 */
export async function measureJournalAppend(rounds: Rounds, folder: string): Promise<Measured[]> {
  const home = mkdtempSync(join(folder, 'bench-journal-'))
  const journal = openJournal({ file: join(home, 'journal.db'), clock: systemClock })
  const bare = openSync(join(home, 'bare.ndjson'), 'a')
  const mark = openSync(join(home, 'bare.mark'), 'w')
  let count = 0
  const next = () => {
    count += 1
    return anIntent(`bench-${String(count).padStart(8, '0')}`)
  }
  try {
    const p50 = await interleave(
      {
        ours: inMilliseconds(() => journal.intents.plan(next())),
        against: inMilliseconds(() => {
          const intent = next()
          writeSync(bare, `${JSON.stringify(intent)}\n`)
          fdatasyncSync(bare)
          writeSync(mark, intent.ref, 0)
          fdatasyncSync(mark)
        }),
      },
      rounds,
    )
    if (journal.state() !== 'ready') throw new Error(`The journal is not on disk: ${journal.state()}`)
    return [compare('Journal append with its mark, p50 in ms, against two writes + two fdatasyncs', { ours: p50.ours, against: p50.against, target: 1.7 })]
  } finally {
    closeSync(bare)
    closeSync(mark)
    journal.close()
    rmSync(home, { recursive: true, force: true })
  }
}
