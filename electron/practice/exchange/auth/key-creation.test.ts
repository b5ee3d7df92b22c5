import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signTypedData } from '../../../../e2e/support/practice/signing.ts'
import { at, type Bench, bearer, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let session: string
beforeEach(async () => {
  bench = await start()
  session = await bench.signIn()
})
afterEach(() => bench.stop())

const developer = (route: string, body?: unknown) => {
  bench.clock.advance(1_000)
  return bench.call(route, { ...bearer(session), ...(body !== undefined && { body }) })
}
const create = (body: unknown = {}) => developer('POST /api/dex/developer/keys', body)
const prepare = (body: unknown = { label: 'bot', expires_in_days: 30 }) => developer('POST /api/dex/developer/keys/prepare', body)

test('the practice exchange creates a bot-ready key only once it receives the signed grant of the key’s trading agent [KEY-10]', async () => {
  const { wallet, chain, exchange } = bench
  const prepared = await prepare()
  expect(exchange.effects().keys).toEqual([])
  expect(at(await developer('GET /api/dex/developer/keys'), 'keys')).toEqual([])
  expect(at(prepared, 'expires_at_ms')).toBe(1795012321000 + 1_800_000)
  const { nonce } = { nonce: text(prepared, 'grant.typed_data.message.nonce') }
  expect(at(prepared, 'grant.typed_data')).toEqual({
    domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      AgentGrant: [
        { name: 'wallet', type: 'address' },
        { name: 'agent', type: 'address' },
        { name: 'permissions', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'expiresAt', type: 'uint256' },
      ],
    },
    primaryType: 'AgentGrant',
    message: { wallet: wallet.address, agent: at(prepared, 'agent.address'), permissions: 'trade', nonce, expiresAt: '1797604321' },
  })
  const body = {
    preparation_id: text(prepared, 'preparation_id'),
    signature: await signTypedData(wallet, prepared, 'grant.typed_data'),
    label: 'bot',
    expires_in_days: 30,
  }
  const created = await create(body)
  expect([created.status, at(created, 'key.agent'), at(created, 'key.expires_at')]).toEqual([
    201,
    { address: at(prepared, 'agent.address'), granted: true },
    '2026-12-18T14:32:01.000Z',
  ])
  expect(at(created, 'key.scopes')).toEqual(['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'])
  const again = await create(body)
  expect([again.status, at(again, 'error.key_id'), exchange.effects().keys.length]).toEqual([409, at(created, 'key.key_id'), 1])
})

test('the practice exchange creates no key for a grant that another wallet signed, or that belongs to another key’s preparation [KEY-10]', async () => {
  const [one, two] = [await prepare(), await prepare()]
  const other = privateKeyToAccount(generatePrivateKey())
  const send = (signature: unknown) => create({ preparation_id: text(one, 'preparation_id'), signature })
  for (const signature of [
    await signTypedData(other, one, 'grant.typed_data'),
    await signTypedData(bench.wallet, two, 'grant.typed_data'),
    '0x1234',
    undefined,
  ]) {
    const refused = await send(signature)
    expect([refused.status, at(refused, 'error.code')]).toEqual([400, 'BAD_SIGNATURE'])
  }
  expect(bench.exchange.effects().keys).toEqual([])
  expect((await send(await signTypedData(bench.wallet, one, 'grant.typed_data'))).status).toBe(201)
})

test('the practice exchange creates no key if the key’s preparation is 30 minutes old [KEY-10]', async () => {
  const prepared = await prepare()
  const signature = await signTypedData(bench.wallet, prepared, 'grant.typed_data')
  bench.clock.advance(1_800_000 - 1_000)
  const late = await create({ preparation_id: text(prepared, 'preparation_id'), signature })
  expect([late.status, at(late, 'error.code'), bench.exchange.effects().keys]).toEqual([410, 'PREPARATION_EXPIRED', []])
})

test('with its fault “grant”, the practice exchange returns a grant with a wrong agent, wallet, chain or contract, or an unusable expiry [KEY-10]', async () => {
  const said = async (fault: typeof bench.faults.grant) => {
    bench.faults.grant = fault
    const prepared = await prepare()
    const signature = await signTypedData(bench.wallet, prepared, 'grant.typed_data')
    expect([fault, (await create({ preparation_id: at(prepared, 'preparation_id'), signature })).status]).toEqual([fault, 400])
    return prepared
  }
  const now = () => Math.floor(bench.clock.now() / 1000)
  expect(at(await said('wallet'), 'grant.typed_data.message.wallet')).not.toBe(bench.wallet.address)
  const agent = await said('agent')
  expect(at(agent, 'grant.typed_data.message.agent')).not.toBe(at(agent, 'agent.address'))
  expect(at(await said('chain'), 'grant.typed_data.domain.chainId')).toBe(1)
  expect(at(await said('router'), 'grant.typed_data.domain.verifyingContract')).not.toBe(bench.chain.router)
  expect(Number(at(await said('expired'), 'grant.typed_data.message.expiresAt'))).toBeLessThan(now())
  expect(text(await said('endless'), 'grant.typed_data.message.expiresAt')).toHaveLength(78)
  expect(at(await said('extra_field'), 'grant.typed_data.types.AgentGrant.length')).toBe(6)
})

test('the practice exchange returns a key’s trading agent unchanged each time, and stores its grant only with the wallet’s signature [KEY-11]', async () => {
  const keyId = text(await create(), 'key.key_id')
  const route = `POST /api/dex/developer/keys/${keyId}/agent`
  const offer = await developer(route)
  expect((await developer(route)).json).toEqual(offer.json)
  const other = privateKeyToAccount(generatePrivateKey())
  const refused = await developer(`${route}/grant`, { signature: await signTypedData(other, offer, 'grant.typed_data') })
  expect([refused.status, at(refused, 'error.code')]).toEqual([400, 'BAD_SIGNATURE'])
  expect(at(await developer(route), 'agent.granted')).toBe(false)
  const stored = await developer(`${route}/grant`, { signature: await signTypedData(bench.wallet, offer, 'grant.typed_data') })
  expect(at(stored, 'key.agent')).toEqual({ address: at(offer, 'agent.address'), granted: true })
})
