/** Asks the practice chain itself, by its JSON-RPC. */
export async function askChain(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: unknown }).result // as the node's JSON-RPC has it
}

/** Puts code at an address: from then on what stands there is a contract. */
export const setCode = (rpcUrl: string, address: string, code: string): Promise<unknown> => askChain(rpcUrl, 'anvil_setCode', [address, code])

/** What the chain itself says of a transaction, asked without the app and without the exchange. */
export const receiptOf = async (rpcUrl: string, hash: string): Promise<{ readonly status: string; readonly to: string } | null> =>
  (await askChain(rpcUrl, 'eth_getTransactionReceipt', [hash])) as { status: string; to: string } | null // as the node's JSON-RPC has it

const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')

/** How much of a token a contract may take from a wallet by the chain's own word, in the token's smallest units. */
export async function allowanceOf(rpcUrl: string, token: string, wallet: string, spender: string): Promise<bigint> {
  // `allowance(address,address)`
  const data = `0xdd62ed3e${word(wallet)}${word(spender)}`
  return BigInt((await askChain(rpcUrl, 'eth_call', [{ to: token, data }, 'latest'])) as string) // as the node's JSON-RPC has it
}
