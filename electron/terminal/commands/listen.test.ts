import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../e2e/support/free-port.ts'
import { runningProgram, type StartedCommand, startCommand, startOnTerminal } from '../../../e2e/support/terminal/command.ts'
import { accessibleWebhook, type OpenApp, startOpenApp, webhookSecret } from '../../../e2e/support/terminal/open-app.ts'
import { signedHeaders } from '../../webhooks/verifier/delivery.ts'
import { verifyDelivery } from '../../webhooks/verifier/verify.ts'

interface Got {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

let got: Got[]
let forward: string
let status: number
let app: OpenApp | null
const own = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  got.push({ headers: request.headers, body: Buffer.concat(chunks) })
  response.writeHead(status).end()
})
const started: StartedCommand[] = []
beforeEach(async () => {
  ;[got, status, app] = [[], 204, null]
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  forward = `http://127.0.0.1:${(own.address() as AddressInfo).port}/hook` // The cast is safe: the server listens on a port.
})
afterEach(async () => {
  for (const { process } of started.splice(0)) process.kill('SIGKILL')
  own.closeAllConnections()
  await new Promise((resolve) => own.close(resolve))
  await app?.stop()
})

async function listening<T extends StartedCommand>(start: (words: readonly string[]) => T, words: readonly string[], saying = '/deliveries') {
  const port = await freePort()
  const command = start(['listen', '--port', String(port), ...words])
  started.push(command)
  return { command, port, url: `http://127.0.0.1:${port}${saying}` }
}

const fromVariable = (words: readonly string[]) => startCommand(words, { env: { HOOK: webhookSecret } })

async function deliver(
  url: string,
  id: string,
  { createdAt = 1_800_000_000, type = 'order.filled', revokes = null as string | null, by = webhookSecret, note = '' } = {},
): Promise<number> {
  const body = Buffer.from(JSON.stringify({ id, type, created_at: createdAt, data: { note }, ...(revokes === null ? {} : { revoked_event_id: revokes }) }))
  const timestampS = Math.floor(Date.now() / 1_000)
  return (await fetch(url, { method: 'POST', headers: signedHeaders({ id, type, body, secret: by, timestampS }), body })).status
}
const isRight = ({ headers, body }: Got) => verifyDelivery({ headers, body }, { secret: webhookSecret, nowMs: Date.now() }).valid

test('svc-desk listen prints a line per delivery, forwards verified deliveries, and prints a summary at Ctrl-C [HOOK-06] [HOOK-07]', async () => {
  const { command, url } = await listening(fromVariable, ['--secret-env', 'HOOK', '--forward', forward])
  await command.says(`Receiving deliveries at ${url}\nForwarding verified deliveries to ${forward}\n`)
  for (const time of [1, 2]) expect([time, await deliver(new URL('/hooks?token=x', url).href, 'evt_2')]).toEqual([time, 404])
  expect(await deliver(url, 'evt_2', { createdAt: 1_800_000_005 })).toBe(200)
  await command.says('#1  order.filled  evt_2  attempt 1, verified  forwarded: 204 in ')
  await deliver(url, 'evt_9', { type: 'transaction.pending', createdAt: 1_800_000_009, revokes: 'evt_1' })
  await command.says('#2  transaction.pending  evt_9  attempt 1, verified, takes back evt_1 (not captured)  forwarded')
  await deliver(url, 'evt_1')
  await command.says('#3  order.filled  evt_1  attempt 1, verified, taken back by evt_9  forwarded')
  status = 500
  await deliver(url, 'evt_2', { createdAt: 1_800_000_005, note: 'changed' })
  await command.says('#1  order.filled  evt_2  attempt 2, verified, duplicate, different bytes  forwarded: 500 in ')
  expect(await deliver(url, 'evt_2', { by: 'svc_whsec_other' })).toBe(401)
  await command.says('order.filled  evt_2  NOT VERIFIED at step signature: the signature does not match these bytes')
  expect(got).toHaveLength(4)
  expect(got.every(isRight)).toBe(true)
  command.process.kill('SIGINT')
  const { code, stdout, stderr } = await command.ended
  expect(code).toBe(0)
  expect(stderr).toBe('svc-desk: A request to /hooks got 404. Send deliveries to /deliveries.\n')
  expect(stdout.slice(stdout.indexOf('5 deliveries'))).toBe(
    [
      '5 deliveries: 3 events, 1 duplicate, 1 correction, 1 not verified.',
      'By created_at:',
      '  2027-01-15T08:00:00.000Z  #3  order.filled  evt_1  1 attempt, taken back by evt_9',
      '  2027-01-15T08:00:05.000Z  #1  order.filled  evt_2  2 attempts',
      '  2027-01-15T08:00:09.000Z  #2  transaction.pending  evt_9  1 attempt, takes back evt_1',
      '',
    ].join('\n'),
  )
  expect(stdout).toContain('counts as failed')
})

