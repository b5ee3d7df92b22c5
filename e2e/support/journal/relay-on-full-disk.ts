// Runs as a separate process. The disk becomes full between an order’s signature and its relay. Prints as JSON what happens to the order.

import type { Secret } from '../../../electron/kernel/secret.ts'
import { minute } from '../../../shared/time.ts'
import { relayPath, startTrader } from '../main/trader.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
const workspace = await startTrader()
const said: Record<string, unknown> = {}
const look = async (when: string, ref: string, answer: unknown = null) => {
  const { state, reason } = await workspace.intent(ref)
  said[when] = {
    answer,
    state,
    reason,
    journal: workspace.journal().state(),
    sent: workspace.sentTo(relayPath).length,
    relayed: workspace.exchange.effects().relayed.length,
  }
}
const resume = (ref: string) => workspace.handlers()['intents.resume']({ ref, action: 'relay' })

/** Signs an order. The disk becomes full just before the app stores the signature; earlier writes succeed. */
async function signOnFillingDisk(): Promise<{ ref: string; answer: unknown }> {
  const { ref, signature } = await workspace.asked()
  const values = workspace.vault as Map<string, Secret> // safe cast: this test’s vault is a `Map`, although its declared type is read-only
  const set = values.set.bind(values)
  values.set = (name, value) => {
    if (name.startsWith('signature/')) disk.fill()
    return set(name, value)
  }
  const answer = await workspace.handlers()['intents.answered']({ ref, answer: signature })
  values.set = set
  return { ref, answer }
}

const first = await signOnFillingDisk()
await look('signed', first.ref, first.answer)
await look('pressed again while it is full', first.ref, await resume(first.ref))
disk.free()
workspace.clock.advance(minute)
await resume(first.ref)
await look('pressed when there is space', first.ref)

workspace.clock.advance(minute)
const second = await signOnFillingDisk()
// Simulates a restart that loses everything in memory, with free disk space.
await workspace.restart(() => disk.free())
await workspace.connect()
await look('killed meanwhile', second.ref)
await workspace.stop()
process.stdout.write(JSON.stringify(said))
