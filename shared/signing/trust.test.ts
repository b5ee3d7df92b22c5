import { expect, test } from 'vitest'
import { otherWallet, router } from '../../e2e/support/fixtures/typed-data.ts'
import { acceptsRouter, decideRouter, type RouterEvidence } from './trust.ts'

const decide = (change: Partial<RouterEvidence> = {}) => {
  const decision = decideRouter({
    candidate: router,
    pinned: null,
    publishedByConfig: router,
    publishedByMeta: router.toLowerCase(),
    unread: [],
    hasCode: true,
    rpcHost: 'rpc.example',
    ...change,
  })
  if (decision === null) throw new Error('There was no candidate')
  return decision
}

test('the app treats a profile’s first router as new, and lets the user confirm the router with “yes” [FLOW-01]', () => {
  const decision = decide()
  expect([decision.state, decision.concerns, decision.publishedByConfig, decision.rpcHost]).toEqual(['new', [], router, 'rpc.example'])
  expect([acceptsRouter(decision, null), acceptsRouter(decision, 'no'), acceptsRouter(decision, ' Yes ')]).toEqual([false, false, true])
})

test('the app requires the user to type the full address of a router that replaces a confirmed one [FLOW-01]', () => {
  const decision = decide({ pinned: otherWallet })
  expect(decision.state).toBe('changed')
  expect([
    acceptsRouter(decision, 'yes'),
    acceptsRouter(decision, router.slice(0, 41)),
    acceptsRouter(decision, otherWallet),
    acceptsRouter(decision, router.toLowerCase()),
  ]).toEqual([false, false, false, true])
})

test('the app does not let the user confirm a router if the chain or the service contradicts the router’s address [FLOW-01]', () => {
  for (const change of [{ hasCode: false }, { publishedByConfig: otherWallet }, { publishedByMeta: otherWallet }, { candidate: `0x${'0'.repeat(40)}` }]) {
    const decision = decide(change)
    expect(decision.confirmable).toBe(false)
    expect(decision.concerns.length).toBeGreaterThan(0)
    expect([acceptsRouter(decision, 'yes'), acceptsRouter(decision, decision.candidate)]).toEqual([false, false])
  }
})

test('the app lets the user confirm a changed router only if the service publishes this router, but a first router in any case [FLOW-01]', () => {
  const unpublished = { publishedByConfig: null, publishedByMeta: null }
  expect(decide({ ...unpublished, pinned: otherWallet })).toMatchObject({ state: 'changed', confirmable: false })
  expect(decide({ ...unpublished, publishedByMeta: router, pinned: otherWallet })).toMatchObject({ state: 'changed', confirmable: true })
  expect(decide(unpublished)).toMatchObject({ state: 'new', confirmable: true })
})

test('the app keeps trusting a router if the service publishes another router, but not if the trusted router’s contract is gone [FLOW-01]', () => {
  expect(acceptsRouter(decide({ pinned: router.toLowerCase(), publishedByConfig: otherWallet }), null)).toBe(true)
  expect(acceptsRouter(decide({ pinned: router, hasCode: false }), null)).toBe(false)
  expect(acceptsRouter(decide({ pinned: router, hasCode: null }), null)).toBe(true)
})

test('the app makes no trust decision about a router with an invalid or missing address', () => {
  for (const candidate of [null, '', '0x12', 'router'])
    expect(decideRouter({ candidate, pinned: router, publishedByConfig: null, publishedByMeta: null, unread: [], hasCode: true, rpcHost: null })).toBeNull()
})