test('svc-desk listen --json prints one JSON object per line, and escapes terminal control characters in a sender’s text [HOOK-07]', async () => {
  const { command, url } = await listening(fromVariable, ['--secret-env', 'HOOK', '--json', '--answer', '503'])
  await command.says('listening')
  expect(await deliver(url, 'evt_1')).toBe(503)
  expect(await deliver(url, 'evt_1')).toBe(503)
  await fetch(url, { method: 'POST', headers: { 'X-Svc-Event-ID': 'evt\u009b31m' }, body: '{}' })
  await command.says('"verified":false')
  command.process.kill('SIGTERM')
  const { code, stdout } = await command.ended
  expect(code).toBe(0)
  const event = { number: 1, id: 'evt_1', type: 'order.filled', createdAt: '2027-01-15T08:00:00.000Z', revokes: null, revokedBy: [] }
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { type: 'listening', url, forward: null },
    { type: 'delivery', verified: true, duplicate: false, attempt: 1, event, forwarded: null },
    { type: 'delivery', verified: true, duplicate: true, attempt: 2, event },
    { type: 'delivery', verified: false, step: 'headers', claims: { id: 'evt\u009b31m', type: null } },
    { type: 'summary', deliveries: 3, events: 1, duplicates: 1, corrections: 0, refused: 1, droppedEvents: 0 },
  ])
  expect(stdout).not.toContain('\u009b')
})

test('svc-desk listen --answer endpoint returns the endpoint’s status, or 502 if the endpoint is unreachable, so that the sender retries [HOOK-08]', async () => {
  const { command, url } = await listening(fromVariable, ['--secret-env', 'HOOK', '--forward', forward, '--answer', 'endpoint'])
  await command.says('Receiving deliveries')
  expect(await deliver(url, 'evt_1')).toBe(204)
  status = 503
  expect(await deliver(url, 'evt_2')).toBe(503)
  own.closeAllConnections()
  await new Promise((resolve) => own.close(resolve))
  expect(await deliver(url, 'evt_2')).toBe(502)
  await command.says('attempt 2, verified, duplicate  not delivered: cannot be reached (ECONNREFUSED)')
})

