import { signingText } from '../../text/en/signing.en.tsx'
/** What a wallet sends of a session that stands; an event, such as `chainChanged`, has a name. */
export interface SessionMessage {
  readonly params: object & { readonly event?: { readonly name: string } }
}

type Handle = (topic: string, message: SessionMessage) => Promise<void>
/** Rejects what the session does not allow, such as an event of a chain that it does not share, and all that comes of a session that is over. */
type Check = (params: object) => Promise<void>

/** What is used of WalletConnect's engine beyond its types, which hide all but its public calls (@walletconnect/sign-client 2.21). */
export interface Engine {
  readonly events: {
    emit(target: string, answer: { readonly error: { readonly code: number; readonly message: string } }): boolean
    once(target: string, listener: (answer: { readonly result?: unknown }) => void): unknown
  }
  onSessionUpdateRequest: Handle
  onSessionExtendRequest: Handle
  onSessionPingRequest: Handle
  onSessionDeleteRequest: Handle
  onSessionEventRequest: Handle
  isValidUpdate: Check
  isValidExtend: Check
  isValidPing: Check
  isValidDisconnect: Check
  isValidEmit: Check
}

const passes = (check: Promise<void>): Promise<boolean> =>
  check.then(
    () => true,
    () => false,
  )

const checks = {
  onSessionUpdateRequest: 'isValidUpdate',
  onSessionExtendRequest: 'isValidExtend',
  onSessionPingRequest: 'isValidPing',
  onSessionDeleteRequest: 'isValidDisconnect',
  onSessionEventRequest: 'isValidEmit',
} as const satisfies Partial<Record<keyof Engine, keyof Engine>>
const handlers = ['onSessionUpdateRequest', 'onSessionExtendRequest', 'onSessionPingRequest', 'onSessionDeleteRequest', 'onSessionEventRequest'] as const

/**
 * The library checks each of these messages and does not wait for the check: one that fails is an error that nobody catches, and the message
 * is taken all the same. It comes to that with any wallet, since messages that were sent close upon each other may be read in another order:
 * what was sent before the wallet hung up comes after it, and an event before the session that it speaks of. Here what does not pass is
 * dropped, but for an event: it waits for the next change of its session, and of several of a name the newest counts.
 */
export function heedChecks(engine: Engine): void {
  const early = new Map<string, { readonly topic: string; readonly message: SessionMessage }>()
  for (const name of handlers) {
    const handle = engine[name]
    engine[name] = async (topic, message) => {
      if (await passes(engine[checks[name]]({ ...message.params, topic }))) await handle(topic, message)
      else if (name === 'onSessionEventRequest') early.set(message.params.event?.name ?? '', { topic, message })
    }
  }
  const update = engine.onSessionUpdateRequest
  engine.onSessionUpdateRequest = async (topic, message) => {
    await update(topic, message)
    const waiting = [...early.values()].filter((event) => event.topic === topic)
    early.clear()
    for (const event of waiting) await engine.onSessionEventRequest(topic, event.message)
  }
}

/**
 * Ends the wait for a request that nobody waits for any more. Left to itself the library ends it when its own time is over, by two rejections
 * of which nobody can hear one. A late answer of the wallet finds a listener, as the library demands, and is not the answer to the request.
 */
export function withdrawRequest({ events }: Pick<Engine, 'events'>, id: number, onLate: (answer: unknown) => void): void {
  const target = `session_request:${id}`
  events.emit(target, { error: { code: 4001, message: signingText.noLongerWaitedFor } })
  events.once(target, ({ result }) => {
    if (result !== undefined) onLate(result)
  })
}

/** What is used of the client's history of messages. */
export interface Messages {
  on(event: 'history_created', listener: (record: WrittenMessage) => void): unknown
  removeListener(event: 'history_created', listener: (record: WrittenMessage) => void): unknown
}

export interface WrittenMessage {
  readonly id: number
  readonly topic: string
  readonly request: { readonly method: string; readonly params?: unknown }
}

function walletMethod({ method, params }: WrittenMessage['request']): string | null {
  if (method !== 'wc_sessionRequest' || typeof params !== 'object' || params === null || !('request' in params)) return null
  const { request } = params
  return typeof request === 'object' && request !== null && 'method' in request && typeof request.method === 'string' ? request.method : null
}

/**
 * Calls back once for the next request to the wallet; gives the way to stop. The library writes a message down before it publishes it and
 * reports it as sent only when the relay has confirmed it: by then the phone may show it already.
 */
export function hearRequest(
  messages: Messages,
  listener: (sent: { readonly topic: string; readonly id: number; readonly method: string }) => void,
): () => void {
  const stop = () => messages.removeListener('history_created', heard)
  const heard = ({ id, topic, request }: WrittenMessage) => {
    const method = walletMethod(request)
    if (method === null) return
    stop()
    listener({ topic, id, method })
  }
  messages.on('history_created', heard)
  return stop
}

/** What is used of the client to take codes back. */
export interface Proposals {
  readonly proposal: { getAll(): readonly { readonly id: number }[] }
  readonly events: { emit(event: 'proposal_expire', detail: { readonly id: number }): boolean }
}

/**
 * The codes that no wallet has answered, and the way to take them back: a new one comes in their place, or their time is over. For the same
 * reason as a request. They are remembered, since the library forgets one some time before it says so.
 */
export function openCodes({ proposal, events }: Proposals) {
  const open = new Set<number>()
  return {
    /** To be called while a code is shown. */
    note: (): void => {
      for (const { id } of proposal.getAll()) open.add(id)
    },
    withdraw: (): void => {
      for (const id of open) events.emit('proposal_expire', { id })
      open.clear()
    },
  }
}
