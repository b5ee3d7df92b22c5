import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { acceptAllTops } from '../../../e2e/support/main/accept-tops.ts'
import { type Executing, startExecuting } from '../../../e2e/support/main/executing.ts'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { delegatedActions } from '../../../shared/api/actions.ts'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import type { CheckDetail, CheckedField, CheckedResource, CheckRow } from '../../../shared/ipc/host/service-check.ts'
import { topCandidates } from './accepting.ts'
import { namesCommand } from './judge-answer.ts'

let workspace: Workspace | undefined
let folder: string | undefined
afterEach(async () => {
  await workspace?.stop()
  workspace = undefined
  if (folder !== undefined) await rm(folder, { recursive: true })
  folder = undefined
})

const state = async (on: Workspace) => value(await on.handlers()['serviceCheck.state']({}))
const start = (on: Workspace, dryRuns = false, how: 'resume' | 'again' = 'resume', only: string[] | null = null) =>
  on.handlers()['serviceCheck.start']({ how, dryRuns, only })
const ended = (on: Workspace) => expect.poll(async () => (await state(on)).phase, { timeout: 30_000 }).toBe('done')
const row = async (on: Workspace, id: string): Promise<CheckRow | undefined> => (await state(on)).rows.find((one) => one.id === id)
const detail = async (on: Workspace, id: string) => value(await on.handlers()['serviceCheck.detail']({ id }))

async function trader(): Promise<Trader> {
  const made = await startTrader()
  workspace = made
  return made
}

test('the service check reads every route, and otherwise sends only previews and preparations to the service [ORD-05]', async () => {
  const on = await trader()
  expect((await state(on)).offer).toBe('first')
  const before = on.sent.length
  value(await start(on))
  await ended(on)
  const left = on.sent.slice(before).filter(({ method }) => method !== 'GET')
  expect(new Set(left.map(({ path }) => path))).toEqual(new Set(['/api/dex/v1/risk/preview', '/api/dex/v1/orders/prepare']))
  const { rows, offer } = await state(on)
  expect(offer).toBe(null)
  expect(rows.filter(({ outcome }) => ['waiting', 'partly', 'not'].includes(outcome))).toEqual([])
  expect(rows.find(({ id }) => id === 'getAccount')).toMatchObject({ outcome: 'read', unread: [] })
  expect(rows.filter((row) => row.outcome === 'read' && row.read !== row.fields)).toEqual([])
  expect(rows.find(({ id }) => id === 'getNativeExecution')).toMatchObject({ outcome: 'nothing_yet' })
  expect(rows.find(({ id }) => id === 'prepare/cancel_order')).toMatchObject({ outcome: 'impossible' })
  expect(rows.find(({ id }) => id === 'prepare/open_position')).toMatchObject({ outcome: 'read' })
  expect(rows.find(({ id }) => id === 'prepare/add_collateral')).toMatchObject({ outcome: 'no_scope', scope: 'collateral:manage' })
  // The check's preparations leave no intents behind.
  expect(value(await on.handlers()['intents.list']({ beforeMs: null, limit: 50 })).intents).toEqual([])
})

test('the user can agree to an order’s signing format in the service check, so that the first order needs no confirmation [FLOW-02]', async () => {
  const on = await trader()
  value(await start(on))
  await ended(on)
  const { signing } = await detail(on, 'prepare/open_position')
  expect(signing).toMatchObject({ verdict: 'confirm', messages: [{ asks: { kind: 'format' } }] })
  const digests = signing?.messages.map(({ digest }) => digest) ?? []
  expect(failure(await on.handlers()['serviceCheck.pin']({ id: 'prepare/open_position', digests: ['0x00'], typed: null })).kind).toBe('wrong_state')
  const pinned = value(await on.handlers()['serviceCheck.pin']({ id: 'prepare/open_position', digests, typed: null }))
  expect(pinned.signing).toMatchObject({ verdict: 'pass', contracts: [] })
  const { comparison, intent } = await on.prepare()
  expect(comparison).toMatchObject({ verdict: 'pass', asks: null })
  value(await on.handlers()['intents.ask']({ ref: intent.ref, typedPhrase: null, typedRouter: null }))
})

test('a stopped service check continues where it stopped, even after a restart', async () => {
  const on = await trader()
  value(await start(on))
  await expect.poll(async () => (await state(on)).done).toBeGreaterThan(3)
  value(await on.handlers()['serviceCheck.cancel']({}))
  const stopped = await state(on)
  expect(stopped.phase).toBe('stopped')
  await on.restart()
  await on.connect()
  const before = on.sent.length
  expect((await state(on)).done).toBe(stopped.done)
  value(await start(on))
  await ended(on)
  expect(on.sent.slice(before).filter(({ path }) => path === '/api/dex/v1/markets')).toEqual([])
})

