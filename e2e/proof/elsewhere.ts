import { isRecord } from '../../shared/api/loose.ts'
import type { Workspace } from '../support/main/workspace.ts'

/** A bot on another computer that trades for the same wallet. The app learns of the bot’s positions and orders only from the exchange. */
export interface Elsewhere {
  openPosition(pairId: number): Promise<void>
  placeOrder(limitPrice: string): Promise<void>
}

const base = { side: 'long', margin_mode: 'isolated', leverage: 5 } as const

export function createElsewhere(workspace: Workspace, settle: () => Promise<void>): Elsewhere {
  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${workspace.hostUrl}/api/dex${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const parsed: unknown = await answer.json()
    if (!answer.ok || !isRecord(parsed)) throw new Error(`Elsewhere: ${method} ${path} answered ${answer.status}: ${JSON.stringify(parsed)}`)
    return parsed
  }

  /** Creates a key with an executor, executes one action with it, and revokes the key again. */
  const execute = async (action: string, payload: Record<string, unknown>): Promise<void> => {
    const wallet = workspace.account.address
    const { message, nonce } = await call('POST', '/developer/challenge', {}, { wallet })
    const signature = await workspace.account.signMessage({ message: String(message) })
    const { developer_session } = await call('POST', '/developer/session', {}, { wallet, nonce, signature })
    const signedIn = { Authorization: `Bearer ${developer_session}` }
    const { api_key, key } = await call('POST', '/developer/keys', signedIn, { label: 'elsewhere', scopes: ['trade:execute', 'orders:manage'] })
    const keyPath = `/developer/keys/${isRecord(key) ? key.key_id : ''}`
    await call('PUT', `${keyPath}/executor`, signedIn, { executor: 'exec-elsewhere' })
    await call('POST', '/v1/orders/execute', { 'X-Svc-API-Key': String(api_key) }, { action, payload })
    await call('DELETE', keyPath, signedIn)
    await settle()
  }

  const inItsOwnWords = async (run: () => Promise<void>): Promise<void> => {
    const { dialect } = workspace.faults
    workspace.faults.dialect = null
    // Keeps the bot below the limit of requests per second.
    workspace.clock.advance(1_000)
    try {
      await run()
    } finally {
      workspace.faults.dialect = dialect
    }
  }

  return {
    openPosition: (pair_id) =>
      inItsOwnWords(async () => {
        const { marks } = await call('GET', `/marks?pair_ids=${pair_id}`, {})
        const [mark] = Array.isArray(marks) ? (marks as unknown[]) : []
        const reference_price = isRecord(mark) ? mark.mark_price : undefined
        await execute('open_market', { ...base, pair_id, order_value_usdc: '250', reference_price, max_slippage_bps: 100 })
      }),
    placeOrder: (limit_price) =>
      inItsOwnWords(() => execute('create_limit', { ...base, pair_id: 1, order_type: 'limit', order_value_usdc: '300', limit_price })),
  }
}
