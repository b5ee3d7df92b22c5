export interface Call {
  readonly method: string
  /** The route as the API document writes it, with its full path, for example `/api/dex/v1/markets/{pair_id}/funding`. `-` if no route matched. */
  readonly route: string
  readonly path: string
  /** The status code of the response; 0 if the server cut the connection without a response. */
  readonly status: number
  readonly userAgent: string | null
  readonly atMs: number
  readonly requestId: string
  readonly action: string | null
}

const kept = 20_000

export interface CallLog {
  add(call: Call): void
  all(): Call[]
}

export function createCallLog(): CallLog {
  const calls: Call[] = []
  return {
    add: (call) => {
      calls.push(call)
      if (calls.length > kept) calls.splice(0, calls.length - kept)
    },
    all: () => [...calls],
  }
}
