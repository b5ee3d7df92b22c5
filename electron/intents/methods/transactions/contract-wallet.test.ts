import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { marketTicket, relayPath } from '../../../../e2e/support/main/trader.ts'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../../e2e/support/main/workspace.ts'
import { type ContractWallet, contractWallets } from '../../../../e2e/support/practice/chain/contract-wallet.ts'
import { day, systemClock } from '../../../../shared/time.ts'
import { Secret } from '../../../kernel/secret.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { createChainClient } from '../../../practice/chain/chain-client.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'
import { createKeys } from '../../../practice/exchange/auth/api-keys.ts'
import { createStore } from '../../../practice/exchange/state/store.ts'

let running: RunningChain
let wallet: ContractWallet
let planned: ContractWallet
let exchangeData: string
let workspace: Workspace
const secrets = new Map<string, { readonly id: string; readonly secret: Secret }>()

/** Creates API keys for contract wallets directly in the exchange’s store, because the exchange’s API issues keys only to ordinary accounts. */
function makeKeys(wallets: readonly ContractWallet[]): void {
  const store = createStore({ dataDir: exchangeData })
  const keys = createKeys({ store, clock: systemClock })
  for (const { address } of wallets) {
    const made = keys.create(
      address,
      { label: 'contract', expiresInDays: 90, ipAllowlist: [], quotas: {} },
      { scopes: ['market:read', 'account:read', 'trade:prepare'], agent: null, expiresAtMs: systemClock.now() + 90 * day },
    )
    if (!made.ok) throw new Error(made.failure.code)
    secrets.set(address, { id: made.value.key.id, secret: new Secret(made.value.secret) })
  }
  store.close()
}

beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(started.failure.detail)
  running = started.value
  const newWallet = await contractWallets(running.rpcUrl)
  wallet = await newWallet()
  planned = await newWallet()
  await wallet.create()
})
afterAll(() => running.stop())
beforeEach(async () => {
  exchangeData = mkdtempSync(join(tmpdir(), 'svc-desk-contract-'))
  makeKeys([wallet, planned])
  workspace = await startWorkspace({ rpcUrl: running.rpcUrl, exchangeData })
  // The exchange’s router exists only on its in-memory chain. On the real chain of this test, any code at the router’s address will do.
  await createChainClient(running.rpcUrl).setCode({ address: workspace.chain.router, bytecode: '0x6001' })
})
afterEach(async () => {
  await workspace.stop()
  rmSync(exchangeData, { recursive: true, force: true })
})

const signed = (ref: string, signature: string) => workspace.handlers()['intents.answered']({ ref, answer: signature })
const relayed = () => workspace.sent.filter(({ path }) => path === relayPath).map(({ body }) => JSON.parse(body ?? '{}').signature)

/** Prepares an order of a contract wallet and requests its signature. Returns the intent’s reference and the digest to sign. */
async function asked({ address }: ContractWallet): Promise<{ ref: string; digest: Hex }> {
  const { id, secret } = secrets.get(address) ?? expect.fail('no key')
  const account = `key/practice/${id}/1`
  await workspace.secrets.set(account, secret)
  workspace.journal().secretIndex.remember({ profileId: 'practice', wallet: address, keyId: id, account, label: 'contract' })
  workspace.exchange.seedCollateral(address, '10000')
  value(await workspace.handlers()['wallet.report']({ address, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
  const { intent } = value(await workspace.handlers()['intents.prepare'](await marketTicket(workspace)))
  const request = value(await workspace.handlers()['intents.ask']({ ref: intent.ref, ...agreed }))
  if (request.method !== 'eth_signTypedData_v4') throw new Error(`asked for ${request.method}`)
  return { ref: intent.ref, digest: hashTypedData(JSON.parse(request.typedData)) }
}

// The practice exchange relays only signatures of ordinary accounts, so this test only checks what the app sends.
test('the wallet’s contract checks a contract wallet’s signature, and the app relays the signed order once, unchanged [FLOW-01]', async () => {
  const { ref, digest } = await asked(wallet)
  const signature = await wallet.sign(digest)
  expect(failure(await signed(ref, signature))).toMatchObject({ kind: 'refused', code: 'BAD_SIGNATURE' })
  expect(relayed()).toEqual([signature])
})

test('the app checks the signature of an undeployed contract wallet by simulating its deployment, then relays the order [FLOW-01]', async () => {
  const { ref, digest } = await asked(planned)
  const signature = await planned.signBeforehand(digest)
  expect(failure(await signed(ref, signature))).toMatchObject({ kind: 'refused', code: 'BAD_SIGNATURE' })
  expect(relayed()).toEqual([signature])
})

test('the app never relays a signature that the wallet’s contract rejects, and accepts a valid one that arrives later [FLOW-01]', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const { ref, digest } = await asked(wallet)
  for (const wrong of [await wallet.sign(digest, stranger), await wallet.owner.sign({ hash: digest }), await wallet.sign(`0x${'00'.repeat(32)}`)])
    expect(failure(await signed(ref, wrong))).toEqual({ kind: 'signature_invalid', expected: wallet.address, recovered: null })
  const other = await asked(planned)
  expect(failure(await signed(other.ref, await planned.signBeforehand(other.digest, stranger))).kind).toBe('signature_invalid')
  expect(relayed()).toEqual([])
  value(await workspace.handlers()['wallet.report']({ address: wallet.address, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
  const signature = await wallet.sign(digest)
  await signed(ref, signature)
  expect(relayed()).toEqual([signature])
})
