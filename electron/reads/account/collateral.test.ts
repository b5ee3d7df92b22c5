import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { CollateralState } from '../../../shared/api/schemas/collateral.ts'
import type { CollateralBalance } from '../../../shared/ipc/reads/account.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'
import { createChainBalances } from '../../wallet/chain/balances.ts'
import { createPostJson } from '../../wallet/chain/rpc.ts'

const collateralRoute = 'GET /api/dex/v1/collateral'

let chain: RunningChain
let workspace: Workspace
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startWorkspace({ realChain: chain })
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const read = async () => value(await workspace.handlers()['account.collateral']({ watch: null }))
const of = (balances: readonly CollateralBalance[], token: string) => balances.find((one) => one.asset === token)

test('the app returns the collateral in USDC and the exchange’s own token, the wallet’s balances, and whether the service accepts permits [ACC-01, FLOW-04]', async () => {
  await workspace.createKey()
  await chain.fund(workspace.account.address, 1_250_500_000n, parseEther('0.25'))
  const { balances, permitOffered, walletEth } = await read()
  expect(of(balances, 'USDC')).toEqual({
    asset: 'USDC',
    contract: chain.usdc,
    balance: '10000',
    locked: '0',
    withdrawable: '10000',
    walletBalance: '1250.5',
    decimals: 6,
  })
  expect(of(balances, 'SVC')).toMatchObject({ contract: chain.svc, walletBalance: '0', decimals: 18 })
  expect(permitOffered).toBe(true)
  expect(walletEth).toBe('0.25')
})

test('the app reads the collateral with a key if there is one, and refuses the answer if another wallet was connected meanwhile [ACC-01, AUTH-03]', async () => {
  expect((await read()).source).toEqual({ route: 'public', why: { kind: 'api_key_required', scope: 'account:read' } })
  await workspace.createKey()
  const other = privateKeyToAccount(generatePrivateKey())
  workspace.faults.delay = [{ route: collateralRoute, ms: null }]
  const pending = workspace.handlers()['account.collateral']({ watch: null })
  await expect.poll(() => workspace.sent.at(-1)?.path).toBe('/api/dex/v1/collateral')
  await workspace.connect(other)
  workspace.faults.delay = []
  expect(failure(await pending)).toEqual({ kind: 'wrong_wallet', wallet: other.address, expected: workspace.account.address })
})

test('the app treats missing collateral values as unknown instead of 0, and keeps fields that the app does not know [ERR-02]', async () => {
  await workspace.createKey()
  const bare = { balance: null, contract: null, locked: null, unknownFields: null, withdrawable: null }
  expect(CollateralState.parse({ balances: [{ symbol: 'USDC' }, { asset: 'SVC', amount: 2.5 }] })).toEqual({
    wallet: null,
    balances: [
      { token: 'USDC', ...bare },
      { token: 'SVC', ...bare, balance: '2.5' },
    ],
    missing: { unreadable: 0, more: false },
    unknownFields: null,
  })
  workspace.faults.extraFields = true
  expect((await read()).unknownFields).not.toBeNull()
})

test('the app names tokens as the service does, and finds the name of the exchange’s own token in the collateral or in the token’s market data [FLOW-04]', async () => {
  await workspace.createKey()
  expect((await read()).tokens).toEqual(['USDC', 'SVC'])
  await workspace.stop()
  let listed: string | null = 'BAQ'
  workspace = await startWorkspace({
    realChain: chain,
    speaks: (route, body) => {
      const text = JSON.stringify(body).replaceAll('"SVC"', '"BAQ"')
      const answer = JSON.parse(text) as Record<string, { balances?: { token: string }[] } & { token?: string }[]>
      if (route.endsWith('/collateral') && listed === null)
        return JSON.parse(text, (_, value) => (Array.isArray(value) ? value.filter((one) => one?.token !== 'BAQ') : value))
      return route === 'GET /api/dex/config' && listed === null ? { ...answer, collateral_model: { approval: { permit: true } } } : answer
    },
  })
  await workspace.connect()
  await workspace.signIn()
  await workspace.createKey()
  const named = await read()
  expect([named.tokens, of(named.balances, 'BAQ')]).toEqual([['USDC', 'BAQ'], expect.objectContaining({ contract: chain.svc, decimals: 18 })])
  listed = null
  const unlisted = await read()
  expect([unlisted.tokens, unlisted.balances.map(({ asset }) => asset)]).toEqual([['USDC', 'BAQ'], ['USDC']])
})

test('if the public config cannot be read, the app reports as unknown whether the service accepts permits [FLOW-04]', async () => {
  await workspace.createKey()
  workspace.clock.advance(minute)
  workspace.faults.answer = [{ route: 'GET /api/dex/config', status: 403, code: 'BROKEN', times: 100 }]
  expect(await read()).toMatchObject({ permitOffered: null, balances: [{ asset: 'USDC', balance: '10000' }, { asset: 'SVC' }] })
})

test('the app treats on-chain balances as unknown if the RPC node does not respond or the token’s address holds no token contract', async () => {
  const silent = createChainBalances({
    rpcUrl: async () => chain.rpcUrl,
    post: async () => {
      throw new Error('away')
    },
  })
  expect(await silent.eth(workspace.account.address)).toBeNull()
  expect(await silent.token(chain.usdc, workspace.account.address)).toBeNull()
  const balances = createChainBalances({ rpcUrl: async () => chain.rpcUrl, post: createPostJson() })
  expect(await balances.token(workspace.account.address, workspace.account.address)).toBeNull()
  expect(await balances.token(chain.router, workspace.account.address)).toBeNull()
  expect(await balances.token('0x1234', workspace.account.address)).toBeNull()
})
