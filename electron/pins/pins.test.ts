import { expect, test } from 'vitest'
import type { Values } from '../journal/journal.ts'
import { failure } from '../testing/desk.ts'
import { createPins } from './pins.ts'

const first = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const second = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

function start(given: { config?: string | null; meta?: string | null; code?: boolean | null } = {}) {
  const { config = first, meta = first, code = true } = given
  const said = { config, meta, code }
  const held = new Map<string, string>()
  const values: Values = {
    get: (name) => held.get(name) ?? null,
    set: (name, text) => void (text === null ? held.delete(name) : held.set(name, text)),
    withPrefix: () => [],
  }
  let asked = 0
  const pins = createPins({
    profile: { id: 'p', kind: 'live', hostUrl: 'https://dex.example', practiceWallet: null },
    values,
    published: async () => {
      asked += 1
      return said
    },
    hasCode: async () => said.code,
  })
  return { pins, said, asked: () => asked }
}

const decide = async (pins: ReturnType<typeof start>['pins'], candidate: string) => (await pins.decide(candidate)) ?? expect.fail('no address')

test('a first router that is published, and has code, is pinned by one click [FLOW-01]', async () => {
  const { pins } = start()
  const decision = await decide(pins, first.toLowerCase())
  expect(decision).toMatchObject({ state: 'new', candidate: first, published: first, hasCode: true })
  expect(failure(pins.confirmRouter(decision, null))).toEqual({ kind: 'confirmation_required', what: 'router', expected: 'yes' })
  expect(pins.router()).toBeNull()
  expect(pins.confirmRouter(decision, 'yes').ok).toBe(true)
  expect(pins.router()).toBe(first)
})

test('a changed router needs its whole address typed, and only where the service publishes it [FLOW-01]', async () => {
  const { pins, said } = start()
  pins.confirmRouter(await decide(pins, first), 'yes')
  expect(failure(pins.confirmRouter(await decide(pins, second), second)).kind).toBe('signing_refused')
  said.config = second
  said.meta = second
  const changed = await decide(pins, second)
  expect(changed.state).toBe('changed')
  expect(failure(pins.confirmRouter(changed, 'yes'))).toEqual({ kind: 'confirmation_required', what: 'router', expected: second })
  expect(pins.confirmRouter(changed, ` ${second.toLowerCase()} `).ok).toBe(true)
  expect(pins.router()).toBe(second)
})

test.each([
  ['where no contract stands', { code: false }],
  ['that the configuration does not publish', { config: second }],
  ['that /meta does not publish', { meta: second }],
])('a router %s cannot be confirmed at all [FLOW-01]', async (_why, given) => {
  const { pins } = start(given)
  const decision = await decide(pins, first)
  expect(failure(pins.confirmRouter(decision, 'yes'))).toEqual({ kind: 'signing_refused', sentence: decision.concerns[0] })
  expect(failure(pins.confirmRouter(decision, first)).kind).toBe('signing_refused')
  expect(pins.router()).toBeNull()
})

test('a pinned router is trusted without asking anybody again', async () => {
  const { pins, asked } = start()
  pins.confirmRouter(await decide(pins, first), 'yes')
  const before = asked()
  expect((await decide(pins, first)).state).toBe('pinned')
  expect(asked()).toBe(before)
})

test('layouts are kept apart by kind of message', () => {
  const { pins } = start()
  const layout = { hash: '0x1', usdcScale: 6, priceScale: null, leverageScale: null }
  pins.addLayout('open_position', layout)
  pins.addLayout('open_position', { ...layout, priceScale: 8 })
  expect(pins.layouts('open_position')).toEqual([{ ...layout, priceScale: 8 }])
  expect(pins.layouts('agent_grant')).toEqual([])
})
