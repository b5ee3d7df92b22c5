import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { HistoryFilter } from '../../../shared/ipc/reads/account-history.ts'

const all: HistoryFilter = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' }
const first = { ...all, offset: 0, limit: 200 }

let workspace: Workspace
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-history-'))
})
afterEach(async () => {
  await workspace.stop()
  await rm(folder, { recursive: true, force: true })
})

const bare = async () => {
  workspace = await startWorkspace()
  await workspace.connect()
}
const keyed = () => workspace.sent.filter(({ headers }) => headers['x-svc-api-key'] !== undefined)
const pathsOf = (from = 0) => workspace.sent.slice(from).map(({ path }) => path)

test('the app reads the connected wallet’s history with its key, or by the public routes without a key, and reports which route it used [ACC-01, AUTH-04]', async () => {
  await bare()
  const { source, ...summary } = value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(summary).toMatchObject({ wallet: workspace.account.address, collateral: '10000' })
  expect(source).toEqual({ route: 'public', why: { kind: 'api_key_required', scope: 'account:read' } })
  expect(keyed()).toEqual([])
  await workspace.signIn()
  await workspace.createKey('reader')
  const from = workspace.sent.length
  const own = { watch: null }
  const reads = [
    value(await workspace.handlers()['account.summary'](own)),
    value(await workspace.handlers()['account.positions'](own)),
    value(await workspace.handlers()['account.collateral'](own)),
  ]
  for (const read of reads) expect(read.source).toEqual({ route: 'versioned', keyLabel: 'reader' })
  for (const table of ['orders', 'trades', 'transactions', 'history'] as const)
    expect(value(await workspace.handlers()['account.history']({ watch: null, table, ...first })).source).toMatchObject({ route: 'versioned' })
  const versioned = ['account', 'positions', 'collateral', 'orders', 'trades', 'transactions', 'positions/history']
  expect(pathsOf(from).map((path) => path.split('?')[0])).toEqual(expect.arrayContaining(versioned.map((path) => `/api/dex/v1/${path}`)))
})

test('the app shows public history data when the service refuses the user’s key, and reports the refusal', async () => {
  await bare()
  await workspace.signIn()
  await workspace.createKey()
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/account', status: 403, code: 'IP_NOT_ALLOWED', times: 1 }]
  expect(value(await workspace.handlers()['account.summary']({ watch: null })).source).toMatchObject({ route: 'public', why: { kind: 'ip_not_allowed' } })
})

test('the app reads a watched wallet’s data without a key by the public routes, separate from the connected wallet’s [ACC-03]', async () => {
  await bare()
  await workspace.signIn()
  await workspace.createKey()
  const other = privateKeyToAccount(generatePrivateKey()).address
  workspace.exchange.seedCollateral(other, '77')
  expect(failure(await workspace.handlers()['account.summary']({ watch: other }))).toEqual({ kind: 'not_found', what: 'watched wallet' })
  value(await workspace.handlers()['account.watch']({ address: other.toLowerCase(), name: ' Treasury ' }))
  expect(value(await workspace.handlers()['account.watched']({})).wallets).toEqual([{ address: other, name: 'Treasury' }])
  const from = workspace.sent.length
  expect(value(await workspace.handlers()['account.summary']({ watch: other }))).toMatchObject({
    wallet: other,
    collateral: '77',
    source: { route: 'public', why: null },
  })
  expect(value(await workspace.handlers()['account.collateral']({ watch: other })).balances[0]).toMatchObject({ asset: 'USDC', balance: '77' })
  value(await workspace.handlers()['account.positions']({ watch: other }))
  for (const table of ['orders', 'trades', 'transactions', 'history'] as const)
    value(await workspace.handlers()['account.history']({ watch: other, table, ...first }))
  const asked = workspace.sent.slice(from).filter(({ path }) => !path.includes('/config'))
  expect(asked.filter(({ path, headers }) => headers['x-svc-api-key'] !== undefined || path.includes('/v1/') || !path.includes(`wallet=${other}`))).toEqual([])
  expect(asked.map(({ path }) => path.split('?')[0])).toEqual(
    ['account', 'collateral', 'positions', 'orders', 'trades', 'transactions', 'positions/history'].map((path) => `/api/dex/${path}`),
  )
  expect(value(await workspace.handlers()['account.summary']({ watch: null })).collateral).toBe('10000')
  value(await workspace.handlers()['account.unwatch']({ address: other }))
  expect(failure(await workspace.handlers()['account.history']({ watch: other, table: 'orders', ...first }))).toEqual({
    kind: 'not_found',
    what: 'watched wallet',
  })
})

