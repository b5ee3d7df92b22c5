import { afterEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { second } from '../../../shared/time.ts'

let workspace: Trader
afterEach(() => workspace.stop())

const levels = 4_000
const nest = (): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1)
const createRoute = 'POST /api/dex/developer/keys'
const relayRoute = 'POST /api/dex/actions/relay'
const withField = (route: string, name: string) => (one: string, body: unknown) =>
  one === route && typeof body === 'object' && body !== null ? { ...body, [name]: nest() } : body

test('the app sends an order once and follows it until it is final, even if the relay’s response is nested 4,000 levels deep [V2] [FLOW-06]', async () => {
  workspace = await startTrader()
  await workspace.rewriteAnswers(withField(relayRoute, 'trace'))
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
  expect(workspace.sentTo('/api/dex/actions/relay')).toHaveLength(1)
})

test('the app stores a new key even if the response contains deeply nested data beside the key’s secret [V2] [KEY-05]', async () => {
  workspace = await startTrader()
  await workspace.rewriteAnswers(withField(createRoute, 'trace'))
  await workspace.createKey('nested')
  const { keys } = value(await workspace.handlers()['keys.list']({}))
  expect(keys.find(({ label }) => label === 'nested')).toMatchObject({ secret: 'keychain' })
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])
})

test('if a new key’s secret arrives as nested JSON, the app lists the key as unmatched without a restart, and can revoke it [V2] [KEY-16]', async () => {
  workspace = await startTrader()
  await workspace.rewriteAnswers(withField(createRoute, 'api_key'))
  await expect(workspace.createKey('nested')).rejects.toThrow()
  workspace.clock.advance(second)
  const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
  const id = lost?.candidates[0]?.id ?? ''
  expect(lost).toMatchObject({ kind: 'create', label: 'nested' })
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId: id, action: 'revoke' }))
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])
})
