import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../shared/time.ts'

/** A client’s connection to the relay. */
export interface Peer {
  /** The id of the WalletConnect client, which the relay has verified with the token in the connection URL. */
  readonly client: string
  send(frame: unknown): void
}

export interface PostOffice {
  join(peer: Peer): void
  leave(peer: Peer): void
  /** Handles a JSON-RPC frame from a client: a call, which the relay answers, or the confirmation of a message. */
  receive(peer: Peer, frame: unknown): void
  /** Sets the wallet that must be the sender or receiver of every message. Before that, the relay delivers nothing. */
  admitWallet(clientId: string): void
  hold(held: boolean): void
  sweep(): void
}

interface Subscriber {
  readonly topics: Set<string>
  /** Messages that the relay has pushed on this connection and that the client has not confirmed yet, by push id. */
  readonly pushed: Map<string, Letter>
  /**
   * Messages that the relay has already sent on this connection, so that it sends none twice. The client's next connection receives the messages that
   * the client has not confirmed.
   */
  readonly seen: WeakSet<Letter>
}

const methodNotFound = { code: -32_601, message: 'Method not found' }
const notTheWallet = { code: -32_600, message: 'Practice pairs only its own wallet' }

/** The relay's protocol without sockets: manages subscriptions and messages, and decides which client may receive which message. */
export function createPostOffice(clock: Clock): PostOffice {
  const subscribers = new Map<Peer, Subscriber>()
  const mailbox = createMailbox(clock)
  let wallet: string | null = null
  let held = false
  let pushes = 0

  function answer(peer: Peer, subscriber: Subscriber, call: RelayCall): void {
    const refused = call.method === 'wc_approveSession' && peer.client !== wallet
    peer.send({ id: call.id, jsonrpc: '2.0', ...(refused ? { error: notTheWallet } : { result: perform(peer, subscriber, call) }) })
  }

  function perform(peer: Peer, subscriber: Subscriber, { method, params }: RelayCall): unknown {
    const subscribe = (topic: string): string => {
      subscriber.topics.add(topic)
      setImmediate(() => deliver(topic))
      return subscriptionId(topic, peer.client)
    }
    const publish = (topic: string, message: string, { ttl, tag, attestation }: { ttl: number; tag: number; attestation?: string | undefined }) => {
      const letter: NewLetter = { topic, message, ttlSeconds: ttl, tag, attestation, from: peer.client }
      mailbox.put(letter)
      deliver(topic)
    }
    switch (method) {
      case 'irn_subscribe':
        return subscribe(params.topic)
      case 'irn_batchSubscribe':
        return params.topics.map(subscribe)
      case 'irn_unsubscribe':
        return subscriber.topics.delete(params.topic)
      case 'irn_batchUnsubscribe':
        for (const { topic } of params.subscriptions) subscriber.topics.delete(topic)
        return true
      case 'irn_publish':
        publish(params.topic, params.message, params)
        return true
      case 'irn_batchPublish':
        for (const publication of params.messages) publish(publication.topic, publication.message, publication)
        return true
      case 'irn_fetchMessages':
        return fetched(peer, [params.topic])
      case 'irn_batchFetchMessages':
        return fetched(peer, params.topics)
      case 'wc_proposeSession':
        // The app that proposes a pairing does not subscribe to the pairing topic itself, so subscribe it here.
        subscribe(params.pairingTopic)
        publish(params.pairingTopic, params.sessionProposal, { ttl: pairingTtl, tag: tags.sessionProposal, attestation: params.attestation })
        return true
      case 'wc_approveSession':
        // The wallet that approves a session does not subscribe to the session topic itself, so subscribe it here.
        subscribe(params.sessionTopic)
        publish(params.pairingTopic, params.sessionProposalResponse, { ttl: pairingTtl, tag: tags.sessionProposalResponse })
        publish(params.sessionTopic, params.sessionSettlementRequest, { ttl: pairingTtl, tag: tags.sessionSettlement })
        return true
    }
  }

  /** Returns the messages of a topic that this client may receive and has not confirmed. */
  const due = ({ client }: Peer, topic: string): Letter[] =>
    held || wallet === null ? [] : mailbox.waiting(topic, client).filter((letter) => letter.from === wallet || client === wallet)

  function fetched(peer: Peer, topics: readonly string[]): unknown {
    const messages = topics.flatMap((topic) => due(peer, topic)).map(({ topic, message, publishedAt, tag }) => ({ topic, message, publishedAt, tag }))
    return { messages, hasMore: false }
  }

  function deliver(topic: string): void {
    for (const [peer, subscriber] of subscribers) {
      if (!subscriber.topics.has(topic)) continue
      for (const letter of due(peer, topic)) {
        if (subscriber.seen.has(letter)) continue
        subscriber.seen.add(letter)
        pushes += 1
        const id = clock.now() * 1_000 + (pushes % 1_000)
        subscriber.pushed.set(String(id), letter)
        const { message, publishedAt, tag, attestation } = letter
        const params = { id: subscriptionId(topic, peer.client), data: { topic, message, publishedAt, tag, attestation } }
        peer.send({ id, jsonrpc: '2.0', method: 'irn_subscription', params })
      }
    }
  }

  const deliverAll = () => {
    for (const topic of mailbox.topics()) deliver(topic)
  }

  return {
    join: (peer) => {
      subscribers.set(peer, { topics: new Set(), pushed: new Map(), seen: new WeakSet() })
    },
    leave: (peer) => {
      subscribers.delete(peer)
    },
    receive: (peer, frame) => {
      const subscriber = subscribers.get(peer)
      if (subscriber === undefined) return
      const call = RelayCall.safeParse(frame)
      const other = AnyCall.safeParse(frame)
      if (call.success) answer(peer, subscriber, call.data)
      else if (other.success) peer.send({ id: other.data.id, jsonrpc: '2.0', error: methodNotFound })
      else confirm(peer, subscriber, frame)
    },
    admitWallet: (clientId) => {
      wallet = clientId
      deliverAll()
    },
    hold: (on) => {
      held = on
      deliverAll()
    },
    sweep: mailbox.sweep,
  }
}

