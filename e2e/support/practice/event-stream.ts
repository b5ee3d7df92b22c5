export interface ReceivedEvent {
  readonly id: string | null
  readonly event: string
  readonly data: Record<string, unknown>
}

/** A connection to `/stream`, whose events are read as they arrive. */
export interface EventStream {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly ReceivedEvent[]
  /** Resolves with all events that satisfy `fits`, once there are at least `count` of them. */
  until(fits: (event: ReceivedEvent) => boolean, count?: number): Promise<ReceivedEvent[]>
  /** Resolves when the connection has ended: `ended` if the server closed it, `cut` if it broke. */
  readonly ended: Promise<'ended' | 'cut'>
  close(): void
}

export async function openStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const events: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  const read = async (): Promise<'ended' | 'cut'> => {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
        rest = blocks.pop() ?? ''
        events.push(...blocks.map(parse))
        for (const look of waiting) look()
      }
      return 'ended'
    } catch {
      return 'cut'
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    until: (fits, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.filter(fits)
          if (found.length < count) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    ended: read(),
    close: () => abort.abort(),
  }
}

function parse(block: string): ReceivedEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  return { id: field('id'), event: field('event') ?? 'message', data: JSON.parse(field('data') ?? '{}') as Record<string, unknown> }
}
