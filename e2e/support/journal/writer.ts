// Runs as a separate process: writes intents until it is killed. Reports each intent only after the journal has stored it.
import { writeSync } from 'node:fs'
import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { systemClock } from '../../../shared/time.ts'
import { anIntent } from './an-intent.ts'

const [file = ''] = process.argv.slice(2)
const journal = openJournal({ file, clock: systemClock })
for (let count = 0; ; count += 1) {
  const ref = `${process.pid}-${count}`
  journal.intents.plan(anIntent(ref))
  writeSync(1, `${ref} PLANNED\n`)
  journal.intents.move(ref, 'PREPARED', { intentId: `dx_${ref}` })
  writeSync(1, `${ref} PREPARED\n`)
}
