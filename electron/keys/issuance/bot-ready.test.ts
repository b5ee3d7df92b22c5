import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { comparisonText } from '../../../shared/text/comparison-text.ts'
import { grantText } from '../../../shared/text/signing-text.ts'
import { minute } from '../../../shared/time.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { raw } from '../../store/records/raw.ts'

const createRoute = 'POST /api/dex/developer/keys'
const request = { label: 'grid-eth', expiresInDays: 90, ipAllowlist: [] }

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const prepare = async () => value(await workspace.handlers()['keys.prepare'](request))
const ask = (draftId: string, typed: { typedPhrase: string | null; typedRouter: string | null } = agreed) =>
  workspace.handlers()['keys.ask']({ draftId, ...typed })
const create = (draftId: string, signature: string) => workspace.handlers()['keys.create']({ draftId, signature })
const list = async () => value(await workspace.handlers()['keys.list']({})).keys
const operations = () => workspace.journal().secretOperations.list('practice', 10)
const sentTo = (path: string) => workspace.sent.filter((sent) => sent.method === 'POST' && sent.path === path)

async function signed() {
  const draft = await prepare()
  return { draftId: draft.id, signature: await workspace.sign(value(await ask(draft.id))) }
}

test('the app creates one bot-ready key from one signed grant, and reports it only once its secret is in the keychain [KEY-05, KEY-10]', async () => {
  const { draftId, signature } = await signed()
  expect(workspace.exchange.effects().keys).toEqual([])
  const key = value(await create(draftId, signature))
  expect(key).toMatchObject({ label: 'grid-eth', status: 'active', secret: 'keychain', inUse: true, agent: { granted: true } })
  const [[account, secret] = []] = [...workspace.secrets.entries]
  expect(account).toContain(key.id)
  expect(secret?.reveal()).toMatch(/^SVC/)
  expect(operations()).toMatchObject([{ kind: 'create', state: 'VERIFIED', keyId: key.id }])
  expect(workspace.exchange.effects().keys).toHaveLength(1)
  expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
})

test('when the app creates a bot-ready key, the secret appears in no response to the page, no event and no journal value [KEY-05]', async () => {
  const { draftId, signature } = await signed()
  const answers = JSON.stringify([
    await create(draftId, signature),
    await workspace.handlers()['keys.list']({}),
    workspace.events,
    workspace.journal()[raw].values.withPrefix(''),
    operations(),
  ])
  const secret = [...workspace.secrets.entries.values()][0]?.reveal() ?? 'none'
  expect(secret).toMatch(/^SVC.{8}/)
  expect(answers).not.toContain(secret)
  expect(answers).not.toContain(secret.slice(3, 15))
})

test('while the keychain cannot store a secret, the app does not ask the service to create a bot-ready key [KEY-05]', async () => {
  workspace.secrets.failWrites('locked')
  const before = workspace.sent.length
  expect(failure(await workspace.handlers()['keys.prepare'](request))).toMatchObject({ kind: 'keychain', code: 'locked' })
  expect(workspace.sent).toHaveLength(before)

  workspace.secrets.failWrites(null)
  const { draftId, signature } = await signed()
  workspace.secrets.failWrites('unavailable')
  expect(failure(await create(draftId, signature))).toMatchObject({ kind: 'keychain', code: 'unavailable' })
  expect(sentTo('/api/dex/developer/keys')).toEqual([])
  workspace.secrets.failWrites(null)
  expect(value(await create(draftId, '')).secret).toBe('keychain')
})

test('if the keychain fails after a bot-ready key was created, the app keeps the secret in memory, notifies the user, and stores it later [KEY-05]', async () => {
  const { draftId, signature } = await signed()
  workspace.secrets.failWritesAfterProbe('timeout')
  const key = value(await create(draftId, signature))
  expect(key.secret).toBe('memory')
  expect(workspace.events).toContainEqual(expect.objectContaining({ type: 'notice', severity: 'danger' }))
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('unstored_key')
  expect(operations()).toMatchObject([{ state: 'SENT' }])
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toEqual([])

  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(value(await workspace.handlers()['keys.copySecret']({ keyId: key.id })).clearsAtMs).toBeGreaterThan(workspace.clock.now())
  expect(workspace.copied[0]?.reveal()).toMatch(/^SVC/)

  expect(failure(await workspace.handlers()['keys.retryStore']({ keyId: key.id }))).toMatchObject({ kind: 'keychain', code: 'timeout' })
  workspace.secrets.failWrites(null)
  expect(value(await workspace.handlers()['keys.retryStore']({ keyId: key.id })).secret).toBe('keychain')
  expect(operations()).toMatchObject([{ state: 'VERIFIED' }])
  expect([...workspace.secrets.entries.values()][0]?.equals(workspace.copied[0] ?? expect.fail('nothing was copied'))).toBe(true)
})

