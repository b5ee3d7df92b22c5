/** What the chain itself says of a transaction, asked without the app and without the exchange. */
export async function receiptOf(rpcUrl: string, hash: string): Promise<{ readonly status: string; readonly to: string } | null> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }),
  })
  return ((await answer.json()) as { result: { status: string; to: string } | null }).result // as the node's JSON-RPC has it
}