test('once the user accepts a suggested property for a renamed field, the service check and the app read the field from this property', async () => {
  const on = await trader()
  await on.rewriteAnswers((route, answer) => {
    if (!route.endsWith('/v1/account')) return answer
    const { success: _, equity_usdc, ...rest } = answer as Record<string, unknown> // The cast is safe: the practice exchange sent this answer.
    return { ok: true, payload: { account: { ...rest, standing: { lump: equity_usdc } } } }
  })
  value(await start(on))
  await ended(on)
  const equityOf = ({ resources }: CheckDetail) => resources[0]?.fields.find(({ field }) => field === 'equity')
  const before = await detail(on, 'getAccount')
  expect(equityOf(before)).toMatchObject({ state: 'missing' })
  const place = before.resources[0]?.unread.find(({ path }) => path.endsWith('lump'))?.path ?? ''
  const accept = (field: string, path: string) => on.handlers()['serviceCheck.accept']({ id: 'getAccount', resource: 'account', field, path, unit: 'usdc' })
  expect(failure(await accept('equity', '__proto__.x'))).toMatchObject({ kind: 'field_map', issues: [{ code: 'not_offered' }] })
  expect(failure(await accept('__proto__', place)).kind).toBe('not_found')
  const sent = on.sent.length
  expect(equityOf(value(await accept('equity', place)))).toMatchObject({ state: 'read', path: place })
  expect(on.sent.length).toBe(sent)
  expect(value(await on.handlers()['account.summary']({ watch: null })).equity).toMatch(/^10000/)
})

test('if one route’s answer becomes unreadable, the service check automatically repeats only that route', async () => {
  const on = await trader()
  value(await start(on))
  await ended(on)
  await on.rewriteAnswers((route, answer) => (route.endsWith('/v1/positions') ? { positions: [{ nothing: 'of the kind' }] } : answer))
  const before = on.sent.length
  await on.handlers()['account.positions']({ watch: null })
  await expect.poll(async () => (await row(on, 'getPositions'))?.outcome, { timeout: 10_000 }).toBe('not')
  await expect.poll(async () => (await state(on)).offer, { timeout: 10_000 }).toBe('drift')
  expect(new Set(on.sent.slice(before).map(({ path }) => path))).toEqual(new Set(['/api/dex/v1/positions']))
})

test('the service check treats an empty object as an empty list if the service returns lists as objects keyed by id', async () => {
  const on = await trader()
  await on.rewriteAnswers((route, answer) => {
    if (route.endsWith('/v1/positions')) return {}
    if (!route.endsWith('/v1/markets')) return answer
    const { markets } = answer as { readonly markets: readonly { readonly symbol: string }[] } // The cast is safe: the practice exchange sent this answer.
    return Object.fromEntries(markets.map((market) => [market.symbol, market]))
  })
  value(await start(on))
  await ended(on)
  expect(await row(on, 'getMarkets')).toMatchObject({ outcome: 'read' })
  expect(await row(on, 'getPositions')).toMatchObject({ outcome: 'empty' })
})

const lacking = (answer: unknown) => {
  const { positions } = answer as { positions: Record<string, unknown>[] } // The cast is safe: the practice exchange sent this answer.
  return { positions: [...positions, { ...positions[0], position_id: 'pos_2', pair_id: undefined, symbol: undefined }] }
}
const inAnotherUnit = (answer: unknown) => {
  const { equity_usdc, ...rest } = answer as Record<string, unknown> // The cast is safe: the practice exchange sent this answer.
  return { ...rest, equity: { value: equity_usdc, currency: 'BTC', decimals: 8 } }
}
test.each([
  ['a record that lacks what it must have', 'getPositions', '/v1/positions', lacking, (on: Workspace) => on.handlers()['account.positions']({ watch: null })],
  ['a field whose unit is another', 'getAccount', '/v1/account', inAnotherUnit, (on: Workspace) => on.handlers()['account.summary']({ watch: null })],
] as const)('the service check automatically checks an answer again if the app still reads all of it but %s', async (_, step, path, rewrite, read) => {
  const on = await startExecuting()
  workspace = on
  await on.carryOut({ action: 'open_market', order: await on.ticket() })
  value(await start(on))
  await ended(on)
  expect(await row(on, step)).toMatchObject({ outcome: 'read' })
  await on.rewriteAnswers((route, answer) => (route.endsWith(path) ? rewrite(answer) : answer))
  expect((await read(on)).ok).toBe(true)
  await expect.poll(async () => (await row(on, step))?.outcome, { timeout: 10_000 }).toBe('partly')
  await expect.poll(async () => (await state(on)).offer, { timeout: 10_000 }).toBe('drift')
})

