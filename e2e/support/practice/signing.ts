import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Answer, at } from './start.ts'

/** Signs typed data as a wallet gets it: as JSON, numbers as text. */
export function signTypedData(account: PrivateKeyAccount, answer: Answer, path: string): Promise<Hex> {
  const data = at(answer, path)
  if (typeof data !== 'object' || data === null) throw new Error(`No typed data at ${path} of ${answer.text}`)
  // The account checks the shape itself; the types of viem want a literal.
  return account.signTypedData(data as Parameters<PrivateKeyAccount['signTypedData']>[0])
}
