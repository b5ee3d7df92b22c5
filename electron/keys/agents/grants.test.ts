import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { day, minute } from '../../../shared/time.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { raw } from '../../store/records/raw.ts'

const grantRoute = 'POST /api/dex/developer/keys/{key_id}/agent/grant'

let workspace: Workspace
let keyId: string
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  keyId = value(
    await workspace.handlers()['keys.createCustom']({ label: 'reader', scopes: ['market:read'], expiresInDays: 90, ipAllowlist: [], quotas: [] }),
  ).id
})
afterEach(() => workspace.stop())

const open = async () => value(await workspace.handlers()['agents.open']({ keyId }))
const ask = (typed: { typedPhrase: string | null; typedRouter: string | null } = agreed) => workspace.handlers()['agents.ask']({ keyId, ...typed })
const store = (signature: string) => workspace.handlers()['agents.store']({ keyId, signature })
const draft = async () => value(await workspace.handlers()['agents.draft']({ keyId }))
const sent = () => workspace.sent.filter(({ path }) => path === `/api/dex/developer/keys/${keyId}/agent/grant`)
const operations = () =>
  workspace
    .journal()
    .secretOperations.list('practice', 10)
    .filter(({ kind }) => kind === 'grant')
const listed = async () => value(await workspace.handlers()['keys.list']({})).keys.find(({ id }) => id === keyId)
const signed = async () => workspace.sign(value(await ask()))

test('one wallet signature grants trading rights to an existing key’s trading agent, and the service stores the grant [KEY-11]', async () => {
  const offered = await open()
  expect(offered).toMatchObject({ keyId, label: 'reader', state: 'to_sign', renews: false, router: { state: 'new' } })
  expect(offered.agent).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(await listed()).toMatchObject({ agent: { granted: false } })

  const key = value(await store(await signed()))
  expect(key.agent).toEqual({ address: offered.agent, granted: true })
  expect(await listed()).toMatchObject({ agent: { address: offered.agent, granted: true } })
  expect(operations()).toMatchObject([{ state: 'SETTLED', keyId, note: 'grant_stored' }])
  expect(await draft()).toBeNull()
  expect([...workspace.vault.keys()].filter((name) => name.startsWith('agent-grant-signature/'))).toEqual([])
})

test('if a key’s trading agent already has a grant, the app requests no signature for another one [KEY-11]', async () => {
  await open()
  const first = value(await store(await signed()))
  const again = await open()
  expect(again).toMatchObject({ state: 'nothing_to_sign', agent: first.agent?.address, comparison: null, renews: false })
  expect(again.grant?.gives).toBe('trading')
  expect(failure(await ask())).toEqual({ kind: 'wrong_state', state: 'nothing_to_sign', wanted: 'to_sign' })
  expect(sent()).toHaveLength(1)
})

test('before the wallet signs a grant for an existing key, the app explains the grant in words and shows when it expires [KEY-15]', async () => {
  const { grant, comparison, expiresAtMs, openedAtMs } = await open()
  expect(grant?.agentKnown).toBe(false)
  expect(grant?.contract?.toLowerCase()).toBe(workspace.chain.router.toLowerCase())
  expect(grant?.expiresAtMs).toBeGreaterThan(workspace.clock.now() + 89 * day)
  expect(comparison?.lines.find(({ id }) => id === 'expiresAt')).toMatchObject({
    verdict: 'match',
    signed: { code: 'until_date', atMs: expect.any(Number), leftMs: expect.any(Number) },
    remark: null,
  })
  expect(expiresAtMs - openedAtMs).toBe(30 * minute)

  value(await workspace.handlers()['keys.setExpiry']({ keyId, days: 30 }))
  expect((await open()).grant?.agentKnown).toBe(true)
})

test('a grant may expire later than its key, but the user sees this before signing the grant [KEY-15]', async () => {
  value(await workspace.handlers()['keys.setExpiry']({ keyId, days: 30 }))
  await open()
  const [name, text] = workspace
    .journal()
    [raw].values.withPrefix('agent-grant/')
    .map(({ name: key, value: held }) => [key, held] as const)[0] ?? ['', '']
  // Change the stored draft, as if the service had offered a grant of 30 days for a key of 10 days.
  workspace.journal()[raw].values.set(name, JSON.stringify({ ...JSON.parse(text), keyEndsAtMs: workspace.clock.now() + 10 * day }))
  const line = (await draft())?.comparison?.lines.find(({ id }) => id === 'expiresAt')
  expect(line).toMatchObject({ verdict: 'match', remark: { code: 'outlives_key', endsAtMs: expect.any(Number) } })
  expect(value(await store(await signed())).agent?.granted).toBe(true)
})

test.each(['agent', 'wallet', 'chain', 'router', 'expired', 'endless'] satisfies Faults['grant'][])(
  'the app never sends an altered grant (%s) to the wallet [KEY-11, KEY-15]',
  async (altered) => {
    workspace.faults.grant = altered
    const { comparison } = await open()
    expect(comparison?.verdict).toBe('block')
    expect(failure(await ask())).toMatchObject({ kind: 'signing_refused', why: { code: 'blocked', by: { code: 'line', of: 'grant' } } })
    expect(failure(await store(`0x${'11'.repeat(65)}`)).kind).toBe('wrong_state')
    expect(sent()).toEqual([])
  },
)

