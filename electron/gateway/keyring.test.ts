import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Served, startServed } from '../../e2e/support/gateway/bot.ts'
import { startKeyring, type TestKeyring } from '../../e2e/support/keyring/keyring.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import { createKeychain } from '../store/keychain/keychain.ts'
import { createKeychainProcess, forkKeychainWorker } from '../store/keychain/keychain-process.ts'

const worker = join(import.meta.dirname, '../store/keychain/keychain-worker.ts')

let keyring: TestKeyring
beforeAll(async () => {
  keyring = await startKeyring()
}, 30_000)
afterAll(() => keyring.stop())

async function startWithKeyring(): Promise<Served> {
  const process = createKeychainProcess({ timeoutMs: 10_000, fork: () => forkKeychainWorker(worker, keyring.env) })
  const served = await startServed({ keychain: createKeychain({ process, service: 'Svc Desk gateway test' }) })
  onTestFinished(async () => {
    await served.stop()
    await process.close()
  })
  return served
}

/** A bot as a process of its own, which holds nothing but the gateway's address and its token. */
async function startBot(served: Served, token: string) {
  const script = join(import.meta.dirname, '../../e2e/support/gateway/bot-child.ts')
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env.PATH } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  child.stdin.write(`${(await served.status()).hostUrl}\n${token}\n`)
  const ask = async (body: object) => {
    const answer = once(lines, 'line') as Promise<[string]> // safe cast: a line is text
    child.stdin.write(`${JSON.stringify(body)}\n`)
    return JSON.parse((await answer)[0]) as { status: number; json: { error?: { code?: string } } } // safe cast: the bot writes this shape
  }
  const order = async (key: string) => ask({ action: 'open_market', payload: await served.marketOrder({ order_value_usdc: '10', idempotency_key: key }) })
  return { child, ask, order }
}

/** The keys that have gone to the exchange. */
const keysOf = (served: Served): string[] => [...new Set(served.sent.flatMap(({ headers }) => headers['x-svc-api-key'] ?? []))]

/** The forms in which a secret could be somewhere. */
const formsOf = (secret: string): readonly Buffer[] => [
  Buffer.from(secret),
  Buffer.from(secret, 'utf16le'),
  ...[0, 1, 2].map((shift) =>
    Buffer.from(
      Buffer.from(`${'x'.repeat(shift)}${secret}`)
        .toString('base64')
        .slice(4, -4),
    ),
  ),
  Buffer.from(Buffer.from(secret).toString('hex')),
]

/** How often each text is in the memory of a process. */
function inMemory({ pid }: ChildProcess, texts: readonly Buffer[]): number[] {
  const found = texts.map(() => 0)
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const part = Buffer.alloc(4 * 1_024 * 1_024)
  const overlap = 512
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) r(?!.*\[v)/.exec(line) ?? []
    if (from === undefined || to === undefined) continue
    const end = BigInt(`0x${to}`)
    for (let at = BigInt(`0x${from}`); at < end; at += BigInt(part.length - overlap)) {
      const length = Number(end - at < BigInt(part.length) ? end - at : BigInt(part.length))
      let read = 0
      try {
        read = readSync(memory, part, 0, length, at)
      } catch {
        // A page that the kernel does not show.
        continue
      }
      for (const [index, text] of texts.entries()) if (part.subarray(0, read).includes(text)) found[index] = (found[index] ?? 0) + 1
    }
  }
  closeSync(memory)
  return found
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

test('with the keychain of the system: a live order, a new secret behind the token, the kill switch, and a locked keychain [KEY-07]', async () => {
  const served = await startWithKeyring()
  expect(served.secrets.entries.size).toBe(0)
  const bot = await served.bot()
  const child = await startBot(served, bot.token)
  expect((await child.order('before-rotation')).status).toBe(202)
  value(await served.handlers()['keys.rotate']({ keyId: served.keyId, confirmLabel: 'bot' }))
  expect((await child.order('after-rotation')).status).toBe(202)
  expect(keysOf(served)).toHaveLength(2)
  await served.restart()
  await served.connect()
  // The new secret comes from the keychain, where the rotation has stored it.
  const url = (await served.status()).hostUrl
  expect(url).not.toBeNull()
  expect((await bot.execute('open_market', await served.marketOrder({ order_value_usdc: '10', idempotency_key: 'after-restart' }))).status).toBe(202)
  const { reference_price: _, max_slippage_bps: __, ...resting } = await served.marketOrder({ limit_price: '1000', time_in_force: 'gtc' })
  expect((await bot.execute('create_limit', resting)).status).toBe(202)
  await served.chain.mine()
  await served.exchange.settle()
  value(await served.handlers()['bulkActions.start']({ kind: 'cancel_all', by: { way: 'executor', keyId: null }, keyIds: [], typed: 'cancel all' }))
  expect((await bot.execute('open_market', await served.marketOrder())).json.error?.code).toBe('GATEWAY_PAUSED')
  expect(served.exchange.effects().commands.filter((key) => /rotation|restart/.test(key ?? ''))).toHaveLength(3)

  value(await served.handlers()['gateway.resume']({ botId: bot.id }))
  // The kill switch must have sent its cancels before the process ends.
  await served.settled()
  await served.restart()
  await keyring.lock()
  expect((await bot.call('/api/dex/v1/account')).json.error?.code).toBe('GATEWAY_NO_KEY')
  await keyring.unlock()
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
}, 120_000)

test('after a live run, no form of a key is in the memory of a bot, in the logs or in the data folder [AUTH-09]', async () => {
  const served = await startWithKeyring()
  const bot = await served.bot()
  const child = await startBot(served, bot.token)
  expect((await child.ask({})).status).toBe(200)
  for (let at = 0; at < 5; at += 1) expect((await child.order(`canary-order-${at}`)).status).toBe(202)
  served.faults.answer.push({ route: 'POST /api/dex/v1/orders/execute', status: 422, code: 'BAD', times: 1 })
  expect((await child.order('canary-refused')).status).toBe(422)
  value(await served.handlers()['keys.rotate']({ keyId: served.keyId, confirmLabel: 'bot' }))
  expect((await child.order('canary-rotated')).status).toBe(202)
  await served.settled()
  const keys = keysOf(served)
  expect(keys).toHaveLength(2)
  const forms = keys.flatMap(formsOf)
  const [token = 0, ...found] = inMemory(child.child, [Buffer.from(bot.token), ...forms])
  // The bot's own token shows that its memory was read.
  expect(token).toBeGreaterThan(0)
  expect(found).toEqual(forms.map(() => 0))
  const files = filesIn(served.folder).map((path) => readFileSync(path))
  const has = (text: Buffer) => files.some((bytes) => bytes.includes(text))
  expect(has(Buffer.from(bot.id))).toBe(true)
  expect([...forms, Buffer.from(bot.token)].filter(has)).toEqual([])
  const written = Buffer.from([...served.logged, JSON.stringify(served.events), JSON.stringify(await served.status())].join('\n'))
  expect([...forms, Buffer.from(bot.token)].filter((text) => written.includes(text))).toEqual([])
}, 120_000)
