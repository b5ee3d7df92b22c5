import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createAccountSender } from '../../../../electron/practice/chain/account-sender.ts'
import { createChainClient } from '../../../../electron/practice/chain/chain-client.ts'
import { routerArtifact, tokenArtifact } from '../../../../electron/practice/chain/contracts.ts'
import type { RunningChain } from '../../../../electron/practice/chain/start-chain.ts'

/** A wallet with ETH for gas that sends transactions itself. */
export interface Trader {
  readonly account: PrivateKeyAccount
  /** Calls the router contract. Resolves once the node accepts the transaction, even if it will revert. */
  router(functionName: string, ...args: unknown[]): Promise<Hex>
  approve(token: Address, amount: bigint): Promise<Hex>
  send(to: Address, data: Hex): Promise<Hex>
}

export async function newTrader(chain: RunningChain, usdc = 0n, key: Hex = generatePrivateKey()): Promise<Trader> {
  const account = privateKeyToAccount(key)
  const sender = createAccountSender(createChainClient(chain.rpcUrl), key)
  const client = createChainClient(chain.rpcUrl)
  await client.setBalance({ address: account.address, value: 10n ** 18n })
  if (usdc > 0n) await chain.fund(account.address, usdc, 0n)
  const send: Trader['send'] = (to, data) => sender.send({ to, data, gas: 500_000n })
  const call = (to: Address, abi: Abi, functionName: string, args: readonly unknown[]) => send(to, encodeFunctionData({ abi, functionName, args }))
  return {
    account,
    router: (functionName, ...args) => call(chain.router, routerArtifact.abi, functionName, args),
    approve: (token, amount) => call(token, tokenArtifact.abi, 'approve', [chain.router, amount]),
    send,
  }
}
