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

test('a first router is new and needs one word of the user [FLOW-01]', () => {
  const decision = decide()
  expect([decision.state, decision.concerns, decision.publishedByConfig, decision.rpcHost]).toEqual(['new', [], router, 'rpc.example'])
  expect([acceptsRouter(decision, null), acceptsRouter(decision, 'no'), acceptsRouter(decision, ' Yes ')]).toEqual([false, false, true])
})

test('a changed router needs its whole address typed [FLOW-01]', () => {
  const decision = decide({ pinned: otherWallet })
  expect(decision.state).toBe('changed')
  expect([
    acceptsRouter(decision, 'yes'),
    acceptsRouter(decision, router.slice(0, 41)),
    acceptsRouter(decision, otherWallet),
    acceptsRouter(decision, router.toLowerCase()),
  ]).toEqual([false, false, false, true])
})

test('a router that the evidence speaks against cannot be confirmed [FLOW-01]', () => {
  for (const change of [{ hasCode: false }, { publishedByConfig: otherWallet }, { publishedByMeta: otherWallet }, { candidate: `0x${'0'.repeat(40)}` }]) {
    const decision = decide(change)
    expect(decision.confirmable).toBe(false)
    expect(decision.concerns.length).toBeGreaterThan(0)
    expect([acceptsRouter(decision, 'yes'), acceptsRouter(decision, decision.candidate)]).toEqual([false, false])
  }
})

test('another router than the pinned one needs the service to publish it; a first one only your word [FLOW-01]', () => {
  const unpublished = { publishedByConfig: null, publishedByMeta: null }
  expect(decide({ ...unpublished, pinned: otherWallet })).toMatchObject({ state: 'changed', confirmable: false })
  expect(decide({ ...unpublished, publishedByMeta: router, pinned: otherWallet })).toMatchObject({ state: 'changed', confirmable: true })
  expect(decide(unpublished)).toMatchObject({ state: 'new', confirmable: true })
})

test('a pinned router stays good when the service publishes another, not when its code is gone [FLOW-01]', () => {
  expect(acceptsRouter(decide({ pinned: router.toLowerCase(), publishedByConfig: otherWallet }), null)).toBe(true)
  expect(acceptsRouter(decide({ pinned: router, hasCode: false }), null)).toBe(false)
  expect(acceptsRouter(decide({ pinned: router, hasCode: null }), null)).toBe(true)
})

test('without a candidate there is nothing to decide', () => {
  for (const candidate of [null, '', '0x12', 'router'])
    expect(decideRouter({ candidate, pinned: router, publishedByConfig: null, publishedByMeta: null, unread: [], hasCode: true, rpcHost: null })).toBeNull()
})
