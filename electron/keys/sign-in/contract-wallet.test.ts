import { hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { type ContractWallet, contractWallets } from '../../../e2e/support/practice/chain/contract-wallet.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'

let running: RunningChain
let newWallet: () => Promise<ContractWallet>
let workspace: Workspace

beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(started.failure.detail)
  running = started.value
  newWallet = await contractWallets(running.rpcUrl)
})
afterAll(() => running.stop())
beforeEach(async () => {
  workspace = await startWorkspace({ rpcUrl: running.rpcUrl })
})
afterEach(() => workspace.stop())

const submitted = () => workspace.sent.filter(({ path }) => path === '/api/dex/developer/session').map(({ body }) => JSON.parse(body ?? '{}'))

async function challenged({ address }: ContractWallet) {
  value(await workspace.handlers()['wallet.report']({ address, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
  const { id, message } = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id, acceptFormat: true }))
  expect(request).toMatchObject({ method: 'personal_sign', wallet: address, message })
  const nonce = /\b[0-9a-f]{32}\b/.exec(message)?.[0]
  return { id, hash: hashMessage(message), body: (signature: string) => ({ wallet: address, nonce, signature }) }
}
const complete = (id: string, signature: string) => workspace.handlers()['session.complete']({ id, signature })

// At sign-in, the practice exchange accepts only wallets without a contract. So these tests only check what the app submits.
test('the app checks a contract wallet’s sign-in signature with the wallet’s own contract, and submits the signature unchanged [AUTH-07]', async () => {
  const wallet = await newWallet()
  await wallet.create()
  const { id, hash, body } = await challenged(wallet)
  const signature = await wallet.sign(hash)
  expect(failure(await complete(id, signature))).toMatchObject({ kind: 'refused', status: 401 })
  expect(submitted()).toEqual([body(signature)])
})

test('the app checks the sign-in signature of a contract wallet that is not deployed yet by a simulated deployment, then submits it [AUTH-07]', async () => {
  const wallet = await newWallet()
  const { id, hash, body } = await challenged(wallet)
  const signature = await wallet.signBeforehand(hash)
  expect(failure(await complete(id, signature))).toMatchObject({ kind: 'refused', status: 401 })
  expect(submitted()).toEqual([body(signature)])
})

test('the app never submits a sign-in signature that a contract wallet’s own contract rejects [AUTH-07]', async () => {
  const [wallet, planned] = [await newWallet(), await newWallet()]
  await wallet.create()
  const stranger = privateKeyToAccount(generatePrivateKey())
  for (const signer of [wallet, planned]) {
    const { id, hash } = await challenged(signer)
    for (const signature of [
      await signer.sign(hash, stranger),
      await signer.signBeforehand(hash, stranger),
      await signer.signBeforehand(hashMessage('another text')),
      await signer.owner.sign({ hash }),
      `0x${'ab'.repeat(97)}`,
    ])
      expect(failure(await complete(id, signature))).toMatchObject({ kind: 'signature_invalid', expected: signer.address })
  }
  expect(submitted()).toEqual([])
})
