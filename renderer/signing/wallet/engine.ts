import { signingText } from '../../text/en/signing.en.tsx'
/** A message from the wallet in an open session. If the message is an event, such as `chainChanged`, it has a name. */
export interface SessionMessage {
  readonly params: object & { readonly event?: { readonly name: string } }
}

type Handle = (topic: string, message: SessionMessage) => Promise<void>
/** A validation function of the library. Rejects messages that the session does not allow, such as an event of a chain outside the session. */
type Check = (params: object) => Promise<void>

/** The parts of WalletConnect's engine that the app uses. The library's public types hide them (@walletconnect/sign-client 2.21). */
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
 * Makes WalletConnect's engine drop messages that fail the engine's own validation. By default, the engine uses a message without waiting for its
 * validation, and a failure becomes an uncaught rejection.
 * Any wallet can cause this, because messages sent close together may arrive out of order: a message after the disconnect, or an event before its
 * session.
 * An event that arrives too early is kept until the next update of its session. Only the newest event per name is kept.
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
 * Ends the library's wait for an answer to a request that the app gave up. Otherwise the library's own timeout ends the wait with two rejections,
 * and one of them cannot be caught.
 * The library needs a listener for a late answer. That listener only passes the answer to `onLate`.
 */
export function withdrawRequest({ events }: Pick<Engine, 'events'>, id: number, onLate: (answer: unknown) => void): void {
  const target = `session_request:${id}`
  events.emit(target, { error: { code: 4001, message: signingText.noLongerAwaited } })
  events.once(target, ({ result }) => {
    if (result !== undefined) onLate(result)
  })
}

/** The part of the WalletConnect client's message history that the app uses. */
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
 * Calls `listener` once, when the library records the next wallet request in its history; returns a function that stops listening. The library's own
 * "sent" event comes too late: it waits for the relay's confirmation, when the phone may already show the request.
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

/** The part of the WalletConnect client that the app uses to withdraw pairing codes. */
export interface Proposals {
  readonly proposal: { getAll(): readonly { readonly id: number }[] }
  readonly events: { emit(event: 'proposal_expire', detail: { readonly id: number }): boolean }
}

/**
 * Tracks the pairing codes that no wallet has answered, and withdraws them when they expire or a new code replaces them. Otherwise each code would
 * end in library rejections that cannot be caught. The list is separate from the library's, because the library drops a code before it reports the
 * expiry.
 */
export function openCodes({ proposal, events }: Proposals) {
  const open = new Set<number>()
  return {
    /** Adds the library's unanswered pairing codes to the list. Call this while a code is on screen. */
    note: (): void => {
      for (const { id } of proposal.getAll()) open.add(id)
    },
    withdraw: (): void => {
      for (const id of open) events.emit('proposal_expire', { id })
      open.clear()
    },
  }
}
