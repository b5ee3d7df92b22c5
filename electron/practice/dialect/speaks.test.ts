import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition } from '../../../e2e/support/practice/orders.ts'
import { at, type Bench, bearer, keyHeader, start, text } from '../../../e2e/support/practice/start.ts'
import { createSpeaker } from './speaker.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

const seedWhere = (wanted: (speaker: ReturnType<typeof createSpeaker>) => boolean): number => {
  for (let seed = 1; ; seed += 1) if (wanted(createSpeaker(seed))) return seed
}

test('the practice exchange sends its responses unchanged, byte for byte, if no dialect is set', async () => {
  await openPosition(bench, client)
  const before = (await client.read('/positions')).text
  bench.faults.dialect = 11
  expect((await client.read('/positions')).text).not.toBe(before)
  bench.faults.dialect = null
  expect((await client.read('/positions')).text).toBe(before)
})

test('no dialect of the practice exchange changes anything that the API document specifies [AUTH-01] [ORD-05] [ERR-01]', async () => {
  const order = await client.marketOrder()
  for (let seed = 1; seed <= 25; seed += 1) {
    bench.faults.dialect = seed
    bench.clock.advance(2_000)
    const challenge = await bench.call('POST /api/dex/developer/challenge', { body: { wallet: bench.wallet.address } })
    expect(Object.keys(challenge.json as object)).toEqual(['success', 'wallet', 'message', 'nonce', 'expires_at', 'network', 'chain_id'])
    const prepared = await client.prepare({ ...order, client_order_id: `documented-${seed}` })
    const paths = [
      'intent_id',
      'payload.pair_id',
      'payload.order_value_usdc',
      'execution.ready',
      'execution.status',
      'execution.mode',
      'execution.typed_data.domain.name',
    ]
    expect([seed, ...paths.map((path) => typeof at(prepared, path))]).toEqual([seed, 'string', 'number', 'string', 'boolean', 'string', 'string', 'string'])
    expect([seed, at(await bench.call('GET /api/dex/config'), 'collateral_model.approval.permit')]).toEqual([seed, true])
    const page = (await client.read('/orders?limit=1')).text
    for (const name of ['"orders"', '"items"', '"next_cursor"', '"has_more"', '"limit"']) expect([seed, page.includes(name)]).toEqual([seed, true])
    const refused = await bench.call('GET /api/dex/v1/account')
    expect([seed, refused.status, refused.text.includes('API_KEY_REQUIRED')]).toEqual([seed, 401, true])
  }
})

test('with a dialect, the practice exchange refuses a request that uses another name for a field, and reports the missing field name', async () => {
  const seed = seedWhere(({ requests }) => requests.renamed.order_id === 'id')
  bench.faults.dialect = seed
  const wrong = await client.act('cancel_order', { order_id: 'ord_1' })
  const { refusedWith } = createSpeaker(seed).requests
  expect([wrong.status, wrong.text.includes('id is required'), wrong.text.includes('VALIDATION_ERROR')]).toEqual([refusedWith, true, true])
})

test('with a dialect, the practice exchange accepts the dialect’s own field names and ids, including numbers beyond 2^53', async () => {
  const position = await openPosition(bench, client)
  const nonce = BigInt(position.slice('pos_'.length))
  const seed = seedWhere(({ requests, dialect }) => requests.renamed.position_id === 'positionId' && dialect.ids.position === 'big_integer')
  bench.faults.dialect = seed
  const mark = (await bench.call('GET /api/dex/marks?pair_ids=1')).text
  expect(mark).not.toBe('')
  bench.faults.dialect = null
  const reference = await bench.mark(1)
  bench.faults.dialect = seed
  const number = nonce + 2n ** 62n
  for (const [index, written] of [`${number}`, `"${number}"`, `"0x${number.toString(16)}"`].entries()) {
    const raw = `{"action":"close_position_market","payload":{"positionId":${written},"reference_price":"${reference}","max_slippage_bps":100}}`
    const headers = { ...keyHeader(client.apiKey).headers, 'Idempotency-Key': `close-by-${index}`, 'Content-Type': 'application/json' }
    const prepared = await bench.call('POST /api/dex/v1/orders/prepare', { headers, raw })
    expect([written, at(prepared, 'execution.status')]).toEqual([written, 'signature_ready'])
    expect(prepared.text).toContain(`"positionId":${number}`)
  }
})

test('with a dialect, the practice exchange revokes a key by the id that the dialect gives the key', async () => {
  const { session, keyId } = await bench.newKey()
  const seed = seedWhere(({ dialect }) => dialect.ids.key === 'hex')
  const { writer } = createSpeaker(seed)
  bench.faults.dialect = seed
  const revoked = await bench.call(`DELETE /api/dex/developer/keys/${writer.idText({ id: 'key' }, keyId)}`, bearer(session))
  expect([revoked.status, bench.exchange.effects().keys.find((key) => key.key_id === keyId)?.status]).toEqual([200, 'revoked'])
})

test('by a response’s request id, a test can read the true values that the response had before a dialect changed them', async () => {
  await openPosition(bench, client)
  const size = text(await client.read('/positions'), 'positions.0.size')
  bench.faults.dialect = 3
  await bench.call('GET /api/dex/v1/positions', { headers: { ...keyHeader(client.apiKey).headers, 'X-Request-ID': 'truth-of-this-1' } })
  const [told] = bench.exchange.truth({ requestId: 'truth-of-this-1' })
  expect([told?.route, told?.seed]).toEqual(['GET /api/dex/v1/positions', 3])
  const of = (field: string) => told?.fields.find((each) => each.field === field)
  expect(of('size')).toMatchObject({ resource: 'positions', index: 0, unit: 'base', value: size, standing: 'told' })
  expect(of('mark_price')).toMatchObject({
    unit: 'usdc_per_base',
    value: await (async () => {
      bench.faults.dialect = null
      return bench.mark(1)
    })(),
  })
  expect(of('leverage')).toMatchObject({ unit: 'count', value: '10' })
  expect(bench.exchange.truth({ route: 'GET /api/dex/v1/orders' })).toEqual([])
})

test('the practice exchange’s log of true values marks sizes whose unit the response does not show, and fields that the dialect left out', async () => {
  await openPosition(bench, client)
  bench.faults.dialect = seedWhere(({ dialect }) => dialect.size.isOpen)
  await client.read('/positions')
  const [told] = bench.exchange.truth({ route: 'GET /api/dex/v1/positions' })
  expect(told?.fields.filter(({ standing }) => standing !== 'told').map(({ field, standing }) => [field, standing])).toEqual([
    ['size', 'open'],
    ['notional_usdc', 'left_out'],
    ['margin_usdc', 'left_out'],
    ['unrealised_pnl_usdc', 'left_out'],
  ])
})
