import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Answer, at } from './start.ts'

/** Signs typed data as a wallet receives it: JSON, with numbers as text. `path`: where the typed data is in the response. */
export function signTypedData(account: PrivateKeyAccount, answer: Answer, path: string): Promise<Hex> {
  const data = at(answer, path)
  if (typeof data !== 'object' || data === null) throw new Error(`No typed data at ${path} of ${answer.text}`)
  // A cast, because viem’s types require literal types. The account checks the data itself.
  return account.signTypedData(data as Parameters<PrivateKeyAccount['signTypedData']>[0])
}