test('if the app restarts before it could store a new key’s secret in the keychain, it lists the key as unmatched [KEY-05, KEY-16]', async () => {
  const { draftId, signature } = await signed()
  workspace.secrets.failWritesAfterProbe('failed')
  const { id } = value(await create(draftId, signature))
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toMatchObject([
    { kind: 'create', label: 'grid-eth', candidates: [{ id, secret: 'elsewhere' }], ambiguous: false },
  ])
})

test('when the user leaves the wizard for a bot-ready key, the app creates no key and deletes the signed grant [KEY-10]', async () => {
  const { draftId } = await signed()
  value(await workspace.handlers()['keys.leave']({ draftId }))
  expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
  expect(workspace.exchange.effects().keys).toEqual([])
  expect([...workspace.vault.keys()].filter((name) => name.startsWith('grant-signature/'))).toEqual([])
})

test('within thirty minutes and even after a restart, the user can complete an unfinished creation of a bot-ready key [KEY-10]', async () => {
  const draft = await prepare()
  expect(draft.expiresAtMs - draft.preparedAtMs).toBeLessThanOrEqual(30 * minute)
  await workspace.restart()
  await workspace.connect()
  const again = value(await workspace.handlers()['keys.draft']({}))
  expect(again).toMatchObject({ id: draft.id, request, agent: draft.agent, expiresAtMs: draft.expiresAtMs, state: 'prepared' })
  const signature = await workspace.sign(value(await ask(draft.id)))
  workspace.clock.advance(30 * minute)
  expect(failure(await ask(draft.id))).toMatchObject({ kind: 'expired', what: 'grant' })
  expect(failure(await create(draft.id, signature))).toMatchObject({ kind: 'expired', what: 'grant' })
  expect(value(await workspace.handlers()['keys.draft']({}))).toBeNull()
  expect(workspace.exchange.effects().keys).toEqual([])
})

test('when the user creates a bot-ready key, the app explains the grant in words before the user signs [KEY-15]', async () => {
  const { grant, comparison } = await prepare()
  expect(grantText(grant).sentence).toMatch(/a new trading agent/)
  expect(grantText(grant).mayNot).toContain('Withdraw or move your collateral')
  expect(grant.contract?.toLowerCase()).toBe(workspace.chain.router.toLowerCase())
  expect(comparison.verdict).toBe('confirm')
})

test('the app shows whether the service publishes a grant’s router contract and whether it has code, until the user trusts the contract [KEY-15, FLOW-01]', async () => {
  const candidate = getAddress(workspace.chain.router)
  const found = { candidate, publishedByConfig: candidate, hasCode: true, rpcHost: '127.0.0.1' }
  expect((await prepare()).router).toEqual({ ...found, state: 'new', pinned: null, publishedByMeta: null, unread: ['meta'] })
  await workspace.createKey('first')
  expect((await prepare()).router).toMatchObject({ state: 'pinned', pinned: candidate, publishedByConfig: null, hasCode: null, rpcHost: null })
  workspace.faults.grant = 'router'
  const altered = await prepare()
  expect(altered.router).toMatchObject({
    state: 'changed',
    pinned: candidate,
    publishedByConfig: candidate,
    publishedByMeta: candidate,
    unread: [],
    hasCode: false,
  })
  expect(comparisonText(altered.comparison)).toContain('The router you trust is')
})

test.each(['agent', 'wallet', 'chain', 'router', 'expired', 'endless'] satisfies Faults['grant'][])(
  'the app never sends an altered grant (%s) for a new key to the wallet [KEY-15]',
  async (altered) => {
    workspace.faults.grant = altered
    const answer = await workspace.handlers()['keys.prepare'](request)
    const draft = value(answer)
    expect(draft.comparison.verdict).toBe('block')
    expect(failure(await ask(draft.id))).toMatchObject({ kind: 'signing_refused', why: { code: 'blocked', by: { code: 'line', of: 'grant' } } })
    expect(failure(await create(draft.id, `0x${'11'.repeat(65)}`)).kind).toBe('wrong_state')
  },
)

