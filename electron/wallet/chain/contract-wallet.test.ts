import { hashMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { type ContractWallet, contractWallets } from '../../../e2e/support/practice/chain/contract-wallet.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'
import { createChain } from './chain.ts'
import { createPostJson, type PostJson } from './rpc.ts'

let running: RunningChain
let newWallet: () => Promise<ContractWallet>
let silent: readonly string[] = []

const post: PostJson = (url, body, limits) => {
  const { method } = JSON.parse(body) as { method: string } // The cast is safe: the client that this test checks wrote the body.
  return silent.includes(method) ? Promise.reject(new Error('away')) : createPostJson()(url, body, limits)
}
const chain = createChain({ rpcUrl: async () => running.rpcUrl, post })
const hash = hashMessage('svc-dex asks you to sign in')
const stranger = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(started.failure.detail)
  running = started.value
  newWallet = await contractWallets(running.rpcUrl)
})
afterAll(() => running.stop())

test('the app accepts a deployed contract wallet’s signature only for the message and the wallet for which it was made [AUTH-07]', async () => {
  const [wallet, other] = [await newWallet(), await newWallet()]
  await wallet.create()
  await other.create()
  const signature = await wallet.sign(hash)
  expect(value(await chain.verify(wallet.address, hash, signature))).toMatchObject({ valid: true })
  expect(value(await chain.verify(wallet.address, hashMessage('another text'), signature))).toMatchObject({ valid: false })
  expect(value(await chain.verify(wallet.address, hash, await wallet.sign(hash, stranger)))).toMatchObject({ valid: false })
  expect(value(await chain.verify(other.address, hash, signature))).toMatchObject({ valid: false })
  // A signature that the owner makes as a plain account does not count as a signature of the contract wallet.
  expect(value(await chain.verify(wallet.address, hash, await wallet.owner.sign({ hash })))).toEqual({ valid: false, recovered: null })
})

test('the app accepts an undeployed wallet’s signature that includes deployment data, without deploying the wallet [AUTH-07]', async () => {
  const wallet = await newWallet()
  expect(value(await chain.verify(wallet.address, hash, await wallet.signBeforehand(hash)))).toMatchObject({ valid: true })
  expect(value(await chain.verify(wallet.address, hash, await wallet.signBeforehand(hash, stranger)))).toMatchObject({ valid: false })
  expect(value(await chain.verify((await newWallet()).address, hash, await wallet.signBeforehand(hash)))).toMatchObject({ valid: false })
  expect(await chain.hasCode(wallet.address)).toBe(false)
  // The wallet is not deployed yet, and the signature lacks the deployment data. The app therefore can't verify the signature.
  expect(value(await chain.verify(wallet.address, hash, await wallet.sign(hash)))).toMatchObject({ valid: false })

  await wallet.create()
  expect(value(await chain.verify(wallet.address, hash, await wallet.signBeforehand(hash)))).toMatchObject({ valid: true })
  expect(value(await chain.verify(wallet.address, hash, await wallet.sign(hash)))).toMatchObject({ valid: true })
})

test.each(['eth_getCode', 'eth_call'])(
  'the app reports that it cannot verify a contract wallet’s signature if the RPC node does not answer %s [AUTH-07]',
  async (method) => {
    const wallet = await newWallet()
    const beforehand = await wallet.signBeforehand(hash)
    await wallet.create()
    const signature = await wallet.sign(hash)
    silent = [method]
    try {
      expect(failure(await chain.verify(wallet.address, hash, signature)).kind).toBe('unreachable')
      if (method === 'eth_call') expect(failure(await chain.verify(wallet.address, hash, beforehand)).kind).toBe('unreachable')
    } finally {
      silent = []
    }
    expect(value(await chain.verify(wallet.address, hash, signature))).toMatchObject({ valid: true })
  },
)