test('the app refuses to watch a wallet address if its checksum reveals a mistyped letter [ACC-03]', async () => {
  await bare()
  const watch = (address: string, name = 'x') => workspace.handlers()['account.watch']({ address, name })
  expect(failure(await watch('0x12'))).toMatchObject({ kind: 'bad_input', field: 'address' })
  const swapped = [...workspace.account.address]
    .map((letter, index) => (index > 1 && /[a-fA-F]/.test(letter) ? (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) : letter))
    .join('')
  expect(failure(await watch(swapped))).toMatchObject({ kind: 'bad_input', field: 'address' })
  expect(failure(await watch(workspace.account.address, ' '))).toMatchObject({ kind: 'bad_input', field: 'name' })
  value(await watch(workspace.account.address, 'Mine'))
  const other = privateKeyToAccount(generatePrivateKey()).address
  expect(failure(await watch(other, 'Mine'))).toMatchObject({ kind: 'bad_input', field: 'name' })
})

test('the app links a history row to its intent in the app and to the state of its transaction [ACC-01]', async () => {
  const trader: Trader = await startTrader()
  workspace = trader
  const { ref, signature } = await trader.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine()
  const transactions = value(await workspace.handlers()['account.history']({ watch: null, table: 'transactions', ...first })).rows
  expect(transactions).toEqual([expect.objectContaining({ intentRef: ref, what: 'open_position', side: 'long', symbol: 'BTC-PERP' })])
  const listed = async (filter: Partial<HistoryFilter>) => {
    const { total, symbols } = value(await workspace.handlers()['account.history']({ watch: null, table: 'transactions', ...first, ...filter }))
    return [total, symbols]
  }
  for (const filter of [{ symbol: 'BTC-PERP' }, { side: 'long' as const }, { text: 'btc' }])
    expect([filter, ...(await listed(filter))]).toEqual([filter, 1, ['BTC-PERP']])
  for (const filter of [{ symbol: 'ETH-PERP' }, { side: 'short' as const }, { text: 'eth' }])
    expect([filter, ...(await listed(filter))]).toEqual([filter, 0, ['BTC-PERP']])
  workspace.chosenFiles.push(join(folder, 'transactions.csv'))
  const wanted = { watch: null, table: 'transactions', ...all, symbol: 'BTC-PERP', format: 'csv' } as const
  expect(value(await workspace.handlers()['account.export'](wanted)).rows).toBe(1)
  const txHash = transactions[0]?.txHash ?? ''
  expect(value(await workspace.handlers()['account.finality']({ txHash }))).toMatchObject({
    finality: expect.stringMatching(/^(PENDING|PENDING_FINALITY|FINAL)$/),
  })
  const trades = value(await workspace.handlers()['account.history']({ watch: null, table: 'trades', ...first })).rows
  expect(trades).toEqual([expect.objectContaining({ intentRef: ref, txHash, symbol: 'BTC-PERP', side: 'long' })])
  const tradeId = trades[0]?.tradeId ?? expect.fail('no trade id')
  const asked = () =>
    workspace.sent.filter(({ path }) => path.includes('/native/executions/')).map(({ path }) => new URL(path, 'http://x').searchParams.get('trade_id'))
  const before = asked().length
  value(await workspace.handlers()['account.finality']({ txHash, tradeId }))
  expect(asked().slice(before)).toEqual([tradeId])
  let refusals = 0
  await trader.rewriteAnswers(
    (_, answer) => answer,
    (route, body) => (route.includes('/native/executions/') && refusals++ === 0 ? { status: 422, answer: { error: { code: 'INVALID_TRADE_ID' } } } : { body }),
  )
  expect(value(await workspace.handlers()['account.finality']({ txHash, tradeId })).finality).toMatch(/^(PENDING|PENDING_FINALITY|FINAL)$/)
  expect(asked().slice(before + 1)).toEqual([tradeId, null])
  expect(value(await workspace.handlers()['account.history']({ watch: null, table: 'trades', ...first, side: 'short' })).total).toBe(0)
})

