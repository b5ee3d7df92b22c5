/** What `/stream` answers where the service has none (Errors): nothing failed. */
export const streamOffCode = 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED'
export const streamRoute = 'GET /stream'

/** Whether a request ended as it was meant to: what it asked for came, or a probe of the stream was told that there is none. */
export const endedAsMeant = ({ endpoint, outcome }: { readonly endpoint: string; readonly outcome: string }): boolean =>
  outcome === 'ok' || (endpoint === streamRoute && outcome === streamOffCode)
