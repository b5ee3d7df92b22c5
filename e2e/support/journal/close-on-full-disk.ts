// The disk is full when a position is to be closed: what may still be done, as JSON.

import { agreed, value } from '../main/desk.ts'
import { startTrader } from '../main/trader.ts'
import { createFullDisk } from './full-disk.ts'

const disk = createFullDisk()
const desk = await startTrader()
const opened = await desk.asked()
value(await desk.handlers()['intents.answered']({ ref: opened.ref, answer: opened.signature }))
await desk.chain.mine(9)
await desk.tick()
const [position] = value(await desk.handlers()['account.positions']({ watch: null })).positions
if (position?.id == null) throw new Error('No position')
const { id: positionId, pairId, symbol, side, size, takeProfit, stopLoss } = position
const seen = { positionId, pairId, symbol, side, size, takeProfit, stopLoss }
const { referencePrice, maxSlippageBps } = await desk.ticket()

disk.fill()
// The journal hears of it with the first thing that it writes.
const opening = await desk.handlers()['intents.prepare'](await desk.ticket())
const inverting = await desk.handlers()['intents.prepare']({ action: 'invert_position', position: seen, referencePrice, maxSlippageBps })
const closing = await desk.handlers()['intents.prepare']({ action: 'close_position_market', position: seen, size: null, referencePrice, maxSlippageBps })
const { ref } = value(closing).intent
const request = value(await desk.handlers()['intents.ask']({ ref, ...agreed }))
const signed = await desk.handlers()['intents.answered']({ ref, answer: await desk.sign(request) })
await desk.chain.mine(9)
await desk.tick()
const said = {
  opening: opening.ok ? 'prepared' : opening.failure,
  inverting: inverting.ok ? 'prepared' : inverting.failure,
  closing: value(closing).ready,
  signed: signed.ok ? signed.value.state : signed.failure,
  journal: desk.journal().state(),
  state: (await desk.intent(ref)).state,
  positions: desk.exchange.effects().positions.length,
}
disk.free()
await desk.stop()
process.stdout.write(JSON.stringify(said))
