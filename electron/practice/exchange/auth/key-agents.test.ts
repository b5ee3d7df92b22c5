import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { type Answer, at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
let agent: string
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
  agent = `/api/dex/developer/keys/${text(await developer.create({ expires_in_days: 30 }), 'key.key_id')}/agent`
})
afterEach(() => bench.stop())

const offer = () => developer.call(`POST ${agent}`)
const grant = (signature: unknown) => developer.call(`POST ${agent}/grant`, { signature })
const sign = (from: Answer, by = bench.wallet) => signTypedData(by, from, 'grant.typed_data')

test('the practice exchange creates a key’s trading agent only once, and returns the agent with the grant to sign [KEY-11]', async () => {
  const first = await offer()
  expect(first.json).toEqual({
    success: true,
    agent: { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), granted: false },
    grant: { typed_data: expect.objectContaining({ primaryType: 'AgentGrant' }) },
  })
  expect(at(first, 'grant.typed_data.domain')).toEqual({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: bench.chain.router })
  expect(at(first, 'grant.typed_data.message')).toEqual({
    wallet: bench.wallet.address,
    agent: at(first, 'agent.address'),
    permissions: 'trade',
    nonce: expect.stringMatching(/^\d+$/),
    expiresAt: String((Date.UTC(2026, 10, 18, 14, 32, 2) + 30 * 86_400_000) / 1000),
  })
  expect((await offer()).json).toEqual(first.json)
  expect(at(await developer.call('GET /api/dex/developer/keys'), 'keys.0.agent')).toEqual(at(first, 'agent'))
})

test('the practice exchange stores the grant of a key’s trading agent only with a signature by the key’s own wallet [KEY-11]', async () => {
  expect(brief(await grant(`0x${'1'.repeat(130)}`))).toBe('409 AGENT_REQUIRED')
  const offered = await offer()
  const stranger = privateKeyToAccount(generatePrivateKey())
  bench.faults.grant = 'endless'
  const other = await offer()
  bench.faults.grant = null
  for (const signature of [await sign(offered, stranger), await sign(other), '0x1234', '', 7, null, undefined])
    expect([signature, brief(await grant(signature))]).toEqual([signature, '400 BAD_SIGNATURE'])
  expect(at(await offer(), 'agent.granted')).toBe(false)
  const stored = await grant(await sign(offered))
  expect(at(stored, 'key.agent')).toEqual({ address: at(offered, 'agent.address'), granted: true })
  expect(at(await offer(), 'agent.granted')).toBe(true)
})

test('the practice exchange accepts the same signed grant twice, because a client that lost the response sends it again [KEY-11]', async () => {
  const signature = await sign(await offer())
  expect([(await grant(signature)).status, (await grant(signature)).status]).toEqual([200, 200])
})

test('after a key’s expiry was changed, the practice exchange returns a new unsigned grant for the key’s existing trading agent [KEY-11] [KEY-08]', async () => {
  const before = await offer()
  await developer.call(`PUT ${agent.replace('/agent', '/expiry')}`, { expires_in_days: 90 })
  const after = await offer()
  expect(at(after, 'agent')).toEqual(at(before, 'agent'))
  expect(Number(at(after, 'grant.typed_data.message.expiresAt'))).toBeGreaterThan(Number(at(before, 'grant.typed_data.message.expiresAt')))
  expect(brief(await grant(await sign(before)))).toBe('400 BAD_SIGNATURE')
  expect((await grant(await sign(after))).status).toBe(200)
})

test('the practice exchange returns the same signed grant for a key until the grant expires, then a new unsigned grant [KEY-11]', async () => {
  const first = await offer()
  await grant(await sign(first))
  bench.clock.advance(86_400_000)
  developer = await openDeveloper(bench)
  await developer.call(`PUT ${agent.replace('/agent', '/expiry')}`, { expires_in_days: 360 })
  expect((await offer()).json).toEqual({ ...Object(first.json), agent: { address: at(first, 'agent.address'), granted: true } })
  bench.clock.advance(29 * 86_400_000)
  developer = await openDeveloper(bench)
  expect(brief(await grant(await sign(first)))).toBe('410 GRANT_EXPIRED')
  expect(at(await offer(), 'agent')).toEqual({ address: at(first, 'agent.address'), granted: false })
})

test('the practice exchange gives every key its own trading agent [KEY-11]', async () => {
  const first = await offer()
  agent = `/api/dex/developer/keys/${text(await developer.create(), 'key.key_id')}/agent`
  expect(at(await offer(), 'agent.address')).not.toBe(at(first, 'agent.address'))
  expect(brief(await grant(await sign(first)))).toBe('400 BAD_SIGNATURE')
})