test('the app finds an order’s intent and outcome by its client order id, and finds nothing for an unknown id [ACC-01]', async () => {
  const trader: Trader = await startTrader()
  workspace = trader
  const find = (clientOrderId: string) => workspace.handlers()['account.findOrder']({ clientOrderId })
  const { ref, signature } = await trader.asked({ clientOrderId: 'mine-2026-11' })
  expect(value(await find('mine-2026-11')).found).toMatchObject({ intentRef: ref, what: 'open_position', clientOrderId: 'mine-2026-11', txHash: null })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine()
  const { found } = value(await find('mine-2026-11'))
  expect(found).toMatchObject({ intentRef: ref, symbol: 'BTC-PERP', side: 'long', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect(workspace.sent.at(-1)?.path).toBe('/api/dex/v1/orders/by-client-id?client_order_id=mine-2026-11')
  expect(value(await find('another')).found).toBeNull()
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(failure(await find('mine-2026-11'))).toEqual({ kind: 'api_key_required', scope: 'account:read' })
})

test('the app attributes a closed position to the key that requested the close, by the close’s order and transaction [ACC-01]', async () => {
  const trader: Trader = await startTrader()
  workspace = trader
  const opened = await trader.asked()
  value(await workspace.handlers()['intents.answered']({ ref: opened.ref, answer: opened.signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  const [position] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
  const { id, pairId, symbol, side, size, takeProfit, stopLoss } = position ?? expect.fail('no position')
  const closing = value(
    await workspace.handlers()['intents.prepare']({
      action: 'close_position_market',
      position: { positionId: id ?? '', pairId, symbol, side, size, takeProfit, stopLoss },
      size: null,
      clientOrderId: 'close-it',
      referencePrice: value(await workspace.handlers()['markets.summary']({ pairId })).summary.mark ?? '0',
      maxSlippageBps: 50,
    }),
  ).intent
  const request = value(await workspace.handlers()['intents.ask']({ ref: closing.ref, ...agreed }))
  value(await workspace.handlers()['intents.answered']({ ref: closing.ref, answer: await workspace.sign(request) }))
  await workspace.chain.mine(9)
  await workspace.tick()
  const by = { watch: null, by: 'key', fromMs: null } as const
  value(await workspace.handlers()['account.readReport'](by))
  const { lines, complete } = value(await workspace.handlers()['account.report'](by))
  expect(complete).toBe(true)
  expect(lines).toEqual([expect.objectContaining({ name: value(await workspace.handlers()['keys.list']({})).keys[0]?.label, trades: 2, closed: 1 })])
})

async function longPast(
  count: number,
): Promise<{ readonly service: TestService; readonly arrive: (rows: number) => void; readonly asked: () => URLSearchParams[] }> {
  let made = count
  const service = await startService()
  service.answer = ({ path }, response) => {
    const url = new URL(path, 'http://service')
    const limit = Number(url.searchParams.get('limit') ?? 50)
    if (limit > 200) return json(response, 400, { code: 'INVALID' })
    const below = Number(url.searchParams.get('cursor') ?? made + 1)
    const numbers = Array.from({ length: Math.max(0, Math.min(limit, below - 1)) }, (_, index) => below - 1 - index)
    const items = numbers.map((number) => ({
      trade_id: `t${number}`,
      symbol: number % 2 === 0 ? 'BTC-PERP' : '=cmd()',
      side: 'long',
      price: '10.5',
      size_base: number,
      fee_usdc: '-0.25',
      executed_at_ms: 1_700_000_000_000 + number * 60_000,
      venue: 'x',
    }))
    json(response, 200, { trades: { items, next_cursor: numbers.at(-1) ?? 0, has_more: (numbers.at(-1) ?? 1) > 1, limit } })
  }
  return {
    service,
    arrive: (rows) => {
      made += rows
    },
    asked: () => service.received.map(({ path }) => new URL(path, 'http://service').searchParams),
  }
}

test('the app reads history pages of at most 200 rows on demand, each page once, and stops at the end of the list [ACC-02]', async () => {
  const { service, arrive, asked } = await longPast(950)
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const table = { watch: null, table: 'trades' } as const
    const read = async () => value(await workspace.handlers()['account.history']({ ...table, ...first }))
    expect(await read()).toMatchObject({ total: 200, complete: false, newer: 0 })
    expect((await read()).rows[0]).toMatchObject({ key: 't950', valueUsdc: '9975', unknownFields: '{"venue":"x"}' })
    service.received.length = 0
    for (let turn = 0; turn < 8; turn += 1) value(await workspace.handlers()['account.readOlder']({ ...table, ...all }))
    expect(await read()).toMatchObject({ total: 950, complete: true })
    expect(asked().map((query) => [query.get('cursor'), query.get('limit')])).toEqual([
      ['751', '200'],
      ['551', '200'],
      ['351', '200'],
      ['151', '200'],
    ])
    arrive(430)
    expect(value(await workspace.handlers()['account.readNewer']({ ...table, show: false }))).toEqual({ newer: 430 })
    expect(await read()).toMatchObject({ total: 950, newer: 430 })
    value(await workspace.handlers()['account.readNewer']({ ...table, show: true }))
    const seen: string[] = []
    for (let offset = 0; offset < 1_380; offset += 200)
      seen.push(...value(await workspace.handlers()['account.history']({ ...table, ...all, offset, limit: 200 })).rows.map(({ key }) => key))
    expect(seen).toEqual(Array.from({ length: 1_380 }, (_, index) => `t${1_380 - index}`))
  } finally {
    await service.close()
  }
})

test('the app reads the history no further back than the requested time span, and reads more pages when few rows match [ACC-02]', async () => {
  const { service, asked } = await longPast(2_000)
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const table = { watch: null, table: 'trades' } as const
    const fromMs = 1_700_000_000_000 + 1_700 * 60_000
    const recent = { ...all, fromMs }
    value(await workspace.handlers()['account.history']({ ...table, ...recent, offset: 0, limit: 50 }))
    value(await workspace.handlers()['account.readOlder']({ ...table, ...recent }))
    expect(value(await workspace.handlers()['account.history']({ ...table, ...recent, offset: 0, limit: 50 }))).toMatchObject({ total: 301, complete: true })
    expect(asked()).toHaveLength(2)
    const one = { ...all, text: 't3' }
    expect(value(await workspace.handlers()['account.readOlder']({ ...table, ...one })).complete).toBe(false)
    expect(asked()).toHaveLength(7)
  } finally {
    await service.close()
  }
})

test('the app exports all matching history rows, with amounts as numbers, and escapes the service’s text so that no cell is a formula [ACC-02]', async () => {
  const { service } = await longPast(450)
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const file = join(folder, 'trades.csv')
    workspace.chosenFiles.push(file)
    const wanted = { watch: null, table: 'trades', ...all, symbol: '=cmd()' } as const
    value(await workspace.handlers()['account.history']({ ...wanted, offset: 0, limit: 50 }))
    expect(value(await workspace.handlers()['account.export']({ ...wanted, format: 'csv' }))).toEqual({
      state: 'saved',
      path: file,
      rows: 225,
      incomplete: false,
    })
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(226)
    expect(lines[1]?.split(',').slice(0, 5)).toEqual(['2023-11-15T05:42:20.000Z', workspace.account.address, "'=cmd()", 'long', ''])
    expect(lines[1]?.split(',')).toContain('-0.25')
    workspace.chosenFiles.push(join(folder, 'trades.json'))
    value(await workspace.handlers()['account.export']({ ...wanted, format: 'json' }))
    const records = JSON.parse(await readFile(join(folder, 'trades.json'), 'utf8')) as Record<string, unknown>[]
    expect(records[0]).toMatchObject({ size: '449', feeUsdc: '-0.25', state: null, other: { venue: 'x' } })
    expect(value(await workspace.handlers()['account.export']({ ...wanted, format: 'csv' })).state).toBe('cancelled')
  } finally {
    await service.close()
  }
})

test('an exported table or report whose rows are cut says so in the file and in its answer [ACC-02]', async () => {
  const { service } = await longPast(4)
  const trades = service.answer
  service.answer = (request, response, socket) => {
    if (request.path.includes('/positions')) return json(response, 200, { positions: { items: [], next_cursor: 0, has_more: false } })
    if (!request.path.includes('/trades')) return trades(request, response, socket)
    json(response, 200, { trades: { items: [{ trade_id: 't9', symbol: 'BTC-PERP', fee_usdc: '1', executed_at_ms: 1_700_000_000_000 }], has_more: true } })
  }
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const table = { watch: null, table: 'trades', ...all } as const
    const report = { watch: null, by: 'market', fromMs: null } as const
    const exports = {
      'trades.csv': () => workspace.handlers()['account.export']({ ...table, format: 'csv' }),
      'trades.json': () => workspace.handlers()['account.export']({ ...table, format: 'json' }),
      'report.csv': () => workspace.handlers()['account.exportReport']({ ...report, format: 'csv' }),
      'report.json': () => workspace.handlers()['account.exportReport']({ ...report, format: 'json' }),
    }
    const texts: Record<string, string> = {}
    for (const [name, save] of Object.entries(exports)) {
      const file = join(folder, name)
      workspace.chosenFiles.push(file)
      expect(value(await save())).toEqual({ state: 'saved', path: file, rows: 1, incomplete: true })
      texts[name] = await readFile(file, 'utf8')
    }
    const note = 'Incomplete: older rows exist, but the service repeats a page or names no next page.'
    for (const name of ['trades.csv', 'report.csv']) expect(texts[name]?.trim().split('\r\n').at(-1)).toMatch(new RegExp(`^"${note}",+$`))
    expect(JSON.parse(texts['trades.json'] ?? '').at(-1)).toEqual({ incomplete: note })
    expect(JSON.parse(texts['report.json'] ?? '')).toMatchObject({ incomplete: note })
  } finally {
    await service.close()
  }
})

test('a report says from which time on it contains every amount, until the app has read all rows [ACC-02]', async () => {
  const { service } = await longPast(950)
  const trades = service.answer
  service.answer = (request, response, socket) =>
    request.path.includes('/positions') ? json(response, 200, { positions: { items: [], next_cursor: 0, has_more: false } }) : trades(request, response, socket)
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const span = { watch: null, by: 'day', fromMs: null } as const
    expect(value(await workspace.handlers()['account.report'](span))).toMatchObject({
      complete: false,
      total: { trades: 200 },
      wholeFromMs: 1_700_000_000_000 + 751 * 60_000,
    })
    expect(value(await workspace.handlers()['account.readReport'](span))).toEqual({ complete: true })
    expect(value(await workspace.handlers()['account.report'](span))).toMatchObject({ complete: true, total: { trades: 950 }, wholeFromMs: null })
  } finally {
    await service.close()
  }
})

test('a report reads its tables at the same time, and two reports that read one table request each page once [ACC-01]', async () => {
  const { service, asked } = await longPast(950)
  const page = service.answer
  let held: (() => void)[] = []
  service.answer = (request, response, socket) => {
    held.push(() => {
      if (request.path.includes('/trades')) page(request, response, socket)
      else
        json(response, 200, {
          [request.path.includes('/orders') ? 'orders' : request.path.includes('/transactions') ? 'transactions' : 'positions']: {
            items: [],
            next_cursor: 0,
            has_more: false,
          },
        })
    })
  }
  const letGo = () => {
    for (const send of held.splice(0)) send()
  }
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
  try {
    const reads = (['day', 'key'] as const).map((by) => workspace.handlers()['account.readReport']({ watch: null, by, fromMs: null }))
    await expect.poll(() => held.length).toBe(4)
    service.answer = page
    letGo()
    held = []
    expect((await Promise.all(reads)).every(({ ok }) => ok)).toBe(true)
    const cursors = asked().flatMap((query) => query.get('cursor') ?? [])
    expect(cursors).toEqual([...new Set(cursors)])
  } finally {
    await service.close()
  }
})
