import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeChain } from '../../../../e2e/support/practice/fake-chain.ts'
import { openClient } from '../../../../e2e/support/practice/orders.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { at, bearer, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'exchange-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('the practice exchange remembers sign-ins, keys, intents and positions across a restart [AUTH-08] [FLOW-06]', async () => {
  const chain = createFakeChain()
  const first = await start({ dataDir, chain })
  const session = await first.signIn()
  const client = await openClient(first)
  const prepared = await client.prepare(await client.marketOrder(), 'before-restart')
  const hash = text(await client.relay(prepared), 'tx_hash')
  await chain.mine(2)
  const [positions, account] = [await client.read('/positions'), await client.read('/account')]
  await first.stop()

  const second = await start({ dataDir, chain, wallet: first.wallet })
  second.clock.advance(1_000)
  expect((await second.call('GET /api/dex/developer/keys', bearer(session))).status).toBe(200)
  const read = (path: string) => second.call(`GET /api/dex/v1${path}`, keyHeader(client.apiKey))
  expect((await read('/positions')).json).toEqual(positions.json)
  expect((await read('/account')).json).toEqual(account.json)
  expect(at(await read(`/native/executions/${hash}`), 'finality')).toBe('PENDING_FINALITY')
  const replay = await second.call('POST /api/dex/v1/orders/prepare', {
    headers: { 'X-Svc-API-Key': client.apiKey, 'Idempotency-Key': 'before-restart' },
    body: {
      action: 'open_position',
      payload: { pair_id: 1, side: 'long', leverage: 10, order_value_usdc: '2500', reference_price: await second.mark(1), max_slippage_bps: 50 },
    },
  })
  expect([at(replay, 'intent_id'), at(replay, 'idempotent_replay')]).toEqual([at(prepared, 'intent_id'), true])
  await second.stop()
})

test('the practice exchange remembers executors, executor commands and the audit log across a restart [KEY-12] [ORD-13] [KEY-14]', async () => {
  const first = await start({ dataDir })
  const { apiKey, keyId, session } = await first.newKey({ label: 'kept' })
  await first.call(`PUT /api/dex/developer/keys/${keyId}/executor`, { ...bearer(session), body: { executor: 'exec-fra-1' } })
  const payload = { idempotency_key: 'kept-command', pair_id: 2, side: 'long', order_type: 'limit', limit_price: '3000', leverage: 1, order_value_usdc: '100' }
  const execute = (bench: typeof first) => bench.call('POST /api/dex/v1/orders/execute', { ...keyHeader(apiKey), body: { action: 'open_position', payload } })
  const command = at(await execute(first), 'delegated.command_id')
  const audit = await first.call('GET /api/dex/developer/audit', bearer(session))
  await first.stop()

  const second = await start({ dataDir, wallet: first.wallet })
  second.clock.advance(2_000)
  const again = await execute(second)
  expect([at(again, 'delegated.command_id'), at(again, 'idempotent_replay')]).toEqual([command, true])
  const after = at(await second.call('GET /api/dex/developer/audit', bearer(session)), 'entries')
  const before = at(audit, 'entries')
  expect(Array.isArray(after) && Array.isArray(before) && after.slice(-before.length)).toEqual(before)
  const page = await second.call('GET /api/dex/developer/audit?limit=2', bearer(session))
  expect([at(page, 'entries.length'), at(page, 'has_more')]).toEqual([2, true])
  await second.stop()
})

test('the practice exchange can read its state file from an earlier version, without sequence numbers in the audit log', async () => {
  const first = await start({ dataDir })
  const { session } = await first.newKey()
  await first.stop()
  const file = join(dataDir, 'exchange.json')
  const { commands: _, ...state } = JSON.parse(readFileSync(file, 'utf8'))
  for (const row of state.audit) delete row.sequence
  for (const key of state.keys) delete key.lastUsedIp
  writeFileSync(file, JSON.stringify(state))
  const second = await start({ dataDir, wallet: first.wallet })
  second.clock.advance(2_000)
  expect(at(await second.call('GET /api/dex/developer/keys', bearer(session)), 'keys.0.last_used_ip')).toBeNull()
  const page = await second.call('GET /api/dex/developer/audit?limit=1', bearer(session))
  const rest = await second.call(`GET /api/dex/developer/audit?limit=200&cursor=${at(page, 'next_cursor')}`, bearer(session))
  expect([at(page, 'entries.0.event'), at(rest, 'entries.0.event'), at(rest, 'has_more')]).toEqual(['session.call', 'session.call', false])
  await second.stop()
})

