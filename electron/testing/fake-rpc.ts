import type { PostJson } from '../chain/rpc.ts'

export interface FakeRpc {
  readonly post: PostJson
  readonly methods: string[]
  /** While away, nothing answers. */
  setAway(away: boolean): void
  /** Addresses, in any case, at which code stands. */
  readonly contracts: Set<string>
}

/** A JSON-RPC endpoint that knows the head and where contracts stand. */
export function createFakeRpc(chain: { blockNumber(): Promise<bigint>; readonly router: string }): FakeRpc {
  const methods: string[] = []
  const contracts = new Set([chain.router.toLowerCase()])
  let away = false
  const answer = async (method: string, params: unknown): Promise<unknown> => {
    const [first] = Array.isArray(params) ? params : []
    switch (method) {
      case 'eth_chainId':
        return '0x2105'
      case 'eth_blockNumber':
        return `0x${(await chain.blockNumber()).toString(16)}`
      case 'eth_getCode':
        return contracts.has(String(first).toLowerCase()) ? '0x6001' : '0x'
      default:
        return null
    }
  }
  return {
    methods,
    contracts,
    setAway: (next) => {
      away = next
    },
    post: async (_url, body) => {
      if (away) throw new Error('away')
      const { id, method, params } = JSON.parse(body)
      methods.push(method)
      return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id, result: await answer(method, params) }) }
    },
  }
}