test('before the first grant, the user must accept the router contract and the signing format; later grants need no confirmation', async () => {
  const draft = await prepare()
  expect(failure(await ask(draft.id, { typedPhrase: null, typedRouter: 'yes' }))).toMatchObject({ kind: 'confirmation_required', what: 'layout' })
  expect(failure(await ask(draft.id, { typedPhrase: agreed.typedPhrase, typedRouter: null }))).toEqual({
    kind: 'confirmation_required',
    what: 'router',
    expected: 'yes',
  })
  value(await ask(draft.id))
  expect(value(await ask((await prepare()).id, { typedPhrase: null, typedRouter: null })).method).toBe('eth_signTypedData_v4')
})

test('if a grant has an unknown field, the user must type a phrase with the field’s name, and the app remembers the decision [KEY-15]', async () => {
  workspace.faults.grant = 'extra_field'
  const draft = await prepare()
  const { asks } = draft.comparison
  if (asks?.kind !== 'unknown_field') return expect.fail('nothing unknown is asked about')
  const expected = `sign with unknown field ${asks.field}`
  expect(failure(await ask(draft.id))).toEqual({ kind: 'confirmation_required', what: 'layout', expected })
  value(await ask(draft.id, { typedPhrase: expected, typedRouter: 'yes' }))
  expect((await prepare()).comparison).toMatchObject({ verdict: 'pass', asks: null, formatKnown: true })
})

test('the app does not send a new key’s grant to the service if another account signed it', async () => {
  const draft = await prepare()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const signature = await workspace.sign(value(await ask(draft.id)), stranger)
  expect(failure(await create(draft.id, signature))).toEqual({ kind: 'signature_invalid', expected: workspace.account.address, recovered: stranger.address })
  expect(sentTo('/api/dex/developer/keys')).toEqual([])
})

test('the app requests no signature for a new key’s grant from a wallet on another chain [GEN-08]', async () => {
  const draft = await prepare()
  await workspace.connect(workspace.account, 137)
  expect(failure(await ask(draft.id))).toEqual({ kind: 'wrong_chain', chainId: 137, expected: 8453 })
})

test('before the app requests a new key, it saves the ids of all existing keys and the unique suffix that it adds to the key’s label [KEY-16]', async () => {
  const first = await workspace.createKey('first')
  const { draftId, signature } = await signed()
  workspace.faults.delay = [{ route: createRoute, ms: null }]
  const pending = create(draftId, signature)
  await expect.poll(() => sentTo('/api/dex/developer/keys')).toHaveLength(2)
  const [operation] = operations()
  expect(operation).toMatchObject({ state: 'SENT', keyIdsBefore: [first], label: 'grid-eth' })
  expect(JSON.parse(sentTo('/api/dex/developer/keys')[1]?.body ?? '').label).toBe(`grid-eth #${operation?.marker}`)
  workspace.faults.delay = []
  expect(value(await pending).label).toBe('grid-eth')
})

test('if a request to create a key was lost and created none, the app sends it again with the same signature only when the user asks [KEY-10, KEY-16]', async () => {
  const { draftId, signature } = await signed()
  workspace.faults.dropRequest = [{ route: createRoute, times: 1 }]
  expect(failure(await create(draftId, signature)).kind).toBe('outcome_unknown')
  expect(sentTo('/api/dex/developer/keys')).toHaveLength(1)
  expect(value(await workspace.handlers()['keys.draft']({}))).toMatchObject({ id: draftId, state: 'unknown' })
  const key = value(await create(draftId, ''))
  expect(key.secret).toBe('keychain')
  const [first, second] = sentTo('/api/dex/developer/keys')
  expect(JSON.parse(second?.body ?? '').signature).toBe(JSON.parse(first?.body ?? '').signature)
  expect(workspace.exchange.effects().keys).toHaveLength(1)
  expect(await list()).toHaveLength(1)
})

test('if the answer to a key creation was lost but the key exists, the app never resends the request, and lists the key as unmatched [KEY-16]', async () => {
  const { draftId, signature } = await signed()
  workspace.faults.dropAnswer = [{ route: createRoute, times: 1 }]
  expect(failure(await create(draftId, signature)).kind).toBe('outcome_unknown')
  expect(failure(await create(draftId, '')).kind).toBe('outcome_unknown')
  expect(sentTo('/api/dex/developer/keys')).toHaveLength(1)
  expect(workspace.exchange.effects().keys).toHaveLength(1)
  expect(value(await workspace.handlers()['keys.unmatched']({}))).toHaveLength(1)
})