test('from a version 1 state file, the practice exchange keeps the API keys and the play money, but drops the orders', async () => {
  const first = await start({ dataDir })
  const { apiKey, keyId } = await first.newKey({ label: 'kept' })
  await first.stop()
  const file = join(dataDir, 'exchange.json')
  const { ledger: _, fundedUntilMs: __, ...state } = JSON.parse(readFileSync(file, 'utf8'))
  const intent = { id: 'dx_1', sequence: 1, wallet: first.wallet.address, action: 'open_position', payload: {}, status: 'signature_ready', state: 'confirmed' }
  const execution = { intentId: 'dx_1', sequence: 2, wallet: first.wallet.address, digest: '0x12', blockNumber: '4', status: 'filled' }
  writeFileSync(file, JSON.stringify({ ...state, version: 1, intents: [intent], executions: [execution] }))
  const second = await start({ dataDir, wallet: first.wallet })
  const read = (path: string) => second.call(`GET /api/dex/v1${path}`, keyHeader(apiKey))
  expect(second.exchange.effects()).toMatchObject({ keys: [{ key_id: keyId }], positions: [], relayed: [], prepared: 0 })
  expect([at(await read('/account'), 'collateral_usdc'), at(await read('/orders'), 'orders.items')]).toEqual(['10000.00', []])
  await second.stop()
  expect(readdirSync(dataDir)).toEqual(['exchange.json'])
})

test('if a crash interrupts the relay of an intent, the practice exchange can relay the intent again after its restart [FLOW-07]', async () => {
  const chain = createFakeChain()
  let asked = () => {}
  const reached = new Promise<void>((resolve) => {
    asked = resolve
  })
  const submitIntent = (): Promise<never> => {
    asked()
    return new Promise(() => {})
  }
  const first = await start({ dataDir, chain: { ...chain, submitIntent } })
  const client = await openClient(first)
  const prepared = await client.prepare(await client.marketOrder())
  const hanging = expect(client.relay(prepared)).rejects.toThrow()
  await reached
  await client.prepare(await client.marketOrder())
  await first.stop()
  await hanging

  const second = await start({ dataDir, chain, wallet: first.wallet })
  const signature = await signTypedData(first.wallet, prepared, 'execution.typed_data')
  const relayed = await second.call('POST /api/dex/actions/relay', {
    body: { wallet: first.wallet.address, intent_id: text(prepared, 'intent_id'), signature },
  })
  expect(relayed.status).toBe(200)
  await second.stop()
})

test('the practice exchange saves a new key to disk before it confirms the creation, and never saves the key’s secret [KEY-05] [AUTH-09]', async () => {
  const bench = await start({ dataDir })
  const { apiKey, keyId, session } = await bench.newKey()
  const written = readFileSync(join(dataDir, 'exchange.json'), 'utf8')
  expect(written).toContain(keyId)
  await bench.stop()
  for (const file of readdirSync(dataDir)) {
    const text = readFileSync(join(dataDir, file), 'utf8')
    expect(text).not.toContain(apiKey.slice(6))
    expect(text).not.toContain(session.slice(7))
  }
})

test('the practice exchange moves its state file aside if it cannot be read, and starts with an empty state', async () => {
  writeFileSync(join(dataDir, 'exchange.json'), '{"version":1,"keys":[')
  const bench = await start({ dataDir })
  expect(bench.exchange.effects().keys).toEqual([])
  await bench.stop()
  expect(readdirSync(dataDir).toSorted()).toEqual(['exchange.json', 'exchange.json.unreadable'])
})