function confirm({ client }: Peer, { pushed }: Subscriber, frame: unknown): void {
  const confirmation = Confirmation.safeParse(frame)
  if (!confirmation.success) return
  const id = String(confirmation.data.id)
  pushed.get(id)?.confirmedBy.add(client)
  pushed.delete(id)
}

const subscriptionId = (topic: string, client: string): string => createHash('sha256').update(topic).update(client).digest('hex')

const Topic = z.string().min(1).max(128)
const Publication = z.object({
  topic: Topic,
  message: z.string(),
  ttl: z.number().positive(),
  tag: z.number().default(0),
  attestation: z.string().optional(),
})
const JsonRpcId = z.union([z.number(), z.string()])

const call = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) => z.object({ id: JsonRpcId, method: z.literal(method), params })

/** The relay's methods, in the form in which WalletConnect clients of version 2.21 call them. */
const RelayCall = z.discriminatedUnion('method', [
  call('irn_subscribe', z.object({ topic: Topic })),
  call('irn_batchSubscribe', z.object({ topics: z.array(Topic) })),
  call('irn_unsubscribe', z.object({ topic: Topic })),
  call('irn_batchUnsubscribe', z.object({ subscriptions: z.array(z.object({ topic: Topic })) })),
  call('irn_publish', Publication),
  call('irn_batchPublish', z.object({ messages: z.array(Publication) })),
  call('irn_fetchMessages', z.object({ topic: Topic })),
  call('irn_batchFetchMessages', z.object({ topics: z.array(Topic) })),
  call('wc_proposeSession', z.object({ pairingTopic: Topic, sessionProposal: z.string(), attestation: z.string().optional() })),
  call('wc_approveSession', z.object({ pairingTopic: Topic, sessionTopic: Topic, sessionProposalResponse: z.string(), sessionSettlementRequest: z.string() })),
])
type RelayCall = z.infer<typeof RelayCall>

/** A call of a method that `RelayCall` does not list. The relay answers it with an error. */
const AnyCall = z.object({ id: JsonRpcId, method: z.string() })

const Confirmation = z.object({ id: JsonRpcId, result: z.unknown() })

/** WalletConnect's numbers for the kinds of messages that `wc_proposeSession` and `wc_approveSession` contain. */
const tags = { sessionProposal: 1100, sessionProposalResponse: 1101, sessionSettlement: 1102 } as const

const pairingTtl = 300

/** One encrypted message, which the relay cannot read. */
interface Letter {
  readonly topic: string
  readonly message: string
  readonly tag: number
  readonly attestation: string | undefined
  /** Publication time in Unix milliseconds. Each message of a topic has a later time than the previous one, so sorting by time restores the order. */
  readonly publishedAt: number
  readonly expiresAtMs: number
  readonly from: string
  readonly confirmedBy: Set<string>
}

interface NewLetter {
  readonly topic: string
  readonly message: string
  readonly ttlSeconds: number
  readonly tag: number
  readonly attestation: string | undefined
  readonly from: string
}

interface Mailbox {
  put(letter: NewLetter): void
  /** Returns the unexpired messages of a topic that `client` has neither sent nor confirmed, oldest first. */
  waiting(topic: string, client: string): Letter[]
  topics(): string[]
  sweep(): void
}

/** Keeps messages until they expire, so that a client gets them when it reconnects. */
function createMailbox(clock: Clock): Mailbox {
  const byTopic = new Map<string, Letter[]>()
  const alive = (letter: Letter) => letter.expiresAtMs > clock.now()
  return {
    put: ({ topic, message, ttlSeconds, tag, attestation, from }) => {
      const letters = byTopic.get(topic) ?? []
      // After a broken connection, a client publishes its last message again. Ignore the duplicate.
      if (letters.some((letter) => letter.message === message)) return
      const publishedAt = Math.max(clock.now(), (letters.at(-1)?.publishedAt ?? 0) + 1)
      const letter = { topic, message, tag, attestation, publishedAt, expiresAtMs: clock.now() + ttlSeconds * 1_000, from, confirmedBy: new Set<string>() }
      byTopic.set(topic, [...letters, letter])
    },
    waiting: (topic, client) => (byTopic.get(topic) ?? []).filter((letter) => alive(letter) && letter.from !== client && !letter.confirmedBy.has(client)),
    topics: () => [...byTopic.keys()],
    sweep: () => {
      for (const [topic, letters] of byTopic) {
        const kept = letters.filter(alive)
        if (kept.length > 0) byTopic.set(topic, kept)
        else byTopic.delete(topic)
      }
    },
  }
}
