import { expect, test } from 'vitest'
import { AuditLog, KeyList, KeyPreparation, KeySecret } from './key-resources.ts'

const record = {
  key_id: 'key_1',
  label: 'mm-btc',
  scopes: ['market:read', 'account:read'],
  status: 'active',
  created_at: '2026-11-01T00:00:00Z',
  expires_at: '2027-02-01T00:00:00Z',
  last_used_at: null,
  ip_allowlist: [],
  quotas: {},
  agent: { address: '0x5Ce2000000000000000000000000000000c090d1', granted: true },
  executor: null,
  prefix: 'SVC…',
}

test('the app reads a key’s record in a service answer, and keeps the record’s unknown fields [ERR-02]', () => {
  expect(KeyList.parse({ success: true, keys: [record], limit: 10 })).toEqual({
    keys: [
      {
        id: 'key_1',
        label: 'mm-btc',
        scopes: ['market:read', 'account:read'],
        status: 'active',
        createdAtMs: Date.UTC(2026, 10, 1),
        expiresAtMs: Date.UTC(2027, 1, 1),
        lastUsedAtMs: null,
        neverUsed: true,
        allowlist: [],
        quotas: {},
        agent: { address: record.agent.address, granted: true },
        executor: null,
        unknownFields: '{"prefix":"SVC…"}',
      },
    ],
    missing: { unreadable: 0, more: false },
    active: null,
  })
})

test('the app does not read a limit of the key list (such as its page size) as the number of active keys', () => {
  expect(KeyList.parse({ keys: [record], active: true, limit: 64, max: 64, total: 1 })).toMatchObject({ active: null })
  expect(KeyList.parse({ keys: [record], active_count: 1 })).toMatchObject({ active: 1 })
})

test('the app reads a key’s record that contains only an id, and leaves the key’s other values unknown [ERR-02]', () => {
  const [key] = KeyList.parse({ keys: [{ id: 7 }] }).keys
  expect(key).toMatchObject({ id: '7', label: null, scopes: null, status: 'unknown', expiresAtMs: null, agent: null })
})

test('the app reports a key as never used only if the service says so [ERR-02]', () => {
  const neverUsed = (fields: Record<string, unknown>) => KeyList.parse([{ key_id: 'a', ...fields }]).keys[0]?.neverUsed ?? false
  for (const fields of [{ last_used_at: null }, { lastUsed: 'never' }, { last_used_at: 0 }, { mostRecentUse: '0001-01-01T00:00:00Z' }])
    expect([fields, neverUsed(fields)]).toEqual([fields, true])
  for (const fields of [{}, { last_used_at: '2026-11-01T00:00:00Z' }, { last_used_at: 'soon' }, { executor: null }])
    expect([fields, neverUsed(fields)]).toEqual([fields, false])
})

test('the app reads a key’s state from a word, a flag or a time in the service’s answer [ERR-02]', () => {
  const status = (fields: Record<string, unknown>) => KeyList.parse([{ key_id: 'a', ...fields }]).keys[0]?.status
  expect(status({ status: 'REVOKED' })).toBe('revoked')
  expect(status({ state: 'expired' })).toBe('expired')
  expect(status({ active: true })).toBe('active')
  expect(status({ revoked_at: '2026-11-01T00:00:00Z' })).toBe('revoked')
  expect(status({ status: 'frozen' })).toBe('unknown')
})

test('the app accepts a new key’s secret only with the prefix of an API key, and finds the key’s record beside or around the secret', () => {
  expect(KeySecret.parse({ success: true, api_key: 'SVCabcdefghij0123', key: record })).toMatchObject({ apiKey: 'SVCabcdefghij0123', key: { id: 'key_1' } })
  expect(KeySecret.parse({ api_key: 'SVCabcdefghij0123', ...record })).toMatchObject({ apiKey: 'SVCabcdefghij0123', key: { id: 'key_1' } })
  expect(KeySecret.parse({ api_key: 'SVCabcdefghij0123' })).toEqual({ apiKey: 'SVCabcdefghij0123', key: null })
  expect(KeySecret.read({ api_key: 'abc', key: record }).ok).toBe(false)
})

test('the app keeps a key’s secret out of the unknown fields of every record that it shows [AUTH-09]', () => {
  expect(JSON.stringify(KeySecret.parse({ api_key: 'SVCabcdefghij0123', ...record }).key)).not.toContain('SVCabcdefghij0123')
  expect(JSON.stringify(KeyList.parse({ keys: [{ ...record, api_key: 'SVCabcdefgh12345678', secret: 'SVCabcdefgh12345678' }] }))).not.toContain('abcdefgh')
})

