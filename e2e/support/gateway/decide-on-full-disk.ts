// Runs as a separate process. The user decides about a bot while the disk is full, and the app is killed. Prints as JSON what the bots may do.
import { minute } from '../../../shared/time.ts'
import { createFullDisk } from '../journal/full-disk.ts'
import { value } from '../main/workspace.ts'
import { type Bot, startServed } from './bot.ts'

const [decision = ''] = process.argv.slice(2)
const disk = createFullDisk()
const served = await startServed()
const bot = await served.bot()
const other = await served.bot()
let orders = 0
/** What an order of the bot gets: `done`, or the code of the refusal. */
const tried = async (one: Bot): Promise<unknown> => {
  orders += 1
  const { status, json } = await one.execute('open_market', await served.marketOrder({ order_value_usdc: '10', client_order_id: `order-${orders}-x` }))
  return status === 202 ? 'done' : json.error?.code
}
const both = async () => [await tried(bot), await tried(other)]
const restart = async (meanwhile?: () => void) => {
  await served.restart(meanwhile)
  await served.connect()
}

const said: Record<string, unknown> = { before: await tried(bot) }
disk.fill()
if (decision === 'revoke') value(await served.handlers()['gateway.revoke']({ botId: bot.id }))
else if (decision === 'observe') {
  const row = (await served.status()).bots.find(({ id }) => id === bot.id)
  if (row === undefined) throw new Error('No bot')
  value(await served.handlers()['gateway.setPolicy']({ botId: bot.id, policy: { ...row.policy, mode: 'observe' } }))
} else value(await served.handlers()['gateway.pause']({ botId: bot.id }))
said.journal = served.journal().state()
if (decision === 'freed') {
  disk.free()
  served.clock.advance(minute)
  await served.tick()
  await restart()
} else {
  said['while it is full'] = await tried(bot)
  await restart(() => disk.free())
}
said['after a restart'] = await both()
await restart()
said['after a second restart'] = await both()
for (const { id } of (await served.status()).bots) value(await served.handlers()['gateway.resume']({ botId: id }))
said.resumed = await tried(other)
await restart()
said['resumed and restarted'] = await tried(other)
await served.stop()
process.stdout.write(JSON.stringify(said))