describe('the service check sends an executor’s actions only as dry runs', () => {
  const executed = (on: Workspace) => on.sent.filter(({ path }) => path.endsWith('/orders/execute')).map(({ body }) => JSON.parse(body ?? '{}'))
  const dryRuns = async (on: Workspace) => (await state(on)).rows.filter(({ kind }) => kind === 'dry_run')
  /** Creates an account with a waiting order and with an isolated position that has a take profit. */
  async function executing(): Promise<Executing> {
    const made = await startExecuting()
    workspace = made
    await made.carryOut({ action: 'open_market', order: await made.ticket({ marginMode: 'isolated', takeProfit: '200000' }) })
    const order = { ...(await made.ticket()), orderType: 'limit', limitPrice: '50000', timeInForce: 'gtc', postOnly: false } as const
    const { referencePrice: _, maxSlippageBps: __, restIfUnfilled: ___, ...limit } = order
    await made.carryOut({ action: 'create_limit', order: limit })
    made.sent.length = 0
    return made
  }

  test('the service check sends dry runs of executor actions only if the user enables them, and the dry runs change no position [ORD-13]', async () => {
    const on = await executing()
    value(await start(on))
    await ended(on)
    expect(executed(on)).toEqual([])
    const held = () => on.exchange.effects().positions.map(({ position_id, size, take_profit }) => ({ position_id, size, take_profit }))
    const waiting = await on.order()
    const before = held()
    value(await start(on, true, 'again'))
    await ended(on)
    const sent = executed(on)
    expect(sent.map(({ prepare_only }) => prepare_only)).toEqual(sent.map(() => true))
    expect(sent[0]).toMatchObject({ action: 'cancel', payload: { order_id: expect.stringMatching(/^check-/) } })
    const tried = new Set(sent.map(({ action }) => action))
    expect(Object.keys(delegatedActions).filter((action) => !tried.has(action))).toEqual(['clear_sl'])
    const rows = await dryRuns(on)
    expect(rows.filter(({ outcome }) => outcome !== 'read').map(({ action, outcome }) => [action, outcome])).toEqual([['clear_sl', 'impossible']])
    expect(held()).toEqual(before)
    expect(await on.order()).toEqual(waiting)
  })

  const acts = {
    'a command’s id': { command_id: 'cmd_1' },
    'the key that it was sent with as an id': (body: Readonly<Record<string, never>>) => ({
      commandId: (body.payload as { idempotency_key?: string } | undefined)?.idempotency_key,
    }),
    'a transaction’s hash under a name of its own': { on: { chain: `0x${'ab'.repeat(32)}` } },
  }
  test.each(Object.entries(acts))('the service check ends if the executor’s answer contains %s, and tries nothing after it [ORD-13]', async (_, answer) => {
    const on = await executing()
    await on.rewriteAnswers(
      (_route, answered) => answered,
      (route, body) =>
        route.endsWith('/orders/execute') && (body as { action: string }).action === 'create_limit'
          ? { status: 202, answer: { success: true, state: 'fine', ...(typeof answer === 'function' ? answer(body as never) : answer) } }
          : { body },
    )
    value(await start(on, true, 'again'))
    await ended(on)
    expect(executed(on).map(({ action }) => action)).toEqual(['cancel', 'batch', 'create_limit'])
    expect(await row(on, 'dry_run/create_limit')).toMatchObject({ outcome: 'acted' })
    expect((await dryRuns(on)).slice(3).every(({ outcome }) => outcome === 'waiting')).toBe(true)
  })

  test('the service check treats a dry run as executed if the answer contains a command id, but not if the answer only repeats the request', () => {
    const sent = { action: 'cancel', payload: { order_id: `0x${'01'.repeat(32)}`, idempotency_key: 'desk-check-1' } }
    expect(namesCommand({ command: 'cancel', payload: sent.payload, command_id: null }, sent)).toBe(false)
    expect(namesCommand({ command: 'cancel', payload: sent.payload, command_id: 'desk-check-1' }, sent)).toBe(true)
    expect(namesCommand({ command: 'c-1' }, sent)).toBe(true)
  })
})

