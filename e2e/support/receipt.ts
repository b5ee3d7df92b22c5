/** Calls the practice chain directly over JSON-RPC. */
export async function askChain(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await answer.json()) as { result: unknown }).result // safe cast: a JSON-RPC response has this shape
}

/** Puts contract code at an address of the practice chain. */
export const setCode = (rpcUrl: string, address: string, code: string): Promise<unknown> => askChain(rpcUrl, 'anvil_setCode', [address, code])

/** A transaction’s receipt, read directly from the chain. */
export const receiptOf = async (rpcUrl: string, hash: string): Promise<{ readonly status: string; readonly to: string } | null> =>
  (await askChain(rpcUrl, 'eth_getTransactionReceipt', [hash])) as { status: string; to: string } | null // the shape of the node's JSON-RPC response

const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')

/** How much of a token `spender` may spend from a wallet, read directly from the chain, in the token’s smallest unit. */
export async function allowanceOf(rpcUrl: string, token: string, wallet: string, spender: string): Promise<bigint> {
  // Selector of `allowance(address,address)`.
  const data = `0xdd62ed3e${word(wallet)}${word(spender)}`
  return BigInt((await askChain(rpcUrl, 'eth_call', [{ to: token, data }, 'latest'])) as string) // the node's JSON-RPC returns a hex string
}
