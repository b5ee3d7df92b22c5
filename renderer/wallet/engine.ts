/** What a phone says of itself beside its session, such as `chainChanged`. */
export interface SessionEvent {
  readonly params: { readonly event: { readonly name: string }; readonly chainId: string }
}

/** What is used of WalletConnect's engine beyond its types, which hide all but its public calls (@walletconnect/sign-client 2.21). */
export interface Engine {
  readonly events: {
    emit(target: string, answer: { readonly error: { readonly code: number; readonly message: string } }): boolean
    once(target: string, listener: () => void): unknown
  }
  onSessionUpdateRequest(topic: string, payload: unknown): Promise<void>
  onSessionEventRequest(topic: string, payload: SessionEvent): Promise<void>
  /** Rejects what the session does not allow, such as an event for a chain that it does not share. */
  isValidEmit(event: object): Promise<void>
}

/**
 * A phone that changes its account or chain sends the changed session and, close upon it, the event that names the change. The library works
 * on both at once, and may even read the event first: it looks it up in the session of before, lets that error go uncaught, and takes the
 * event all the same. Here an event waits for the sessions before it, and one that the session does not allow waits for the next one; of
 * several of a name the newest counts.
 */
export function orderSessionEvents(engine: Engine): void {
  const update = engine.onSessionUpdateRequest
  const take = engine.onSessionEventRequest
  const early = new Map<string, { readonly topic: string; readonly payload: SessionEvent }>()
  let updated: Promise<unknown> = Promise.resolve()

  const takeIfAllowed = async (topic: string, payload: SessionEvent) => {
    const allowed = await engine.isValidEmit({ topic, ...payload.params }).then(
      () => true,
      () => false,
    )
    if (allowed) await take(topic, payload)
    else early.set(payload.params.event.name, { topic, payload })
  }
  const takeEarly = async () => {
    const waiting = [...early.values()]
    early.clear()
    for (const { topic, payload } of waiting) await takeIfAllowed(topic, payload)
  }
  engine.onSessionUpdateRequest = (topic, payload) => {
    const done = update(topic, payload)
    updated = Promise.allSettled([updated, done]).then(takeEarly)
    return done
  }
  engine.onSessionEventRequest = async (topic, payload) => {
    await updated
    await takeIfAllowed(topic, payload)
  }
}

/**
 * Ends the wait for a request that nobody waits for any more. Left to itself the library ends it when its own time is over, by two rejections
 * of which nobody can hear one. A late answer of the wallet finds a listener, as the library demands, and is not used.
 */
export function withdrawRequest({ events }: Pick<Engine, 'events'>, id: number): void {
  const target = `session_request:${id}`
  events.emit(target, { error: { code: 4001, message: 'No longer waited for' } })
  events.once(target, () => undefined)
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
