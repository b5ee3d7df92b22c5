import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Executing, executePath, startExecuting } from '../../../e2e/support/main/executing.ts'
import type { Takes } from '../../../e2e/support/main/front.ts'
import { preparePath } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { DelegatedItem, LimitTicket } from '../../../shared/ipc/intents/tickets.ts'
import { bulkActionPhrases } from '../../../shared/phrases.ts'

let workspace: Executing
beforeEach(async () => {
  workspace = await startExecuting()
})
afterEach(() => workspace.stop())

type Refusal = (name: string) => { readonly status: number; readonly answer: unknown }
const asList: Refusal = (name) => ({
  status: 422,
  answer: { detail: [{ loc: ['body', 'payload', name], msg: 'field required', type: 'value_error.missing' }] },
})
const asProblem: Refusal = (name) => ({
  status: 400,
  answer: { type: 'https://docs.example/invalid', title: 'Invalid request', status: 400, errors: [{ pointer: `#/payload/${name}`, detail: 'is required' }] },
})
const asText: Refusal = (name) => ({ status: 400, answer: `missing field \`${name}\` at line 1 column 54` })

interface Body {
  readonly action: string
  readonly payload: Readonly<Record<string, unknown>>
}

const wants =
  (names: Readonly<Record<string, Readonly<Record<string, string>>>>, refuse: Refusal): Takes =>
  (route, given) => {
    if (!route.endsWith(preparePath) && !route.endsWith(executePath)) return { body: given }
    const body = given as Body // The cast is safe: the app sends this body to both routes.
    const payload = { ...body.payload }
    for (const [wanted, own] of Object.entries(names[body.action] ?? {})) {
      if (!Object.hasOwn(payload, wanted)) return refuse(wanted)
      payload[own] = payload[wanted]
      delete payload[wanted]
    }
    return { body: { ...body, payload } }
  }

const offerOf = (failed: Failure) => (failed.kind === 'refused' ? failed.offer : undefined)
const names = async () => value(await workspace.handlers()['fieldMap.get']({})).entries.map(({ of, field, at, from }) => `${of}.${field} ${at} ${from}`)
const use = async ({ asks, candidates: [first] }: NonNullable<ReturnType<typeof offerOf>>) => {
  if (asks === null || first === undefined) throw new Error('There is no name to use')
  const entry = { part: 'payloads', of: first.request, field: first.field, at: asks, unit: null } as const
  value(await workspace.handlers()['fieldMap.change']({ set: [entry], remove: [], from: 'refusal' }))
}
const resting = async (limitPrice: string): Promise<void> => {
  const order: LimitTicket = {
    ...{ pairId: 1, side: 'long', marginMode: 'cross', leverage: 5, orderValueUsdc: '20', takeProfit: null, stopLoss: null },
    ...{ orderType: 'limit', limitPrice, timeInForce: 'gtc', postOnly: false },
  }
  await workspace.carryOut({ action: 'create_limit', order })
}
const speak = (takes: Takes) => workspace.rewriteAnswers((_, answer) => answer, takes)

test.each([
  ['a list of complaints', asList],
  ['a problem document', asProblem],
  ['text', asText],
])('the app offers the field name from a refusal that is %s; once accepted, it sends the same order as a new intent [ORD-05]', async (_, refuse) => {
  await resting('50000')
  const order = await workspace.order()
  await speak(wants({ cancel_order: { orderId: 'order_id' } }, refuse))
  const failed = failure(await workspace.handlers()['intents.prepare']({ action: 'cancel_order', order }))
  expect(offerOf(failed)).toEqual({ asks: 'orderId', candidates: [{ request: 'cancel_order', field: 'order_id', sent: 'order_id' }], respelling: true })
  expect(await names()).toEqual([])
  const offer = offerOf(failed)
  if (offer !== undefined) await use(offer)
  const prepared = value(await workspace.handlers()['intents.prepare']({ action: 'cancel_order', order }))
  expect(prepared.intent.state).toBe('PREPARED')
  expect(prepared.comparison?.verdict).not.toBe('block')
  const [first, second] = workspace.sentTo(preparePath).slice(-2)
  expect(JSON.parse(second?.body ?? '{}').payload).toEqual({ orderId: order.orderId })
  expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  expect(await names()).toEqual(['cancel_order.order_id orderId refusal'])
})

