import { signingText } from '../../text/en/signing.en.tsx'
/** A wallet's message in an open session; an event such as `chainChanged` has a name. */
export interface SessionMessage {
  readonly params: object & { readonly event?: { readonly name: string } }
}

type Handle = (topic: string, message: SessionMessage) => Promise<void>
/** Rejects messages that the session does not allow, such as an event of a chain outside the session, or any message of an ended session. */
type Check = (params: object) => Promise<void>

/** The parts of WalletConnect's engine that the app uses but its public types hide (@walletconnect/sign-client 2.21). */
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
 * Makes WalletConnect's engine drop messages that fail its own check. By default the engine does not wait for the check: it uses the message anyway,
 * and the failure becomes an uncaught rejection.
 * This happens with any wallet, because messages sent close together may arrive out of order. A message may arrive after the disconnect, or an
 * event before its session.
 * An event that came too early is kept until the session's next update. Only the newest event per name is kept.
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
 * Ends the wait for a request no longer needed. Otherwise the library ends it at its own timeout with two rejections, one of which cannot be caught.
 * A late answer still finds a listener, as the library requires, but does not answer the request.
 */
export function withdrawRequest({ events }: Pick<Engine, 'events'>, id: number, onLate: (answer: unknown) => void): void {
  const target = `session_request:${id}`
  events.emit(target, { error: { code: 4001, message: signingText.noLongerAwaited } })
  events.once(target, ({ result }) => {
    if (result !== undefined) onLate(result)
  })
}

/** The part of the client's message history that the app uses. */
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
 * Tracks the pairing codes that no wallet has answered, to withdraw them when they expire or a new code replaces them. Otherwise the library would
 * end each one in rejections that cannot be caught. This list is separate because the library drops a code before it reports the expiry.
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