test('the app finds, anywhere in the service’s answer, the grant that the user must sign [KEY-10]', () => {
  const typedData = { domain: {}, types: {}, primaryType: 'AgentGrant', message: {} }
  const base = { preparation_id: 'kp_1', agent: { address: '0x5Ce2000000000000000000000000000000c090d1' }, expires_at_ms: 1_795_012_328_000 }
  const expected = { preparationId: 'kp_1', agent: base.agent.address, beside: [base.agent.address], typedData, expiresAtMs: 1_795_012_328_000 }
  expect(KeyPreparation.parse({ ...base, grant: { typed_data: typedData } })).toEqual(expected)
  expect(KeyPreparation.parse({ ...base, grant: typedData })).toEqual(expected)
  expect(KeyPreparation.parse({ ...base, agent: base.agent.address, typed_data: JSON.stringify(typedData) })).toEqual(expected)
  expect(KeyPreparation.read(base).ok).toBe(false)
})

const [agentAddress, walletAddress, router] = [
  '0x5Ce2000000000000000000000000000000c090d1',
  '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E',
  `0x${'4b'.repeat(20)}`,
]
const grantTo = (agent: string) => ({
  domain: { name: 'SvcDEX', chainId: 8453, verifyingContract: router },
  types: { Approve: [{ name: 'agent', type: 'address' }] },
  primaryType: 'Approve',
  message: { agent, validUntil: 1_900_000_000 },
})

test.each([
  ['a name that says nothing', { ticket: 'kp_WF4T07YCTVJ7FNSH', bot: { onchain: agentAddress }, delegation: { typed_data: grantTo(agentAddress) } }],
  ['text in a list', { ok: true, payload: { steps: [{ toSign: JSON.stringify(grantTo(agentAddress)) }], Pending: 'kp_WF4T07YCTVJ7FNSH', who: agentAddress } }],
  ['the answer itself', { ...grantTo(agentAddress), who: agentAddress, requestId: 'dsk-a669c58cac3b', hold: 'kp_WF4T07YCTVJ7FNSH', until: 1_795_012_328 }],
])('the app recognises a grant, its agent and the preparation id by their form: %s [KEY-10]', (_name, answer) => {
  expect(KeyPreparation.parse(answer)).toMatchObject({ preparationId: 'kp_WF4T07YCTVJ7FNSH', beside: [agentAddress], typedData: grantTo(agentAddress) })
})

test('the app reads neither the trading agent nor the expiry of a new key from inside its grant, because the grant cannot confirm itself [KEY-15]', () => {
  const read = KeyPreparation.parse({ preparation_id: 'kp_1', approval: { message: 'Sign once', typed_data: grantTo(walletAddress) }, expiry: null })
  expect([read.agent, read.beside, read.expiresAtMs]).toEqual([null, [], null])
})

test('the app accepts no preparation id if an answer contains two ids, and no grant if an answer contains two different grants [KEY-10]', () => {
  expect(KeyPreparation.read({ one: 'kp_WF4T07YC', other: 'kp_F7QMMHWS', grant: grantTo(agentAddress) })).toMatchObject({
    issues: [{ path: ['preparation_id'] }],
  })
  expect(KeyPreparation.read({ id: 'kp_1', grant: grantTo(agentAddress), next: grantTo(walletAddress) })).toMatchObject({ issues: [{ path: ['grant'] }] })
  expect(KeyPreparation.read({ id: 'kp_1', grant: grantTo(agentAddress), text: JSON.stringify(grantTo(agentAddress)) }).ok).toBe(true)
  // None of these values is an id of a preparation: a time, an address, a hash, a count and a request id.
  const others = { until: 1_795_012_328, who: agentAddress, hash: `0x${'ab'.repeat(32)}`, took: 3, request_id: 'dsk-a669c58cac3b', label: 'bot #1a2b3c' }
  expect(KeyPreparation.read({ ...others, grant: grantTo(agentAddress) }).ok).toBe(false)
  expect(KeyPreparation.parse({ ...others, draft: 90_003, grant: grantTo(agentAddress) }).preparationId).toBe('90003')
  // A random id without any digit is accepted, but an ordinary word such as `awaiting_signature` is not.
  const worded = { ...others, phase: 'awaiting_signature', grant: grantTo(agentAddress) }
  expect(KeyPreparation.parse({ ...worded, pending: 'kp_WZGVBSYRWTAEYDVZ' }).preparationId).toBe('kp_WZGVBSYRWTAEYDVZ')
})