test('the app learns a field name from a refused dry run, or from a refused order that the executor did not carry out [ORD-13]', async () => {
  await resting('50000')
  const order = await workspace.order()
  await speak(
    wants({ cancel: { ref: 'order_id' } }, () => ({ status: 422, answer: { message: ['property order_id should not exist', 'ref should not be empty'] } })),
  )
  const ticket: DelegatedItem = { action: 'cancel', order }
  const dry = value(await workspace.handlers()['intents.dryRun']({ ticket, keyId: null }))
  expect(dry.failure === null ? undefined : offerOf(dry.failure)).toMatchObject({ asks: 'ref', respelling: false })
  const offer = offerOf(failure(await workspace.execute(ticket)))
  expect(offer).toMatchObject({ asks: 'ref', candidates: [{ request: 'cancel', field: 'order_id' }] })
  if (offer !== undefined) await use(offer)
  expect((await workspace.carryOut(ticket)).intent.state).toBe('FINAL')
})

test('the app learns field names only from refusals with status 400 or 422, and never replaces a documented name [ORD-01]', async () => {
  const refuse: Refusal = (name) => ({ ...asList(name), status: 403 })
  await speak(wants({ cancel_order: { orderId: 'order_id' }, open_position: { pairId: 'pair_id' } }, refuse))
  const order = {
    orderId: 'ord_1',
    pairId: 1,
    symbol: null,
    side: 'long',
    orderValueUsdc: null,
    limitPrice: null,
    triggerPrice: null,
    takeProfit: null,
    stopLoss: null,
  } as const
  expect(failure(await workspace.handlers()['intents.prepare']({ action: 'cancel_order', order }))).not.toHaveProperty('offer')
  await workspace.rewriteAnswers((_, answer) => answer, wants({ open_position: { pairId: 'pair_id' } }, asList))
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).toMatchObject({ kind: 'refused', status: 422 })
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).not.toHaveProperty('offer')
})

test('the app offers the user the field names that a refused risk preview or a refused request about a key mentions', async () => {
  const refuse = (name: string) => ({ status: 400, answer: { error: { field: name, message: 'required' } } })
  await speak((route, body) => {
    const sent = body as Readonly<Record<string, unknown>> // The cast is safe: the app always sends an object here.
    const wanted = route.endsWith('/expiry')
      ? 'expiresInDays'
      : route.endsWith('/executor')
        ? 'executorAddress'
        : route.endsWith('/risk/preview')
          ? 'params'
          : null
    return wanted === null || Object.hasOwn(sent, wanted)
      ? { body }
      : wanted === 'params'
        ? { status: 422, answer: 'unknown field `payload`, expected `params`' }
        : refuse(wanted)
  })
  const [key] = value(await workspace.handlers()['keys.list']({})).keys
  const { id = '', executor = null } = key ?? {}
  expect(offerOf(failure(await workspace.handlers()['keys.setExpiry']({ keyId: id, days: 30 })))).toMatchObject({ asks: 'expiresInDays', respelling: true })
  const bound = await workspace.handlers()['agents.bindExecutor']({ keyId: id, executor: 'exec-2', before: executor, confirmLabel: key?.label ?? '' })
  expect(offerOf(failure(bound))).toMatchObject({ asks: 'executorAddress', candidates: [{ request: 'key_executor', field: 'executor' }], respelling: false })
  const preview = failure(await workspace.handlers()['account.riskPreview']({ ticket: await workspace.ticket() }))
  expect(offerOf(preview)).toMatchObject({ asks: 'params', candidates: [{ request: 'risk_preview', field: 'payload' }] })
})

