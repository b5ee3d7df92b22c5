import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../../e2e/support/journal/relay-on-full-disk.ts')

test('keeps the signature in memory when the disk fills up before the relay, and relays it only once when there is space [FLOW-07]', () => {
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], { encoding: 'utf8' }))
  const heldBack = { ok: false, failure: { kind: 'journal', issue: 'disk_full' } }
  const waiting = { state: 'SIGNED', reason: { code: 'relay_disk_full' }, journal: 'memory_only', sent: 0, relayed: 0 }
  expect(said).toMatchObject({
    signed: { answer: heldBack, ...waiting },
    'pressed again while it is full': { answer: heldBack, ...waiting },
    'pressed when there is space': { state: 'SUBMITTED', journal: 'ready', sent: 1, relayed: 1 },
    // After the kill, the journal contains only the request to the phone: the signature could not be written while the disk was full.
    'killed meanwhile': { state: 'ASKED', journal: 'ready', sent: 1, relayed: 1 },
  })
})

test('on a full disk, still closes a position and follows the order, but opens and inverts nothing', () => {
  const closing = join(import.meta.dirname, '../../../../e2e/support/journal/close-on-full-disk.ts')
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', closing], { encoding: 'utf8' }))
  const heldBack = { kind: 'journal', issue: 'disk_full' }
  const carriedOut = { closing: true, signed: 'SUBMITTED', state: 'FINAL', positions: 0, journal: 'memory_only' }
  expect(said).toEqual({ opening: heldBack, inverting: heldBack, ...carriedOut })
})