test('the app recognises a key’s trading agent by its address under any name, and never reads other text or the wallet’s address as agent [ERR-02]', () => {
  const agentOf = (fields: Record<string, unknown>) => KeyList.parse([{ key_id: 'a', ...fields }]).keys[0]?.agent
  expect(agentOf({ api_wallet: { onchain_address: agentAddress, grant_active: true } })).toEqual({ address: agentAddress, granted: true })
  expect(agentOf({ session_signer: agentAddress })).toEqual({ address: agentAddress, granted: null })
  expect(agentOf({ bot: 'Grid bot' })).toBeNull()
  for (const wallet of ['wallet', 'Wallet', 'walletAddress', 'owner', 'Account', 'account_address', 'address', 'userWallet'])
    expect([wallet, agentOf({ [wallet]: walletAddress, agent: null })]).toEqual([wallet, null])
})

test('the app reads a key’s executor from text, an address or an object, and never reads the trading agent as the executor [ERR-02]', () => {
  const executorOf = (fields: Record<string, unknown>) => KeyList.parse([{ key_id: 'a', ...fields }]).keys[0]?.executor
  for (const fields of [{ executorId: 'exec-1' }, { bound_executor: { name: 'exec-1' } }, { operator: 'exec-1' }, { executor: { id: 'exec-1', since: null } }])
    expect([fields, executorOf(fields)]).toEqual([fields, 'exec-1'])
  expect(executorOf({ delegate: { address: agentAddress } })).toBeNull()
})

test('the app reads a list of keys from a table whose cells contain lists and objects [ERR-02]', () => {
  const columns = {
    kid: ['1601918948680102232869703', '7'],
    memo: ['bot', 'all'],
    accessIps: [[], ['127.0.0.1']],
    entitlements: [['market:read'], ['market:read', 'trade:execute']],
    phase: ['enabled', 'Disabled'],
    inserted: ['2026-11-01T02:00:00+02:00', '2026-11-01T02:00:00+02:00'],
    mostRecentUse: ['0001-01-01T00:00:00Z', '2026-11-02T00:00:00Z'],
    bot: [{ onchainAddress: agentAddress, approved: 1 }, null],
  }
  expect(KeyList.parse({ took: 3, payload: { active: 2, credentials: columns } })).toMatchObject({
    active: 2,
    keys: [
      {
        id: '1601918948680102232869703',
        label: 'bot',
        allowlist: [],
        status: 'active',
        createdAtMs: Date.UTC(2026, 10, 1),
        lastUsedAtMs: null,
        agent: { granted: true },
      },
      { id: '7', scopes: ['market:read', 'trade:execute'], allowlist: ['127.0.0.1'], status: 'revoked', lastUsedAtMs: Date.UTC(2026, 10, 2), agent: null },
    ],
  })
})

test('the app recognises a key’s scopes and state under any field name [ERR-02]', () => {
  const keyOf = (fields: Record<string, unknown>) => KeyList.parse([{ key_id: 'a', ...fields }]).keys[0]
  expect(keyOf({ can: ['market:read', 'trade:execute'], ordStatus: 'KEY_STATUS_ENABLED' })).toMatchObject({
    scopes: ['market:read', 'trade:execute'],
    status: 'active',
    unknownFields: null,
  })
  // `live` may also name an environment, so the app does not read it as a status under an unknown name. Ordinary text is not a scope.
  expect(keyOf({ environment: 'live', tags: ['grid', 'eth'], lastSeenFrom: '127.0.0.1', recent: ['10.0.0.1'] })).toMatchObject({
    status: 'unknown',
    scopes: null,
    allowlist: null,
  })
})

test('the app reads “name” in an audit entry as the event, or as the key’s label if another field contains the event [ERR-02]', () => {
  const of = (fields: object) => AuditLog.parse({ entries: [fields] }).entries[0]
  expect(of({ name: 'key.created' })).toMatchObject({ event: 'key.created', label: null })
  expect(of({ activity: 'key.created', name: 'grid' })).toMatchObject({ event: 'key.created', label: 'grid' })
  expect(of({ type: 'audit', name: 'key.created' })).toMatchObject({ event: 'audit', label: null })
  expect(AuditLog.read({ entries: [{ at: 1_795_012_328 }] }).ok).toBe(false)
})

test('the app reads the address in an audit entry only if it is an IP address, and ignores a wallet address [ERR-02]', () => {
  const [entry] = AuditLog.parse({ entries: [{ what: 'key.created', when: '2026-11-01T00:00:00Z', from: '10.1.2.3', address: walletAddress }] }).entries
  expect(entry).toMatchObject({ event: 'key.created', atMs: Date.UTC(2026, 10, 1), ip: '10.1.2.3' })
  expect(AuditLog.parse({ entries: [{ event: 'key.created', address: walletAddress }] }).entries[0]?.ip).toBeNull()
})

