import { createPublicKey, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { createPostOffice, type Peer } from './post-office.ts'

export interface Relay {
  /** The relay's address, `ws://127.0.0.1:port`. It stays the same as long as the relay exists. */
  readonly url: string
  /**
   * Sets the only wallet that may use the relay, by the id of its WalletConnect client. All other clients can exchange messages only with this
   * wallet. Therefore a foreign wallet can neither see nor answer a proposal or a request (safety.md).
   */
  admitWallet(clientId: string): void
  /** With `true`, the relay accepts messages but does not deliver them. With `false`, it delivers the messages held back and all later ones. */
  hold(held: boolean): void
  /** With `false`, simulates an outage: stops listening and cuts every connection, but keeps the messages. With `true`, listens again. */
  setUp(up: boolean): Promise<void>
  /** Cuts every connection. Clients may reconnect at once. */
  dropSockets(): void
  stop(): Promise<void>
}

export interface RelayOptions {
  readonly clock: Clock
  /** The clock that WalletConnect clients use in their tokens: real time, which no test changes. */
  readonly peerClock: Clock
}

/** Interval of pings. A client drops a connection if it receives no ping for 35 s. */
const pingEveryMs = 20 * second
const maxFrameBytes = 4 * 1024 * 1024
const closeUnauthorized = 3_000

/** A WalletConnect relay on loopback. Accepts any project id, because practice needs no account. */
export async function startRelay({ clock, peerClock }: RelayOptions): Promise<Relay> {
  const office = createPostOffice(clock)
  const sockets = new Set<WebSocket>()
  let server = await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port')
  const { port } = address
  const url = `ws://127.0.0.1:${port}`

  function accept(socket: WebSocket, request: IncomingMessage): void {
    socket.on('error', () => socket.terminate())
    const token = new URL(request.url ?? '/', url).searchParams.get('auth') ?? ''
    const client = authenticateClient(token, url, peerClock.now())
    if (!client.ok) {
      socket.close(closeUnauthorized, `Unauthorized: ${client.failure}`)
      return
    }
    const peer: Peer = { client: client.value, send: (frame) => socket.send(JSON.stringify(frame)) }
    sockets.add(socket)
    office.join(peer)
    socket.on('close', () => {
      sockets.delete(socket)
      office.leave(peer)
    })
    socket.on('message', (data) => {
      const frame = parseJson(String(data))
      // Disconnect a client that sends invalid JSON, because a WalletConnect client never does that.
      if (frame === undefined) socket.terminate()
      else office.receive(peer, frame)
    })
  }

  server.on('connection', accept)
  const pings = setInterval(() => {
    office.sweep()
    for (const socket of sockets) socket.ping()
  }, pingEveryMs)

  const dropSockets = () => {
    for (const socket of sockets) socket.terminate()
  }
  const close = async () => {
    dropSockets()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const isUp = () => server.address() !== null

  return {
    url,
    admitWallet: office.admitWallet,
    hold: office.hold,
    setUp: async (up) => {
      if (up === isUp()) return
      if (up) {
        server = await listen(port)
        server.on('connection', accept)
      } else await close()
    },
    dropSockets,
    stop: async () => {
      clearInterval(pings)
      if (isUp()) await close()
    },
  }
}

function listen(port: number): Promise<WebSocketServer> {
  return new Promise((resolve, reject) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: maxFrameBytes })
    server.once('listening', () => resolve(server))
    server.once('error', reject)
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Claims = z.object({ iss: z.string().startsWith('did:key:z'), aud: z.string(), exp: z.number() })

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const ed25519Prefix = [0xed, 0x01]

/**
 * Verifies the EdDSA token that a WalletConnect client puts into the relay’s URL.
 * @returns the client’s id (`did:key:z…`), or a short reason why the token is refused
 */
function authenticateClient(token: string, relayUrl: string, nowMs: number): Result<string, string> {
  const [head, body, signature, ...rest] = token.split('.')
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return fail('malformed token')
  const claims = Claims.safeParse(clientAuthParseJson(Buffer.from(body, 'base64url').toString()))
  if (!claims.success) return fail('malformed claims')
  const key = decodeBase58(claims.data.iss.slice('did:key:z'.length))
  if (key === null || key.length !== 34 || key[0] !== ed25519Prefix[0] || key[1] !== ed25519Prefix[1]) return fail('the issuer is not an Ed25519 key')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(2).toString('base64url') }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))) return fail('wrong signature')
  if (claims.data.aud !== relayUrl) return fail('meant for another relay')
  if (claims.data.exp * 1_000 < nowMs) return fail('expired token')
  return ok(claims.data.iss)
}

function clientAuthParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Decodes a base58 key of 34 bytes. Such a key never starts with a zero byte, so the decoder does not support leading zero bytes. */
function decodeBase58(text: string): Buffer | null {
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return null
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
