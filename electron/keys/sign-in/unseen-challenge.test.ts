import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { createMemoryRecords, createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { openApi } from '../../../e2e/support/main/open-api.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { systemClock } from '../../../shared/time.ts'
import { createWallet } from '../../wallet/connection/wallet.ts'
import { createTrust } from '../../wallet/trusted-contracts/trust.ts'
import { createSession } from './session.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start() {
  let count = 0
  const server = createServer((_request, response) => {
    count += 1
    const nonce = `nonce-${count}-${'a'.repeat(12)}`
    const expires_at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 240_000).toISOString()
    const message = `Sign in as ${address}\nNetwork: Base (8453)\nNonce: ${nonce}\nExpires: ${expires_at}`
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: true, wallet: address, message, nonce, expires_at, network: 'Base', chain_id: 8453 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  const profile = { id: 'p', kind: 'live', hostUrl: `http://127.0.0.1:${at.port}`, practiceWallet: null } as const
  const api = openApi({ hostUrl: profile.hostUrl, clock: systemClock, sleep: async () => true, sent: [], onExchange: () => {} })
  stops.push(
    () => api.close(),
    () => new Promise((resolve) => server.close(resolve)),
  )
  const vault = createMemoryVault()
  const wallet = createWallet({ profile, vault, connection: () => ({ relayUrl: '', projectId: '', appUrl: '' }), lastUsed: () => null })
  value(await wallet.handlers['wallet.report']({ address, chainId: 8453, peerName: 'Phone', topic: 't' }))
  const chain = { verify: () => Promise.reject(new Error('nothing may be verified here')) }
  const session = createSession({
    profile,
    api,
    vault,
    secrets: createMemorySecretStore(),
    trust: createTrust({
      profile,
      records: createMemoryRecords(),
      published: async () => ({ config: null, meta: null, unread: [] }),
      hasCode: async () => null,
      rpcHost: async () => 'rpc.example',
    }),
    wallet,
    chain,
    watch: { look: () => 'none', start: () => {}, stop: () => {} },
    clock: systemClock,
    newId: () => crypto.randomUUID(),
  })
  return session.handlers
}

test('the app asks the user to accept a sign-in message with missing parts, but only once for all messages of the same format', async () => {
  const handlers = await start()
  const first = value(await handlers['session.challenge']({}))
  expect(first.verdict).toBe('confirm')
  expect(first.checks.filter(({ verdict }) => verdict === 'missing').map(({ id }) => id)).toEqual(['host'])
  const refused = { kind: 'confirmation_required', what: 'challenge_layout', expected: 'yes' }
  expect(failure(await handlers['session.ask']({ id: first.id, acceptFormat: false }))).toEqual(refused)
  expect(failure(await handlers['session.complete']({ id: first.id, signature: `0x${'11'.repeat(65)}` }))).toEqual(refused)
  expect(value(await handlers['session.ask']({ id: first.id, acceptFormat: true }))).toMatchObject({ method: 'personal_sign', message: first.message })

  const second = value(await handlers['session.challenge']({}))
  expect(second.message).not.toBe(first.message)
  expect(second.verdict).toBe('pass')
  expect(value(await handlers['session.ask']({ id: second.id, acceptFormat: false }))).toMatchObject({ message: second.message })
})