test('the app reads a key’s allowed IP addresses from inside a group of the answer, even if their list is empty [ERR-02]', () => {
  const allowlist = (ips: readonly string[]) => KeyList.parse([{ key_id: 'a', grants: ['market:read'], access: { ips } }]).keys[0]?.allowlist
  expect([allowlist([]), allowlist(['10.0.0.1'])]).toEqual([[], ['10.0.0.1']])
})

test('the app accepts a new key’s secret anywhere under its documented name, but under a similar name only if the secret is complete [KEY-05]', () => {
  const secret = 'SVC4f1c9d2ab07e4f1c9d2ab07e'
  const read = (answer: unknown) => {
    const found = KeySecret.read(answer)
    return found.ok ? found.value.apiKey : null
  }
  for (const answer of [
    { ok: true, response: { data: { credential: { kid: 'a' }, issued: { ApiKey: secret } } } },
    { result: { credential: { ...record, prefix: 'SVC4f1c', plaintext: secret } } },
    { key: record, new_secret: secret, previous_secret: 'SVC000000000000000000000000' },
    { key: record, api_key: secret, token: 'SVC000000000000000000000000' },
  ])
    expect(read(answer)).toBe(secret)
  expect(read({ key: record, secret, token: 'SVC000000000000000000000000' })).toBeNull()
  expect(read({ key: record, key_id: 'SVC000000000000000000000000', hint: secret })).toBeNull()
})

test('the app reads a new key from the object that contains the key’s fields, and never takes the key’s id from another object [KEY-05]', () => {
  const secret = { api_key: 'SVC4f1c9d2ab07e4f1c9d2ab07e' }
  const spoken = { 'key-ref': 'key_9', title: 'bot', state: 'enabled', 'session-signer': { 'public-address': agentAddress, 'is-granted': '1' } }
  for (const answer of [
    { code: 0, 'request-id': 'dsk-1', payload: { ...secret, 'access-key': spoken } },
    { ...secret, credential: spoken, request: { id: 'dsk-1' } },
    { ...secret, result: { ...spoken, id: 'dsk-1' } },
  ])
    expect(KeySecret.parse(answer).key).toMatchObject({ id: 'key_9', label: 'bot', status: 'active', agent: { address: agentAddress, granted: true } })
  expect(KeySecret.parse({ ...secret, key: { id: 'key_9', name: 'bot' }, time: { created: 1_795_012_328 } }).key).toMatchObject({ id: 'key_9' })
  expect(KeySecret.parse({ ...secret, request: { reference: 'dsk-1' } }).key).toBeNull()
})

const inDialect25 = (id: string) => ({
  AccessKeyId: id,
  Memo: 'all',
  AccountAddress: '0xbf35B0D618a163dd25ED3C4C92DF1B8EC3A8E17E',
  Permissions: ['market:read', 'account:read'],
  OrdStatus: 'enabled',
  CreateTimeMillis: 1_786_036_596_847,
  GoodTillMillis: 1_793_812_596_847,
  LastSeenMillis: 1_786_036_597_888,
  LastIp: '127.0.0.1',
  RevocationTimeMillis: 2 ** 63,
  Cidrs: [],
  Throttle: {},
  ApiWallet: { OnchainAddress: '0x4E71AfF0da9aAB55F2435a72cb4F334F57C93e93', Authorised: 1 },
  Preview: 'SVC1ef',
})
const byId = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, inDialect25(id)]))

test.each([
  ['several, one of them with a digit', ['key_ZJ234A9REH', 'key_PNJZENBYTT']],
  ['several without a digit', ['key_PNJZENBYTT', 'key_SBTWXTCJXY']],
  ['one without a digit', ['key_PNJZENBYTT']],
])('the app reads an object keyed by id as a list of keys if each record also contains its id, in any form of id: %s', (_, ids) => {
  for (const answer of [byId(...ids), { credentials: byId(...ids) }, { data: { active: 1, limit: 10, result: byId(...ids) } }]) {
    const { keys } = KeyList.parse(answer)
    expect(keys.map(({ id, status, createdAtMs, expiresAtMs, lastUsedAtMs }) => [id, status, createdAtMs, expiresAtMs, lastUsedAtMs])).toEqual(
      ids.map((id) => [id, 'active', 1_786_036_596_847, 1_793_812_596_847, 1_786_036_597_888]),
    )
  }
})

test('the app does not read an object of records as a list of keys if its property names differ from the records’ ids', () => {
  const { AccessKeyId: _, ...rest } = inDialect25('')
  expect(KeyList.read({ first: rest, second: rest }).ok).toBe(false)
  expect(KeyList.read({ first: inDialect25('key_PNJZENBYTT'), second: inDialect25('key_SBTWXTCJXY') }).ok).toBe(false)
})
