import { numberToHex, parseEther, parseGwei } from 'viem'
import type { PostJson } from '../../../electron/wallet/chain/rpc.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import type { FakeChain, SeenTransaction } from '../practice/fake-chain.ts'

export interface FakeRpc {
  readonly post: PostJson
  readonly methods: string[]
  /** Makes the endpoint unreachable, or reachable again. */
  setAway(away: boolean): void
  /** From now on the endpoint accepts requests but never responds. */
  hang(): void
  /** Addresses that contain a contract. Upper and lower case do not matter. */
  readonly contracts: Set<string>
  /** Sets the chain id that the endpoint reports, hexadecimal. */
  setChainId(chainId: string): void
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/** Formats a transaction as an Ethereum node does. */
const written = ({ hash, from, to, data, nonce, block }: SeenTransaction) => ({
  ...{ hash, from, to, input: data, value: '0x0', nonce: numberToHex(nonce) },
  blockNumber: block === null ? null : numberToHex(block),
})

/** A fake JSON-RPC endpoint with the latest block, the addresses of contracts, and the transactions that wallets sent. */
export function createFakeRpc(chain: FakeChain): FakeRpc {
  const methods: string[] = []
  const contracts = new Set([chain.router, chain.usdc, chain.svc].map((address) => address.toLowerCase()))
  let away = false
  let hangs = false
  let chainId = '0x2105'
  const answer = async (method: string, params: unknown): Promise<Answer> => {
    const [first, second] = Array.isArray(params) ? params : []
    const receipt = () => {
      const seen = chain.seen(first)
      return seen === null || seen.block === null ? null : { blockNumber: numberToHex(seen.block), status: seen.succeeded === true ? '0x1' : '0x0' }
    }
    const known = () => {
      const seen = chain.seen(first)
      return seen === null ? null : written(seen)
    }
    const isSent = () => typeof first === 'object' && first !== null && 'from' in first
    switch (method) {
      case 'eth_chainId':
        return { result: chainId }
      case 'eth_blockNumber':
        return { result: numberToHex(await chain.blockNumber()) }
      case 'eth_getCode':
        return { result: contracts.has(String(first).toLowerCase()) ? '0x6001' : '0x' }
      case 'eth_getTransactionReceipt':
        return { result: receipt() }
      case 'eth_getTransactionByHash':
        return { result: known() }
      case 'eth_getTransactionCount':
        return { result: numberToHex(chain.sentBy(first, second === 'latest' || second === 'pending' ? second : Number(second))) }
      case 'eth_getBlockByNumber':
        return { result: { number: first, transactions: chain.inBlock(Number(first)).map(written) } }
      case 'eth_call':
        // A call without a sender reads contract data. The fake chain has none.
        if (!isSent()) return { result: '0x' }
        return chain.works(first) ? { result: '0x' } : { error: { code: 3, message: 'execution reverted' } }
      case 'eth_estimateGas':
        return { result: numberToHex(100_000) }
      case 'eth_gasPrice':
        return { result: numberToHex(parseGwei('1')) }
      case 'eth_getBalance':
        return { result: numberToHex(parseEther('1')) }
      default:
        return { result: null }
    }
  }
  return {
    methods,
    contracts,
    setAway: (next) => {
      away = next
    },
    hang: () => {
      hangs = true
    },
    setChainId: (next) => {
      chainId = next
    },
    post: async (_url, body) => {
      if (away) throw new Error('away')
      if (hangs) return new Promise(() => {})
      const { id, method, params } = JSON.parse(body)
      methods.push(method)
      return { status: 200, text: foreign(JSON.stringify({ jsonrpc: '2.0', id, ...(await answer(method, params)) })) }
    },
  }
}
