import type { Address, Hex } from 'viem'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { WalletCall } from '../practice/wallet-calls.ts'
import { bindExecutor } from './executing.ts'
import { withTrading } from './trader.ts'
import { startWorkspace, value, type Workspace } from './workspace.ts'

const scopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const

/** A trader who can sign messages and send transactions, with an in-memory chain. The key has every scope and an executor. */
export async function startEverything(): Promise<Workspace> {
  const workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  value(await workspace.handlers()['keys.createCustom']({ label: 'all', scopes: [...scopes], expiresInDays: 90, ipAllowlist: [], quotas: [] }))
  await bindExecutor(withTrading(workspace), 'all')
  return workspace
}

export function callOf(request: SignRequest): WalletCall {
  if (request.method !== 'eth_sendTransaction') throw new Error(request.method)
  const { from, to, data } = request.transaction
  return { from: from as Address, to: to as Address, data: data as Hex }
}