test('the service check’s report contains no secrets, and contains the wallet’s address only on request [AUTH-09]', async () => {
  const on = await trader()
  value(await start(on))
  await ended(on)
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-check-'))
  const [plain, full] = [join(folder, 'plain.json'), join(folder, 'full.json')]
  on.chosenFiles.push(plain, full)
  expect(value(await on.handlers()['serviceCheck.save']({ wallet: false }))).toEqual({ path: plain })
  expect(value(await on.handlers()['serviceCheck.save']({ wallet: true }))).toEqual({ path: full })
  const text = await readFile(plain, 'utf8')
  expect(text.toLowerCase()).not.toContain(on.account.address.slice(2).toLowerCase())
  expect(JSON.parse(text)).toMatchObject({ version: 1, steps: expect.any(Array) })
  expect(await readFile(full, 'utf8')).toContain(on.account.address)
  for (const file of [text, await readFile(full, 'utf8')]) expect(file).not.toMatch(/SVC[A-Z0-9]{13,}|svcds1\./)
})

test('the service check does not start without a wallet or a key', async () => {
  workspace = await startWorkspace()
  expect(failure(await start(workspace)).kind).toBe('no_wallet')
  await workspace.connect()
  expect(failure(await start(workspace)).kind).toBe('api_key_required')
  expect(await state(workspace)).toMatchObject({ phase: 'none', offer: null })
})

test('the service check accepts the first suggestions for all fields in one change of the field map, which the user can undo in one step', async () => {
  const on = await trader()
  await on.rewriteAnswers((route, answer) => {
    if (!/\/account$/.test(route)) return answer
    const { unrealised_pnl_usdc, ...rest } = answer as Record<string, unknown> // The cast is safe: the practice exchange sent this answer.
    return { ...rest, pnl_so_far_usdc: unrealised_pnl_usdc }
  })
  const summary = async () => value(await on.handlers()['account.summary']({ watch: null }))
  expect(await summary()).toMatchObject({ unrealisedPnl: null })
  const accepted = await acceptAllTops(on)
  expect(accepted).toContainEqual({ resource: 'account', field: 'unrealisedPnl', path: 'pnl_so_far_usdc', preview: expect.any(String), why: 'words' })
  expect(await summary()).toMatchObject({ unrealisedPnl: '0' })
  expect(value(await on.handlers()['serviceCheck.tops']({}))).toEqual({ tops: [] })
  value(await on.handlers()['fieldMap.undo']({}))
  const { tops } = value(await on.handlers()['serviceCheck.tops']({}))
  expect(tops.map(({ field }) => field)).toContain('unrealisedPnl')
  // The user never saw this place among the candidates, so accepting it fails.
  const other = await on.handlers()['serviceCheck.acceptTops']({ tops: [{ resource: 'account', field: 'unrealisedPnl', path: 'wallet' }] })
  expect(failure(other)).toMatchObject({ kind: 'wrong_state', state: 'changed' })
  expect(await summary()).toMatchObject({ unrealisedPnl: null })
})

describe('the service check can accept the first suggestion for every field', () => {
  const field = { state: 'missing', path: null, unit: null, reason: null, required: false, documented: false } as const
  const at = (path: string) => [{ path, preview: '1', why: 'words' as const }]
  const of = (fields: CheckedField[]): CheckedResource => ({ resource: 'account', records: 1, incomplete: 0, unread: [], fields })
  const reading =
    (fields: readonly CheckedField[], wrong: readonly string[] = []) =>
    (map: FieldMap | undefined) => [
      of(
        fields.map((one) => {
          const path = map?.account?.[one.field]?.path
          return path === undefined || wrong.includes(path) ? one : { ...one, state: 'read', path, suggestions: [] }
        }),
      ),
    ]

  test('the service check accepts the first suggestion for a missing field, but not for one of unknown unit or two with the same property', () => {
    const fields: CheckedField[] = [
      { ...field, field: 'equity', suggestions: at('worth') },
      { ...field, field: 'healthFactor', state: 'unknown', path: 'h', reason: 'unit', suggestions: at('other') },
      { ...field, field: 'freeMargin', suggestions: at('exit') },
      { ...field, field: 'collateral', suggestions: at('exit') },
      { ...field, field: 'wallet', documented: true, suggestions: at('owner') },
    ]
    expect(topCandidates(reading(fields), undefined)).toMatchObject([{ resource: 'account', field: 'equity', path: 'worth' }])
  })

  test('the service check accepts no suggested property that yields no value or makes the field unreadable in another answer', () => {
    const equity: CheckedField = { ...field, field: 'equity', suggestions: at('worth') }
    expect(topCandidates(reading([equity], ['worth']), undefined)).toEqual([])
    const there: CheckedField = { ...field, field: 'equity', state: 'read', path: 'equity', suggestions: [] }
    const other = (map: FieldMap | undefined) => [...reading([equity])(map), of([map === undefined ? there : { ...field, field: 'equity', suggestions: [] }])]
    expect(topCandidates(other, undefined)).toEqual([])
  })
})