test('if a refusal only spells a field name differently, the kill switch learns that spelling and requests the signature at once [ORD-05]', async () => {
  await resting('50000')
  await resting('50001')
  await speak(wants({ cancel_order: { orderId: 'order_id' } }, asList))
  value(await workspace.handlers()['bulkActions.start']({ kind: 'cancel_all', by: { way: 'wallet' }, keyIds: [], typed: bulkActionPhrases.cancel_all }))
  const { order } = value(await workspace.handlers()['bulkActions.next']({}))
  expect(order?.prepared.intent.state).toBe('PREPARED')
  expect(await names()).toEqual(['cancel_order.order_id orderId refusal'])
  value(await workspace.handlers()['intents.ask']({ ref: order?.prepared.intent.ref ?? '', ...agreed }))
})

test('the kill switch never guesses a field name: it reports the name that the service asked for, and continues with the next step', async () => {
  await resting('50000')
  const { ref, signature } = await workspace.asked({ pairId: 1 })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.exchange.settle()
  await speak(wants({ cancel_order: { id: 'order_id' } }, asList))
  value(await workspace.handlers()['bulkActions.start']({ kind: 'kill', by: { way: 'wallet' }, keyIds: [], typed: bulkActionPhrases.kill }))
  const { order } = value(await workspace.handlers()['bulkActions.next']({}))
  expect(order?.ticket).toMatchObject({ action: 'close_position_market' })
  const state = value(await workspace.handlers()['bulkActions.state']({}))
  expect(state.state === 'idle' ? [] : state.steps.filter(({ kind }) => kind === 'cancel')).toMatchObject([
    { state: 'failed', offer: { asks: 'id', respelling: false } },
  ])
  expect(await names()).toEqual([])
})

test('the kill switch carried out by an executor learns a field name automatically if the service only spells the name differently [ORD-13]', async () => {
  await resting('50000')
  await speak(wants({ cancel: { orderId: 'order_id' } }, asProblem))
  value(
    await workspace
      .handlers()
      ['bulkActions.start']({ kind: 'cancel_all', by: { way: 'executor', keyId: null }, keyIds: [], typed: bulkActionPhrases.cancel_all }),
  )
  await expect
    .poll(
      async () => {
        await workspace.chain.mine(4)
        await workspace.tick()
        const state = value(await workspace.handlers()['bulkActions.state']({}))
        return state.state === 'idle' ? [] : state.steps.map((step) => step.state)
      },
      { timeout: 20_000 },
    )
    .toEqual(['done'])
  expect(await names()).toEqual(['cancel.order_id orderId refusal'])
})

test('the app applies a changed field map to the service’s next answers at once, and makes the windows reread the data that depends on it', async () => {
  await resting('50000')
  await workspace.rewriteAnswers((route, answer) =>
    route.endsWith('/v1/positions') ? { positions: [{ position_id: '7', pair_id: 1, side: 'long', numbers: { blurb: '0.25' }, mark_price: '90000' }] } : answer,
  )
  const size = async () => value(await workspace.handlers()['account.positions']({ watch: null })).positions[0]?.size
  expect(await size()).toBeNull()
  const entry = { part: 'answers', of: 'position', field: 'size', at: 'numbers.blurb', unit: 'base' } as const
  workspace.events.length = 0
  value(await workspace.handlers()['fieldMap.change']({ set: [entry], remove: [], from: 'you' }))
  expect(workspace.events).toContainEqual({ type: 'invalidate', queries: expect.arrayContaining(['fieldMap.get', 'account.positions']) })
  expect(await size()).toBe('0.25')
  value(await workspace.handlers()['fieldMap.change']({ set: [], remove: [{ part: 'answers', of: 'position', field: 'size' }], from: 'you' }))
  expect(await size()).toBeNull()
})
