// Runs as a separate process. The disk becomes full under an open journal and is freed later. Prints as JSON how the journal behaves.

import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import type { Clock } from '../../../shared/time.ts'
import { anIntent } from './an-intent.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
let now = 0
const clock: Clock = { now: () => now, monotonic: () => now }
const [file = ''] = process.argv.slice(2)
const journal = openJournal({ file, clock })
const said: Record<string, unknown> = {}
const look = (when: string) => {
  said[when] = { risk: journal.takesNewRisk(), state: journal.state() }
}

for (let count = 0; count < 50; count += 1) journal.intents.plan(anIntent(`before-${count}`))
look('before')

disk.fill()
look('full')
journal.intents.move('before-0', 'CANCELLED')
journal.secretOperations.plan({
  id: 'o1',
  profileId: 'practice',
  wallet: '0xaa',
  kind: 'revoke',
  label: 'bot',
  keyId: 'k1',
  keyIdsBefore: [],
  marker: 'm',
  draft: null,
})
said.whileFull = {
  readable: journal.intents.list('practice', { wallet: null, beforeMs: null, limit: 1 }).total,
  cancelled: journal.intents.get('before-0')?.state,
  revoke: journal.secretOperations.get('o1')?.state,
}

disk.free()
now += 60_000
look('after')
journal.intents.plan(anIntent('after'))
journal.close()
process.stdout.write(JSON.stringify(said))
