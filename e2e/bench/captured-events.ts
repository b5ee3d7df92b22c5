import { labPanel, openLab } from '../pages/lab.ts'
import { pair, signIn } from '../pages/ready.ts'
import { appValue } from '../support/bridge.ts'
import type { Desk } from '../support/desk.ts'
import { type FloodEvent, flood } from '../support/flood.ts'
import { keptSecrets } from '../support/keyring.ts'
import { frameMs } from './cpu.ts'
import { compare, type Measured } from './metric.ts'
import type { Rounds } from './rounds.ts'
import { rowsInDocument, scrollCost } from './scroll.ts'

const events = 10_000
const counted = events.toLocaleString('en-US')
const table = 'Captured events'
const port = 48_071
const url = `http://127.0.0.1:${port}/in`
const beyond = 25

/** The events to deliver. Every tenth one is listed twice, as if the service had repeated the delivery. */
function deliveries(secret: string): FloodEvent[] {
  const firstS = Math.floor(Date.now() / 1_000) - events
  return Array.from({ length: events }, (_, index) => ({ id: `evt_${index}`, createdAtS: firstS + index, secret })).flatMap((event, index) =>
    index % 10 === 0 ? [event, event] : [event],
  )
}

/**
 * Measures the webhook inspector (receiver lab) with the maximum number of stored events. Compares it with the duration of one frame, which a user
 * tolerates.
 */
export async function measureCapturedEvents({ rounds }: Rounds, desk: Desk): Promise<Measured[]> {
  const page = desk.main
  await signIn(page, await pair(desk))
  const { id } = await appValue(page, 'webhooks.create', { url, events: ['*'] })
  await appValue(page, 'lab.open', { webhookId: id, port, path: '/in', forwardTo: null, answer: { kind: 'fixed', status: 200, delayS: 0 } })
  await flood(url, deliveries(keptSecrets(id)[0] ?? ''))
  await openLab(page)
  await labPanel(page).getByText(`${counted} events`).waitFor()
  const costs = { wheel: [] as number[], screenful: [] as number[] }
  for (let round = 0; round <= rounds; round += 1)
    for (const step of ['wheel', 'screenful'] as const) {
      const cost = await scrollCost(page, table, step)
      if (round > 0) costs[step].push(cost)
    }
  const { drawn, room } = await rowsInDocument(page, table)
  await appValue(page, 'lab.pause', {})
  const what = `${counted} captured events`
  return [
    compare(`Scroll of ${what}, CPU ms per frame, against a frame`, { ours: costs.wheel, against: frameMs, target: 1 }),
    compare(`Scroll of ${what} by a screenful each frame, CPU ms per frame, against a frame`, { ours: costs.screenful, against: frameMs, target: 1 }),
    compare(`Rows of ${what} in the document, against those in view and ${beyond}`, { ours: drawn, against: room + beyond, target: 1 }),
  ]
}