test('svc-desk listen sends an event again, with a new signature, when the user types the event’s number [HOOK-06]', async () => {
  const onTerminal = (words: readonly string[]) => startOnTerminal(words, { env: { HOOK: webhookSecret } })
  const { command, url } = await listening(onTerminal, ['--secret-env', 'HOOK', '--forward', forward])
  await command.says('Receiving deliveries')
  await deliver(url, 'evt_1')
  await command.says('attempt 1, verified')
  command.type('7\n')
  await command.says('There is no event 7 here.')
  command.type('#1\n')
  await command.says('#1  order.filled  evt_1  attempt 2, sent again with a new signature  forwarded: 204')
  command.type('evt_1\n')
  await command.says('attempt 3, sent again with a new signature')
  expect(got).toHaveLength(3)
  expect(got.every(isRight)).toBe(true)
  expect(new Set(got.map(({ body }) => String(body))).size).toBe(1)
  command.type('\u0003')
  expect(await command.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 delivery: 1 event, 0 duplicates, 0 corrections, 0 not verified.') })
})

test('svc-desk listen gets the signing secret once the user agrees, and keeps it out of output, arguments and environment [HOOK-06] [AUTH-09]', async () => {
  const open = await startOpenApp()
  app = open
  const start = (words: readonly string[]) => startCommand([...words, '--data', open.userData])
  const { command, port, url } = await listening(start, ['--webhook', 'w1', '--forward', forward])
  const request = await open.asked()
  expect(request).toMatchObject({
    kind: 'listen',
    key: null,
    webhook: { id: 'w1' },
    words: ['svc-desk', 'listen', '--port', String(port), '--webhook', 'w1', '--forward', forward, '--data', open.userData],
    program: runningProgram,
  })
  await open.answer(request.id, 'once')
  await command.says('Receiving deliveries')
  await deliver(url, 'evt_1')
  await command.says('attempt 1, verified')
  for (const what of ['cmdline', 'environ']) expect(readFileSync(`/proc/${command.process.pid}/${what}`, 'latin1')).not.toContain(webhookSecret)
  command.process.kill('SIGINT')
  const { code, stdout, stderr } = await command.ended
  expect(code).toBe(0)
  expect(`${stdout}${stderr}`).not.toContain(webhookSecret)
  expect(open.uses).toMatchObject([{ use: 'run', of: 'webhook', keyId: 'w1', by: 'terminal', outcome: 'done' }])

  const denied = await listening(start, ['--webhook', 'w1'])
  const again = await open.asked()
  await open.answer(again.id, 'deny')
  expect(await denied.command.ended).toMatchObject({ code: 77, stdout: '' })
})

test('svc-desk listen without a webhook’s name uses the only webhook, or the only one that delivers to this computer, and otherwise refuses', async () => {
  const open = await startOpenApp()
  app = open
  const start = (...words: string[]) => {
    const command = startCommand(['listen', ...words, '--data', open.userData])
    started.push(command)
    return command
  }
  // Users may type the URL without `http://`, so the test does so too.
  const hook = forward.replace('http://', '')
  const port = await freePort()
  const other = { ...accessibleWebhook, webhookId: 'w2', url: 'https://other.example/in' }
  const here = { ...accessibleWebhook, webhookId: 'w3', url: `http://127.0.0.1:${port}/from/practice` }
  open.access.webhooks = [accessibleWebhook, other, here]
  const command = start('--forward', hook)
  const request = await open.asked()
  expect(request).toMatchObject({ kind: 'listen', webhook: { id: 'w3' } })
  await open.answer(request.id, 'once')
  await command.says(`Receiving deliveries at ${here.url}\n`)
  await deliver(here.url, 'evt_1')
  await command.says('attempt 1, verified  forwarded: 204')

  open.access.webhooks = [accessibleWebhook, other]
  expect(await start('--forward', hook).ended).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('Name one with --webhook: https://bots.example/in (w1), https://other.example/in (w2).'),
  })
  open.access.webhooks = []
  expect(await start().ended).toMatchObject({ code: 66, stderr: expect.stringContaining('No webhook has its signing secret on this computer.') })
  open.access.webhooks = [accessibleWebhook]
  const only = start()
  const asked = await open.asked()
  expect(asked).toMatchObject({ webhook: { id: 'w1' } })
  await open.answer(asked.id, 'deny')
  expect(await only.ended).toMatchObject({ code: 77 })
})

test('svc-desk listen reports a missing signing secret or a port in use, and receives no deliveries', async () => {
  const { command } = await listening(fromVariable, ['--secret-env', 'NOT_SET'])
  expect(await command.ended).toMatchObject({ code: 64, stderr: expect.stringContaining('NOT_SET is not set.') })
  const port = new URL(forward).port
  const taken = fromVariable(['listen', '--secret-env', 'HOOK', '--port', port])
  started.push(taken)
  expect(await taken.ended).toMatchObject({
    code: 69,
    stderr: expect.stringContaining(`port ${port}: another program uses it, such as the receiver lab of Svc Desk. Choose another with --port.`),
  })
})
