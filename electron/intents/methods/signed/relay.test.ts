import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { relayPath, relayRoute, startTrader, type Trader } from '../../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../../e2e/support/main/workspace.ts'
import { minute } from '../../../../shared/time.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const signed = (ref: string, signature: string) => workspace.handlers()['intents.answered']({ ref, answer: signature })
const resume = (ref: string, action: 'relay' | 'drop') => workspace.handlers()['intents.resume']({ ref, action })
const attention = async () => value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)
const lookUpRoutes = ['GET /api/dex/v1/orders/by-client-id', 'GET /api/dex/v1/transactions']

/** Signs an order and loses the relay’s response, although the relay received the order. Lookups fail, too. */
async function lost(): Promise<{ ref: string; signature: string }> {
  const order = await workspace.asked()
  workspace.faults.dropAnswer = [{ route: relayRoute, times: 1 }]
  workspace.faults.answer = lookUpRoutes.map((route) => ({ route, status: 500, code: 'INTERNAL', times: 99 }))
  expect(value(await signed(order.ref, order.signature)).state).toBe('UNKNOWN')
  workspace.faults.answer = []
  return order
}

test('if the relay’s answer to a signed order is lost, the app looks up the order at once and does not resend it [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropAnswer = [{ route: relayRoute, times: 1 }]
  const intent = value(await signed(ref, signature))
  expect(intent).toMatchObject({ state: 'SUBMITTED', txHash: workspace.exchange.effects().relayed[0]?.tx_hash })
  const timeline = value(await workspace.handlers()['intents.get']({ ref })).timeline.map(({ state }) => state)
  expect(timeline).toEqual(['PLANNED', 'PREPARED', 'ASKED', 'SIGNED', 'SENT', 'UNKNOWN', 'SUBMITTED'])
  expect(workspace.sentTo(relayPath)).toHaveLength(1)
})

test('if the app cannot look up an order after a lost answer, the order is UNKNOWN until a later automatic lookup finds it [FLOW-07]', async () => {
  const { ref, signature } = await lost()
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  expect(await attention()).toContain('unknown_intent')
  expect(failure(await signed(ref, signature)).kind).toBe('wrong_state')
  expect(failure(await resume(ref, 'relay')).kind).toBe('wrong_state')
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SUBMITTED')
  expect(await attention()).not.toContain('unknown_intent')
  expect(workspace.sentTo(relayPath)).toHaveLength(1)
  expect(workspace.exchange.effects().relayed).toHaveLength(1)
})

test('when the user looks up an UNKNOWN order, the app asks the service for the order and never resends it to the relay [FLOW-07]', async () => {
  const { ref } = await lost()
  const before = workspace.sent.length
  expect(value(await workspace.handlers()['intents.lookUp']({ ref })).state).toBe('SUBMITTED')
  expect(workspace.sent.slice(before).map(({ method }) => method)).not.toContain('POST')
})

test('an order that never reached the relay expires about a minute after its deadline, and is UNKNOWN until then [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropRequest = [{ route: relayRoute, times: 1 }]
  expect(value(await signed(ref, signature)).state).toBe('UNKNOWN')
  workspace.clock.advance(4 * minute)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  workspace.clock.advance(2 * minute + 1)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'EXPIRED', reason: { code: 'shown_nowhere' } })
  expect([...workspace.vault.keys()].filter((name) => name.startsWith('signature/'))).toEqual([])
  expect(workspace.sentTo(relayPath)).toHaveLength(1)
  expect(workspace.exchange.effects().relayed).toEqual([])
})

test('an UNKNOWN order blocks an order on the same side of the same market, but not on the opposite side or in another market [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropRequest = [{ route: relayRoute, times: 1 }]
  value(await signed(ref, signature))
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  expect((await workspace.prepare({ side: 'short' })).ready).toBe(true)
  expect((await workspace.prepare({ pairId: 2 })).ready).toBe(true)
  workspace.clock.advance(7 * minute)
  expect((await workspace.prepare()).ready).toBe(true)
  expect((await workspace.intent(ref)).state).toBe('EXPIRED')
})

test('if the relay answers with HTML, a redirect, a truncated body or a 500, the order becomes UNKNOWN instead of failed [FLOW-07]', async () => {
  for (const kind of ['truncated', 'redirect', 'wrong_types'] as const) {
    const { ref, signature } = await workspace.asked({ side: kind === 'truncated' ? 'long' : 'short', pairId: kind === 'redirect' ? 3 : 1 })
    workspace.faults.body = [{ route: relayRoute, kind }]
    value(await signed(ref, signature))
    const timeline = value(await workspace.handlers()['intents.get']({ ref })).timeline.map(({ state }) => state)
    expect([kind, timeline]).toEqual([kind, expect.arrayContaining(['SENT', 'UNKNOWN'])])
    workspace.faults.body = []
  }
})

test('an order that the relay refuses ends, with the service’s error code as the reason', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.answer = [{ route: relayRoute, status: 400, code: 'BAD_SIGNATURE', times: 1 }]
  expect(failure(await signed(ref, signature))).toMatchObject({ kind: 'refused', status: 400, code: 'BAD_SIGNATURE' })
  expect(await workspace.intent(ref)).toMatchObject({ state: 'REFUSED', reason: { code: 'relay_refused', by: 'BAD_SIGNATURE' } })
})

