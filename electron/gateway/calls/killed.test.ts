import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { botOf, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import type { ChildFacts } from '../../../e2e/support/gateway/gateway-child.ts'

let served: Served
let folder: string
const started: ChildProcess[] = []
beforeAll(async () => {
  served = await startServed()
  folder = await mkdtemp(join(tmpdir(), 'gateway-'))
})
afterAll(async () => {
  // Also after a failure. A process that lives on would keep the whole run from ending.
  for (const child of started) child.kill('SIGKILL')
  await served.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Running {
  readonly process: ChildProcess
  readonly hostUrl: string
  readonly token: string | null
}

async function run(facts: ChildFacts, key: string): Promise<Running> {
  const script = new URL('../../../e2e/support/gateway/gateway-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, JSON.stringify(facts)], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  child.stdin.end(key)
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The gateway ended before it listened')))
  failed.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string] // safe cast: a line is text
  const { hostUrl, tokens } = JSON.parse(line) as { hostUrl: string; tokens: string[] } // safe cast: the child writes this line
  return { process: child, hostUrl, token: tokens[0] ?? null }
}

const points = 20
const perPoint = 8

test('a gateway that is killed 20 times under load carries out each order at most once, and every lost answer is found', async () => {
  const key = [...served.secrets.entries].find(([name]) => name.includes(served.keyId))?.[1].reveal() ?? ''
  const facts: ChildFacts = {
    ...{ journalFile: join(folder, 'journal.sqlite'), hostUrl: served.hostUrl, wallet: served.account.address, keyId: served.keyId },
    scopes: ['account:read', 'trade:execute', 'orders:manage'],
  }
  let running = await run(facts, key)
  const token = running.token ?? ''
  const bot = botOf('bot', token, async () => running.hostUrl)
  const keys: string[] = []
  let unanswered = 0
  for (let point = 0; point < points; point += 1) {
    const order = await served.marketOrder()
    const sent = Array.from({ length: perPoint }, (_, at) => ({ ...order, order_value_usdc: '10', idempotency_key: `point-${point}-order-${at}` }))
    keys.push(...sent.map(({ idempotency_key: name }) => name))
    const answers = sent.map((one) => bot.execute('open_market', one).catch(() => null))
    // Kills after a random part of the time that all the orders take, so that each stage is hit.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
    const gone = once(running.process, 'exit')
    running.process.kill('SIGKILL')
    await gone
    const first = await Promise.all(answers)
    running = await run(facts, key)
    for (const [at, one] of sent.entries()) {
      if (first[at] === null) unanswered += 1
      const again = await bot.execute('open_market', one)
      expect([one.idempotency_key, again.status, again.json.delegated]).toEqual([
        one.idempotency_key,
        202,
        expect.objectContaining({ command_id: expect.any(String) }),
      ])
      if (first[at]?.status === 202) expect(again.json.delegated).toMatchObject({ command_id: (first[at].json.delegated as { command_id: string }).command_id })
    }
  }
  running.process.kill('SIGKILL')
  const { commands } = served.exchange.effects()
  expect(commands.toSorted()).toEqual(keys.toSorted())
  // Otherwise, the kills came too late to prove anything.
  expect(unanswered).toBeGreaterThan(points)
}, 240_000)
