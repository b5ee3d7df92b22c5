import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { hour, minute } from '../../../shared/time.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
})
afterEach(() => workspace.stop())

const submitted = () => workspace.sent.filter(({ path }) => path === '/api/dex/developer/session')
const challenge = async () => value(await workspace.handlers()['session.challenge']({}))
const ask = (id: string, acceptFormat = false) => workspace.handlers()['session.ask']({ id, acceptFormat })

test('the app hands the sign-in message to the wallet exactly as received, and signs in with the wallet’s signature', async () => {
  const { id, message, verdict } = await challenge()
  expect(verdict).toBe('pass')
  const request = value(await ask(id))
  expect(request).toMatchObject({ method: 'personal_sign', wallet: workspace.account.address, chainId: 8453, message })
  const status = value(await workspace.handlers()['session.complete']({ id, signature: await workspace.sign(request) }))
  expect(status).toMatchObject({ state: 'active', wallet: workspace.account.address })
  expect(status.expiresAtMs).toBeGreaterThan(workspace.clock.now() + 3.9 * hour)
})

test.each<[unknown, string | null]>([
  [{ tier: 'pro', rates: { per_second: 12 }, api_key: 'SVCabcdefgh12345678' }, '{"tier":"pro","rates":{"per_second":12},"api_key":"[redacted]"}'],
  ['dev_7', '{"developer":"dev_7"}'],
  [{}, null],
  [null, null],
])('the app stores and shows the sign-in response’s field developer with %j as received, but without secrets [AUTH-08, ERR-02]', async (developer, shown) => {
  await workspace.stop()
  workspace = await startWorkspace({ speaks: (route, body) => (route === 'POST /api/dex/developer/session' ? { ...Object(body), developer } : body) })
  await workspace.connect()
  await workspace.signIn()
  expect(value(await workspace.handlers()['session.status']({})).developer).toBe(shown)
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['session.status']({})).developer).toBe(shown)
})

test.each(['locked', 'unavailable'] as const)('the app starts no sign-in while the keychain, which must store the session, is %s [AUTH-08]', async (code) => {
  const { id } = await challenge()
  const signature = await workspace.sign(value(await ask(id)))
  workspace.secrets.failWrites(code)
  expect(failure(await workspace.handlers()['session.challenge']({}))).toMatchObject({ kind: 'keychain', code })
  expect(failure(await workspace.handlers()['session.complete']({ id, signature }))).toMatchObject({ kind: 'keychain', code })
  expect(submitted()).toEqual([])
  workspace.secrets.failWrites(null)
  expect(value(await workspace.handlers()['session.complete']({ id, signature })).state).toBe('active')
})

test('the app never submits a sign-in signature that another account made [AUTH-07]', async () => {
  const { id } = await challenge()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const signature = await workspace.sign(value(await ask(id)), stranger)
  expect(failure(await workspace.handlers()['session.complete']({ id, signature }))).toEqual({
    kind: 'signature_invalid',
    expected: workspace.account.address,
    recovered: stranger.address,
  })
  expect(submitted()).toEqual([])
})

test('the app never submits a signature of an altered sign-in message, or a value that is not a signature [AUTH-07]', async () => {
  const { id, message } = await challenge()
  value(await ask(id))
  for (const signature of [await workspace.account.signMessage({ message: `${message} ` }), '0x1234', 'not hex', '0x'])
    expect(failure(await workspace.handlers()['session.complete']({ id, signature })).kind).toBe('signature_invalid')
  expect(submitted()).toEqual([])
  const signature = await workspace.account.signMessage({ message })
  expect(value(await workspace.handlers()['session.complete']({ id, signature })).state).toBe('active')
  expect(submitted()).toHaveLength(1)
})

test('the app verifies a contract wallet’s sign-in signature through the RPC node, and submits nothing if the node does not respond [AUTH-07]', async () => {
  const { id } = await challenge()
  value(await ask(id))
  workspace.rpc.contracts.add(workspace.account.address.toLowerCase())
  workspace.rpc.setAway(true)
  const signature = `0x${'ab'.repeat(80)}`
  expect(failure(await workspace.handlers()['session.complete']({ id, signature })).kind).toBe('unreachable')
  expect(submitted()).toEqual([])
})

test('the app does not hand the wallet a sign-in challenge older than five minutes, and submits no signature of that challenge [AUTH-07]', async () => {
  const { id, message, expiresAtMs, issuedAtMs } = await challenge()
  expect(expiresAtMs - issuedAtMs).toBeLessThanOrEqual(5 * minute)
  workspace.clock.advance(5 * minute)
  const signature = await workspace.account.signMessage({ message })
  expect(failure(await workspace.handlers()['session.complete']({ id, signature }))).toMatchObject({ kind: 'expired', what: 'challenge' })
  expect(submitted()).toEqual([])
})

