import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../../e2e/support/journal/relay-on-full-disk.ts')

test('if the disk is full when the wallet has signed, the signature stays in memory and is relayed once when there is space [FLOW-07]', () => {
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], { encoding: 'utf8' }))
  const heldBack = { ok: false, failure: { kind: 'journal', issue: 'disk_full' } }
  const waiting = { state: 'SIGNED', reason: { code: 'relay_disk_full' }, journal: 'memory_only', sent: 0, relayed: 0 }
  expect(said).toMatchObject({
    signed: { answer: heldBack, ...waiting },
    'pressed again while it is full': { answer: heldBack, ...waiting },
    'pressed when there is space': { state: 'SUBMITTED', journal: 'ready', sent: 1, relayed: 1 },
    // The app could not store the signature on the full disk. So after the app was killed, the journal contains only the request to the phone.
    'killed meanwhile': { state: 'ASKED', journal: 'ready', sent: 1, relayed: 1 },
  })
})

test('with a full disk, the app still closes a position and follows the close order, but opens and inverts no position', () => {
  const closing = join(import.meta.dirname, '../../../../e2e/support/journal/close-on-full-disk.ts')
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', closing], { encoding: 'utf8' }))
  const heldBack = { kind: 'journal', issue: 'disk_full' }
  const carriedOut = { closing: true, signed: 'SUBMITTED', state: 'FINAL', positions: 0, journal: 'memory_only' }
  expect(said).toEqual({ opening: heldBack, inverting: heldBack, ...carriedOut })
})
