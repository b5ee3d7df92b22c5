// Runs as a separate process. The disk becomes full while a position is open. Prints as JSON which actions still work, such as closing the position.

import { startTrader } from '../main/trader.ts'
import { agreed, value } from '../main/workspace.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
const workspace = await startTrader()
const opened = await workspace.asked()
value(await workspace.handlers()['intents.answered']({ ref: opened.ref, answer: opened.signature }))
await workspace.chain.mine(9)
await workspace.tick()
const [position] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
if (position?.id == null) throw new Error('No position')
const { id: positionId, pairId, symbol, side, size, takeProfit, stopLoss } = position
const seen = { positionId, pairId, symbol, side, size, takeProfit, stopLoss }
const { referencePrice, maxSlippageBps } = await workspace.ticket()

disk.fill()
// The journal notices the full disk at its first write.
const opening = await workspace.handlers()['intents.prepare'](await workspace.ticket())
const inverting = await workspace.handlers()['intents.prepare']({ action: 'invert_position', position: seen, referencePrice, maxSlippageBps })
const closing = await workspace.handlers()['intents.prepare']({ action: 'close_position_market', position: seen, size: null, referencePrice, maxSlippageBps })
const { ref } = value(closing).intent
const request = value(await workspace.handlers()['intents.ask']({ ref, ...agreed }))
const signed = await workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(request) })
await workspace.chain.mine(9)
await workspace.tick()
const said = {
  opening: opening.ok ? 'prepared' : opening.failure,
  inverting: inverting.ok ? 'prepared' : inverting.failure,
  closing: value(closing).ready,
  signed: signed.ok ? signed.value.state : signed.failure,
  journal: workspace.journal().state(),
  state: (await workspace.intent(ref)).state,
  positions: workspace.exchange.effects().positions.length,
}
disk.free()
await workspace.stop()
process.stdout.write(JSON.stringify(said))