test.each(['host', 'wallet', 'nonce', 'expiry', 'hidden_characters'] satisfies Faults['challenge'][])(
  'the app never sends an altered sign-in message (%s) to the wallet',
  async (altered) => {
    workspace.faults.challenge = altered
    const { id, verdict, problem } = await challenge()
    expect(verdict).toBe('block')
    expect(problem).not.toBeNull()
    expect(failure(await ask(id, true))).toMatchObject({ kind: 'challenge_refused', problem: { code: problem?.code } })
    const signature = `0x${'11'.repeat(65)}`
    expect(failure(await workspace.handlers()['session.complete']({ id, signature })).kind).toBe('challenge_refused')
  },
)

test('the app sends no sign-in request to a wallet on another chain than Base [GEN-08]', async () => {
  await workspace.connect(workspace.account, 1)
  expect(failure(await workspace.handlers()['session.challenge']({}))).toEqual({ kind: 'wrong_chain', chainId: 1, expected: 8453 })
  await workspace.connect()
  const { id } = await challenge()
  await workspace.connect(workspace.account, 10)
  expect(failure(await ask(id))).toEqual({ kind: 'wrong_chain', chainId: 10, expected: 8453 })
})

test('the app does not hand one wallet’s sign-in challenge to another wallet', async () => {
  const { id } = await challenge()
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  expect(failure(await ask(id))).toEqual({ kind: 'wrong_wallet', wallet: other.address, expected: workspace.account.address })
})

test('the app stores the sign-in encrypted on disk, so that it survives a restart until its four hours are over [AUTH-08]', async () => {
  await workspace.signIn()
  await workspace.restart()
  expect(value(await workspace.handlers()['session.status']({})).state).toBe('none')
  await workspace.connect()
  expect(value(await workspace.handlers()['session.status']({})).state).toBe('active')
  expect(value(await workspace.handlers()['keys.list']({})).keys).toEqual([])
  const last = workspace.sent.at(-1)
  expect(last?.headers.authorization).toMatch(/^Bearer svcds1\./)

  workspace.clock.advance(3.6 * hour)
  expect(value(await workspace.handlers()['session.status']({})).state).toBe('ending')
  workspace.clock.advance(0.5 * hour)
  expect(value(await workspace.handlers()['session.status']({})).state).toBe('ended')
  const before = workspace.sent.length
  expect(failure(await workspace.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(workspace.sent).toHaveLength(before)
})

test('the app keeps the bearer token of the sign-in out of every journal value and all output [AUTH-08]', async () => {
  await workspace.signIn()
  expect(
    workspace
      .journal()
      [raw].values.withPrefix('')
      .filter(({ value: text }) => text.includes('svcds1.')),
  ).toEqual([])
  expect(JSON.stringify(await workspace.handlers()['session.status']({}))).not.toContain('svcds1.')
  expect(JSON.stringify(workspace.journal().requests.list('practice', 100))).not.toContain('svcds1.')
})

test('the app keeps a separate sign-in for each wallet [AUTH-03]', async () => {
  await workspace.signIn()
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  expect(value(await workspace.handlers()['session.status']({}))).toEqual({ state: 'none', wallet: other.address, expiresAtMs: null, developer: null })
  expect(failure(await workspace.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  await workspace.connect()
  expect(value(await workspace.handlers()['session.status']({})).state).toBe('active')
})

test.each([1_000, 1_000_000])(
  'the app signs in even if the service sends times in units smaller than a millisecond (%i per millisecond) [AUTH-08]',
  async (finer) => {
    await workspace.stop()
    const fine = (ms: unknown) => String(BigInt(Math.round(Number(ms))) * BigInt(finer))
    workspace = await startWorkspace({
      speaks: (route, body) => {
        const said = Object(body) as Record<string, unknown>
        if (route === 'POST /api/dex/developer/challenge') return { ...said, expires_at: fine(Date.parse(String(said.expires_at))) }
        return route === 'POST /api/dex/developer/session' ? { ...said, expires_at_ms: fine(said.expires_at_ms) } : body
      },
    })
    await workspace.connect()
    await workspace.signIn()
    const { state, expiresAtMs } = value(await workspace.handlers()['session.status']({}))
    expect(state).toBe('active')
    expect(Math.abs((expiresAtMs ?? 0) - workspace.clock.now() - 4 * hour)).toBeLessThan(minute)
  },
)
