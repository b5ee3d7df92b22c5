import { type IncomingHttpHeaders, request } from 'node:http'
import type { BotPolicy, GatewayStatus } from '../../../shared/ipc/keys/gateway.ts'
import { noLimits } from '../../../shared/limits-draft.ts'
import { type Executing, startExecuting } from '../main/executing.ts'
import { value, type WorkspaceOptions } from '../main/workspace.ts'

export interface BotAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Readonly<Record<string, unknown>> & { readonly error?: Readonly<Record<string, unknown>> }
}

export interface BotCall {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown
  readonly token?: string | null
  /** The unix socket to use in place of the port. */
  readonly socket?: string
}

/** A bot: knows the gateway's address and its token, and nothing else. */
export interface Bot {
  readonly id: string
  readonly token: string
  call(path: string, options?: BotCall): Promise<BotAnswer>
  execute(action: string, payload: object, extra?: BotCall & { readonly prepareOnly?: boolean }): Promise<BotAnswer>
}

export const live: BotPolicy = { mode: 'live', limits: noLimits, sides: null, openNotionalUsdc: null, ordersPerMinute: null, hours: null, silence: null }
export const allScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'] as const

/** Sends one request as given, without the checks and defaults of `fetch`. */
export function callAt(hostUrl: string, path: string, { method, headers = {}, body, token = null, socket }: BotCall = {}): Promise<BotAnswer> {
  const { hostname, port } = new URL(hostUrl)
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const where = socket === undefined ? { hostname, port } : { socketPath: socket }
  const own = {
    ...(socket !== undefined && { host: 'localhost' }),
    ...(text !== null && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...(token !== null && { 'x-svc-api-key': token }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, path, method: method ?? (text === null ? 'GET' : 'POST'), headers: { ...own, ...headers }, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const all = Buffer.concat(parts).toString()
        let json: BotAnswer['json'] = {}
        try {
          json = JSON.parse(all) as BotAnswer['json'] // safe cast: a wrong shape fails the test that reads it
        } catch {
          // Not JSON, such as an empty answer.
        }
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: all, json })
      })
    })
    sent.on('error', reject)
    sent.end(text ?? undefined)
  })
}

export interface Served extends Executing {
  readonly keyId: string
  status(): Promise<GatewayStatus>
  /** Adds a bot with the workspace's key. */
  bot(policy?: Partial<BotPolicy>, scopes?: readonly (typeof allScopes)[number][]): Promise<Bot>
  /** The payload of a market order on market 1. */
  marketOrder(change?: object): Promise<Readonly<Record<string, unknown>>>
  /** The number of commands that the exchange carried out or queued. */
  commands(): number
}

/** A workspace whose gateway listens on a free port, with a key that has an executor. */
export async function startServed(options: WorkspaceOptions = {}): Promise<Served> {
  const workspace = await startExecuting(options)
  const keys = value(await workspace.handlers()['keys.list']({})).keys
  const keyId = keys[0]?.id ?? ''
  const status = async () => value(await workspace.handlers()['gateway.status']({}))
  // Port 0 is no valid setting, so the access takes it directly: the system then chooses a free port.
  await workspace.gateway().set({ isOn: true, port: 0, callsPerSecond: 1_000 })
  return Object.assign(workspace, {
    keyId,
    status,
    bot: async (policy: Partial<BotPolicy> = {}, scopes: readonly (typeof allScopes)[number][] = allScopes) => {
      const asked = { label: 'grid', keyId, scopes: [...scopes], expiresInDays: null, policy: { ...live, ...policy } }
      const { botId } = value(await workspace.handlers()['gateway.addBot'](asked))
      const token = workspace.revealed.at(-1)?.reveal() ?? ''
      return botOf(botId, token, async () => (await status()).hostUrl ?? '')
    },
    marketOrder: async (change: object = {}) => {
      const { referencePrice } = await workspace.ticket()
      return { pair_id: 1, side: 'long', leverage: 5, order_value_usdc: '100', reference_price: referencePrice, max_slippage_bps: 100, ...change }
    },
    commands: () => workspace.exchange.effects().commands.length,
  })
}

export function botOf(id: string, token: string, hostUrl: () => Promise<string>): Bot {
  const call: Bot['call'] = async (path, options = {}) => callAt(await hostUrl(), path, { token, ...options })
  return {
    id,
    token,
    call,
    execute: (action, payload, { prepareOnly, ...options } = {}) =>
      call('/api/dex/v1/orders/execute', { body: { action, payload, ...(prepareOnly !== undefined && { prepare_only: prepareOnly }) }, ...options }),
  }
}