test('the app does not send a grant’s signature to the service if another account made it or if it belongs to another message [KEY-11]', async () => {
  await open()
  const request = value(await ask())
  const stranger = privateKeyToAccount(generatePrivateKey())
  expect(failure(await store(await workspace.sign(request, stranger)))).toEqual({
    kind: 'signature_invalid',
    expected: workspace.account.address,
    recovered: stranger.address,
  })
  expect(sent()).toEqual([])
  expect(operations()).toEqual([])
})

test('the app requests no grant signature from a wallet on another chain or with another account [GEN-08]', async () => {
  await open()
  await workspace.connect(workspace.account, 137)
  expect(failure(await ask())).toEqual({ kind: 'wrong_chain', chainId: 137, expected: 8453 })
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(failure(await ask())).toEqual({ kind: 'not_found', what: 'draft' })
})

test('if the service’s answer to a signed grant is lost, the app finds the stored grant in the key list and does not resend it [KEY-11]', async () => {
  await open()
  const signature = await signed()
  workspace.faults.dropAnswer = [{ route: grantRoute, times: 1 }]
  expect(failure(await store(signature))).toMatchObject({ kind: 'outcome_unknown' })
  expect(operations()).toMatchObject([{ state: 'UNKNOWN' }])
  expect(await draft()).toMatchObject({ state: 'unknown' })
  expect(value(await store('')).agent?.granted).toBe(true)
  expect(sent()).toHaveLength(1)
  expect(operations()).toMatchObject([{ state: 'SETTLED', note: 'grant_listed' }])
  expect(await draft()).toBeNull()
})

test('if a signed grant was lost on the way to the service, the app sends it again with the same signature, even after a restart [KEY-11]', async () => {
  await open()
  const signature = await signed()
  workspace.faults.dropRequest = [{ route: grantRoute, times: 1 }]
  expect(failure(await store(signature))).toMatchObject({ kind: 'outcome_unknown' })
  await workspace.restart()
  await workspace.connect()
  expect(await draft()).toMatchObject({ state: 'unknown' })
  expect(value(await store('')).agent?.granted).toBe(true)
  expect(sent().map(({ body }) => JSON.parse(body ?? '{}'))).toEqual([{ signature }, { signature }])
  expect(operations().map(({ state }) => state)).toEqual(['SETTLED', 'SETTLED'])
})

test('if the app was killed before the service answered a signed grant, the app reports an unknown outcome and then reads it from the key list [KEY-11]', async () => {
  await open()
  const signature = await signed()
  workspace.faults.delay = [{ route: grantRoute, ms: null }]
  void Promise.resolve(store(signature)).catch(() => undefined)
  await expect.poll(() => sent()).toHaveLength(1)
  await workspace.restart()
  await workspace.connect()
  expect(operations()).toMatchObject([{ state: 'UNKNOWN' }])
  workspace.faults.delay = []
  await expect.poll(async () => (await listed())?.agent?.granted).toBe(true)
  expect(value(await store('')).agent?.granted).toBe(true)
  expect(sent()).toHaveLength(1)
})

test('thirty minutes after a grant was prepared, the app neither requests its signature nor sends it, and deletes an existing signature [KEY-11]', async () => {
  await open()
  const signature = await signed()
  workspace.faults.answer = [{ route: grantRoute, status: 429, code: 'RATE_LIMITED', times: 1, retryAfterSeconds: 1 }]
  expect(failure(await store(signature)).kind).toBe('rate_limited')
  expect([...workspace.vault.keys()].some((name) => name.startsWith('agent-grant-signature/'))).toBe(true)
  workspace.clock.advance(30 * minute)
  expect(failure(await ask())).toMatchObject({ kind: 'expired', what: 'grant' })
  expect(failure(await store(signature))).toMatchObject({ kind: 'expired', what: 'grant' })
  expect(await draft()).toBeNull()
  expect([...workspace.vault.keys()].some((name) => name.startsWith('agent-grant-signature/'))).toBe(false)
  expect(sent()).toHaveLength(1)
})

test('the app opens no grant for a revoked key or for a key of another wallet', async () => {
  value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'reader' }))
  expect(failure(await workspace.handlers()['agents.open']({ keyId }))).toEqual({ kind: 'wrong_state', state: 'revoked', wanted: 'active' })
  expect(failure(await workspace.handlers()['agents.open']({ keyId: 'key_other' }))).toEqual({ kind: 'not_found', what: 'key' })
})

test('when the user leaves the grant form, the app deletes the unsent grant and its signature, and the trading agent stays without a grant', async () => {
  await open()
  await signed()
  value(await workspace.handlers()['agents.leave']({ keyId }))
  expect(await draft()).toBeNull()
  expect(await listed()).toMatchObject({ agent: { granted: false } })
})