test('if the service says that an order was already relayed, the app looks up the order instead of marking it as refused [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.answer = [{ route: relayRoute, status: 409, code: 'INTENT_ALREADY_RELAYED', times: 1 }]
  expect(value(await signed(ref, signature)).state).toBe('UNKNOWN')
})

test('if the relay answers an order with a rate limit, the app keeps the signature until the user sends it', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.answer = [{ route: relayRoute, status: 429, code: 'RATE_LIMITED', times: 1 }]
  expect(failure(await signed(ref, signature)).kind).toBe('rate_limited')
  expect(await workspace.intent(ref)).toMatchObject({ state: 'SIGNED', unsentSignature: true })
  expect(await attention()).toContain('unsent_signature')
  expect(value(await resume(ref, 'relay')).state).toBe('SUBMITTED')
  expect(workspace.exchange.effects().relayed).toHaveLength(1)
})

test('an order’s signature survives a crash between signing and relaying, and the app relays it once after the restart', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.answer = [{ route: relayRoute, status: 429, code: 'RATE_LIMITED', times: 1 }]
  failure(await signed(ref, signature))
  await workspace.restart()
  await workspace.connect()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'SIGNED', unsentSignature: true })
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SIGNED')
  expect(value(await resume(ref, 'relay')).state).toBe('SUBMITTED')
  expect(failure(await resume(ref, 'relay')).kind).toBe('wrong_state')
  expect(workspace.exchange.effects().relayed).toHaveLength(1)
})

test('the user can delete an order’s unsent signature; the app deletes it, too, when the order’s deadline passes', async () => {
  for (const end of ['drop', 'deadline'] as const) {
    const { ref, signature } = await workspace.asked()
    workspace.faults.answer = [{ route: relayRoute, status: 429, code: 'RATE_LIMITED', times: 1 }]
    failure(await signed(ref, signature))
    if (end === 'drop') expect(value(await resume(ref, 'drop')).state).toBe('CANCELLED')
    else {
      workspace.clock.advance(6 * minute)
      expect(failure(await resume(ref, 'relay'))).toMatchObject({ kind: 'expired', what: 'signature' })
      expect((await workspace.intent(ref)).state).toBe('EXPIRED')
    }
    expect([...workspace.vault.keys()].filter((name) => name.startsWith('signature/'))).toEqual([])
  }
  expect(workspace.exchange.effects().relayed).toEqual([])
})

test('after a crash before the relay’s answer, an order is UNKNOWN until the app looks it up and finds that it was executed once [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.delay = [{ route: relayRoute, ms: null }]
  const dying = Promise.resolve(signed(ref, signature)).catch(() => 'killed')
  await expect.poll(() => workspace.exchange.effects().relayed).toHaveLength(1)
  await workspace.restart()
  await dying
  await workspace.connect()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', unsentSignature: false })
  workspace.faults.delay = []
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SUBMITTED')
  expect(workspace.sentTo(relayPath)).toHaveLength(1)
  expect(workspace.exchange.effects().relayed).toHaveLength(1)
})

test('if the app crashed during a wallet request for an order, it accepts the order’s signature afterwards, but only until the deadline', async () => {
  const { ref, signature } = await workspace.asked()
  await workspace.restart()
  await workspace.connect()
  expect((await workspace.intent(ref)).state).toBe('ASKED')
  expect(value(await signed(ref, signature)).state).toBe('SUBMITTED')

  const late = await workspace.asked({ side: 'short' })
  await workspace.restart()
  await workspace.connect()
  workspace.clock.advance(6 * minute)
  await workspace.tick()
  // Until the app knows the service’s time, no intent expires, because the computer’s clock may be wrong.
  expect((await workspace.intent(late.ref)).state).toBe('ASKED')
  value(await workspace.handlers()['markets.list']({}))
  await workspace.tick()
  expect((await workspace.intent(late.ref)).state).toBe('EXPIRED')
  expect(failure(await signed(late.ref, late.signature))).toMatchObject({ kind: 'expired', what: 'signature' })
})

test('an UNKNOWN order with a damaged stored ticket blocks new risk until the user decides its outcome; the app still lists all orders [V12]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropRequest = [{ route: relayRoute, times: 1 }]
  value(await signed(ref, signature))
  await workspace.restart((file) => {
    const database = new DatabaseSync(file)
    database.prepare("UPDATE intents SET ticket = replace(ticket, 'pairId', 'pairIe'), prepared = substr(prepared, 2) WHERE ref = ?").run(ref)
    database.close()
  })
  await workspace.connect()
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket({ pairId: 2 })))).toMatchObject({ kind: 'held_back', intentRef: ref })
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 9 })).intents).toMatchObject([{ ref, state: 'UNKNOWN' }])
  expect(value(await workspace.handlers()['intents.underway']({})).underway).toEqual([])
  workspace.clock.advance(7 * minute)
  await workspace.tick()
})

test('the app reports an order whose stored ticket is not JSON as damaged, and lists all other orders [V12]', async () => {
  const { ref } = await workspace.asked()
  await workspace.restart((file) => {
    const database = new DatabaseSync(file)
    database.prepare("UPDATE intents SET ticket = '{' WHERE ref = ?").run(ref)
    database.close()
  })
  await workspace.connect()
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 9 })).intents).toEqual([])
  expect(value(await workspace.handlers()['intents.underway']({})).underway).toEqual([])
  expect([workspace.journal().unreadable(), workspace.journal().takesNewRisk()]).toEqual([[ref], false])
})
