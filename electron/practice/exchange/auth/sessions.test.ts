import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, at, type Bench, bearer, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

const challenge = () => bench.call('POST /api/dex/developer/challenge', { body: { wallet: bench.wallet.address } })
const exchangeFor = (from: Answer, signature: string) =>
  bench.call('POST /api/dex/developer/session', { body: { wallet: bench.wallet.address, nonce: at(from, 'nonce'), signature } })

test('the practice exchange issues a sign-in challenge that names wallet, host, network, nonce and expiry [AUTH-06] [GEN-08]', async () => {
  const { wallet, hostUrl } = bench
  const answer = await challenge()
  const nonce = text(answer, 'nonce')
  expect(answer.json).toEqual({
    success: true,
    wallet: wallet.address,
    message: [
      `${hostUrl.replace('http://', '')} asks you to sign in to`,
      'its developer area with your wallet:',
      wallet.address,
      '',
      'Network: Base (8453)',
      `Nonce: ${nonce}`,
      'Expires: 2026-11-18T14:37:00Z',
      '',
      'Signing is free. It sends no transaction',
      'and gives no access to your funds.',
    ].join('\n'),
    nonce,
    expires_at: '2026-11-18T14:37:00.000Z',
    network: 'Base',
    chain_id: 8453,
  })
})

test('the practice exchange opens a sign-in of four hours only for a signature of exactly the sign-in challenge’s bytes [AUTH-06] [AUTH-08] [AUTH-09]', async () => {
  const { wallet } = bench
  const answer = await challenge()
  const message = text(answer, 'message')
  for (const altered of [`${message}\n`, message.replaceAll('\n', '\r\n'), message.trimEnd().slice(0, -1), message.toLowerCase()]) {
    const refused = await exchangeFor(answer, await wallet.signMessage({ message: altered }))
    expect([refused.status, at(refused, 'error.code')]).toEqual([401, 'BAD_SIGNATURE'])
  }
  const session = await exchangeFor(answer, await wallet.signMessage({ message }))
  expect(session.json).toEqual({
    success: true,
    wallet: wallet.address,
    developer_session: expect.stringMatching(/^svcds1\.\S{40,}$/),
    expires_at_ms: 1795026720000,
    developer: expect.any(Object),
  })
})

test('the practice exchange accepts each sign-in challenge only once [AUTH-06]', async () => {
  const answer = await challenge()
  const signature = await bench.wallet.signMessage({ message: text(answer, 'message') })
  expect((await exchangeFor(answer, signature)).status).toBe(200)
  expect((await exchangeFor(answer, signature)).status).toBe(401)
})

test('the practice exchange accepts a sign-in challenge until just under five minutes after it was issued, and then refuses it [AUTH-07]', async () => {
  const { wallet, clock } = bench
  const [first, second] = [await challenge(), await challenge()]
  const sign = (from: Answer) => wallet.signMessage({ message: text(from, 'message') })
  clock.advance(299_999)
  expect((await exchangeFor(first, await sign(first))).status).toBe(200)
  clock.advance(1)
  const late = await exchangeFor(second, await sign(second))
  expect([late.status, at(late, 'error.code')]).toEqual([410, 'CHALLENGE_EXPIRED'])
})

test('the practice exchange accepts the correct sign-in signature after four wrong ones, but discards the challenge after five wrong ones [AUTH-07]', async () => {
  const { wallet, clock } = bench
  const other = privateKeyToAccount(generatePrivateKey())
  const afterWrong = async (count: number) => {
    clock.advance(1_000)
    const answer = await challenge()
    const message = text(answer, 'message')
    for (let wrong = 0; wrong < count; wrong += 1) expect((await exchangeFor(answer, await other.signMessage({ message }))).status).toBe(401)
    return exchangeFor(answer, await wallet.signMessage({ message }))
  }
  expect((await afterWrong(4)).status).toBe(200)
  const discarded = await afterWrong(5)
  expect([discarded.status, at(discarded, 'error.code')]).toEqual([401, 'CHALLENGE_NOT_FOUND'])
})

test('the practice exchange accepts a sign-in’s bearer token on developer routes for four hours, and not longer [AUTH-08]', async () => {
  const { call, clock } = bench
  const session = await bench.signIn()
  const list = () => call('GET /api/dex/developer/keys', bearer(session))
  clock.advance(4 * 3_600_000 - 1)
  expect((await list()).status).toBe(200)
  clock.advance(1)
  expect([(await list()).status, at(await list(), 'error.code')]).toEqual([401, 'DEVELOPER_SESSION_REQUIRED'])
})

test('the practice exchange checks the sign-in before it reads the request body, on every developer route except the two for signing in [AUTH-08]', async () => {
  const key = '/api/dex/developer/keys/key_1'
  const routes = [
    ...['GET /api/dex/developer/keys', 'POST /api/dex/developer/keys', 'POST /api/dex/developer/keys/prepare', 'GET /api/dex/developer/audit'],
    ...[`POST ${key}/rotate`, `PUT ${key}/expiry`, `POST ${key}/agent`, `POST ${key}/agent/grant`, `PUT ${key}/executor`],
    ...[`POST ${key}/execution-payment`, `DELETE ${key}`],
  ]
  const session = await bench.signIn()
  for (const route of routes) {
    for (const headers of [{}, { Authorization: 'Bearer svcds1.invented' }, { Authorization: session }, { 'X-Svc-API-Key': session }]) {
      bench.clock.advance(1_000)
      const refused = await bench.call(route, { headers })
      expect([route, refused.status, at(refused, 'error.code')]).toEqual([route, 401, 'DEVELOPER_SESSION_REQUIRED'])
    }
    expect([route, (await bench.call(route, bearer(session))).status]).not.toEqual([route, 401])
  }
})

test('with its fault “challenge”, the practice exchange issues a sign-in challenge with a wrong host, wallet, nonce, time or format [AUTH-06]', async () => {
  const { faults, wallet } = bench
  const said = async (fault: typeof faults.challenge) => {
    faults.challenge = fault
    return text(await challenge(), 'message')
  }
  const host = bench.hostUrl.replace('http://', '')
  expect(await said('host')).not.toContain(host)
  expect(await said('wallet')).not.toContain(wallet.address)
  expect(await said('nonce')).toContain('Nonce: 0000000000000000')
  expect(await said('expiry')).toContain('Expires: 2026-11-19T14:37:00Z')
  expect(await said('hidden_characters')).toMatch(/[\u200b\u202e]/)
  expect(await said('new_layout')).not.toContain('asks you to sign in')
})
