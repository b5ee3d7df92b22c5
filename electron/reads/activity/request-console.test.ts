import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { relayPath, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'

let workspace: Trader
afterEach(() => workspace.stop())

const all = { kind: 'all', status: 'any', text: '', upTo: null, offset: 0, limit: 200 } as const
const list = async (filter: Partial<typeof all> | { text: string } = {}) => value(await workspace.handlers()['requests.list']({ ...all, ...filter })).rows
const get = async (id: string) => value(await workspace.handlers()['requests.get']({ id }))
const find = async (endpoint: string) => get((await list()).find((record) => record.endpoint === endpoint)?.id ?? expect.fail(`no ${endpoint}`))

test('the request console shows the request, its answer, and how the request was authorised [GEN-05]', async () => {
  workspace = await startTrader()
  const { ref } = await workspace.asked()
  const { record, exchange, tries, hostUrl } = await find('POST /orders/prepare')
  expect(record).toMatchObject({ intentRef: ref, status: 200 })
  expect(tries).toEqual([record])
  expect(hostUrl).toBe(workspace.hostUrl)
  expect(exchange).toMatchObject({ target: '/api/dex/v1/orders/prepare', credential: 'key', key: { label: 'bot' } })
  expect(exchange?.request.body?.text).toBe(workspace.sentTo('/api/dex/v1/orders/prepare')[0]?.body)
  expect(JSON.parse(exchange?.answer?.body.text ?? '')).toMatchObject({ intent_id: expect.stringMatching(/^dx_/) })
  expect(exchange?.answer?.headers).toContainEqual({ name: 'x-request-id', value: record.requestId })
  expect((await find('GET /api/dex/developer/keys')).exchange).toMatchObject({ credential: 'session', key: null })
  expect(failure(await workspace.handlers()['requests.get']({ id: 'dsk-000000000000' }))).toEqual({ kind: 'not_found', what: 'request' })
})

test('the request console groups the attempts of one call, and shows no response for an attempt that got none', async () => {
  workspace = await startTrader()
  workspace.faults.dropRequest = [{ route: 'GET /api/dex/v1/account', times: 1 }]
  value(await workspace.handlers()['account.summary']({ watch: null }))
  const [first, second, ...more] = (await find('GET /account')).tries
  expect([first?.attempt, first?.outcome, second?.attempt, second?.outcome, more]).toEqual([1, 'reset', 2, 'ok', []])
  const lost = await get(first?.id ?? '')
  expect(lost.exchange?.answer).toBeNull()
  expect(lost.tries).toHaveLength(2)
})

test('the app writes no key, session, grant or signature to the journal’s file, and sends none to the window [AUTH-09]', async () => {
  workspace = await startTrader()
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  const held = () => [...workspace.secrets.entries.values()].map((secret) => secret.reveal())
  const first = held()
  const [keyId = ''] = workspace.exchange.effects().keys.map((key) => String(key.key_id))
  value(await workspace.handlers()['keys.rotate']({ keyId, confirmLabel: 'bot' }))
  workspace.faults.dropAnswer = [{ route: 'POST /api/dex/developer/keys/{key_id}/rotate', times: 1 }]
  await workspace.handlers()['keys.rotate']({ keyId, confirmLabel: 'bot' })
  const bearer = [...workspace.vault].find(([name]) => name.startsWith('session/'))?.[1].reveal() ?? ''
  const sent = workspace.sent.flatMap(({ body }) => /"signature":"0x([0-9a-f]+)"/.exec(body ?? '')?.[1] ?? [])
  const secrets = [...first, ...held(), /svcds1\.[^"]+/.exec(bearer)?.[0] ?? '', signature.slice(2), ...sent]
  expect(sent.length).toBeGreaterThanOrEqual(3)
  expect(secrets.every((secret) => secret.length >= 20)).toBe(true)

  const rows = await list()
  const shown = JSON.stringify(await Promise.all(rows.map(({ id }) => get(id))))
  for (const endpoint of [
    'POST /api/dex/developer/session',
    'POST /api/dex/developer/keys',
    'POST /api/dex/developer/keys/{key_id}/rotate',
    'POST /api/dex/actions/relay',
  ])
    expect(rows.map((row) => row.endpoint)).toContain(endpoint)
  expect((await find('POST /api/dex/actions/relay')).exchange?.request.body?.text).toContain('"signature":"[redacted]"')
  expect((await find('POST /api/dex/developer/keys')).exchange?.answer?.body.text).toContain('"api_key":"[redacted]"')
  expect(workspace.sentTo(relayPath)).toHaveLength(1)

  let onDisk = ''
  await workspace.restart((file) => {
    onDisk = readFileSync(file).toString('latin1')
  })
  // Prove first that a search in the raw file finds text. Otherwise, the searches for secrets below could pass without searching anything.
  expect(onDisk).toContain('POST /api/dex/actions/relay')
  expect(onDisk).toContain('[redacted]')
  for (const secret of secrets) {
    expect(shown.includes(secret), 'in what the window gets').toBe(false)
    for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, 24), Buffer.from(secret).toString('hex')])
      expect(onDisk.includes(form), 'in the file').toBe(false)
  }
})
