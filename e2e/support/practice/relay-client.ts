import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (value > 0n) {
    text = `${alphabet[Number(value % 58n)]}${text}`
    value /= 58n
  }
  return text
}

export interface Claims {
  readonly aud: string
  readonly iat?: number
  readonly exp?: number
}

export interface Identity {
  readonly id: string
  /** Creates the token that identifies a client to the WalletConnect relay: header and claims with an EdDSA signature. */
  token(claims: Claims): string
}

export function createIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const id = `did:key:z${base58(Buffer.concat([Buffer.from([0xed, 0x01]), raw]))}`
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    id,
    token: ({ aud, iat = Math.floor(Date.now() / 1_000), exp = iat + 86_400 }) => {
      const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ iss: id, sub: 'nonce', aud, iat, exp })}`
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}

interface Push {
  readonly id: number
  readonly params: { readonly data: { readonly topic: string; readonly message: string; readonly tag: number; readonly publishedAt: number } }
}

export interface RelayClient {
  readonly socket: WebSocket
  /** Messages that the relay has pushed to this client so far. */
  readonly got: string[]
  call(method: string, params: unknown): Promise<unknown>
  publish(topic: string, message: string, ttl?: number): Promise<unknown>
  subscribe(topic: string): Promise<unknown>
  close(): Promise<void>
}

/** Opens a connection of a client to the WalletConnect relay. The client confirms messages unless `confirms` is false. */
export async function openRelayClient(url: string, identity: Identity, { confirms = true } = {}): Promise<RelayClient> {
  const socket = new WebSocket(`${url}/?auth=${identity.token({ aud: url })}&projectId=any`)
  const got: string[] = []
  const answers = new Map<number, (answer: unknown) => void>()
  let lastId = 0
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Push & { method?: string }
    if (frame.method !== 'irn_subscription') return answers.get(frame.id)?.(frame)
    got.push(frame.params.data.message)
    if (confirms) socket.send(JSON.stringify({ id: frame.id, jsonrpc: '2.0', result: true }))
  })
  await once(socket, 'open')
  const call: RelayClient['call'] = (method, params) =>
    new Promise((resolve) => {
      lastId += 1
      answers.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, jsonrpc: '2.0', method, params }))
    })
  return {
    socket,
    got,
    call,
    publish: (topic, message, ttl = 300) => call('irn_publish', { topic, message, ttl, tag: 1108, prompt: true }),
    subscribe: (topic) => call('irn_subscribe', { topic }),
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.terminate()
      await closed
    },
  }
}
