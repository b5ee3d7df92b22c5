import type { Dispatcher } from 'undici'

/**
 * Rewrites the body of a successful response. A returned text is sent unchanged, any other value as JSON. `route`: method and path without the query,
 * for example `GET /api/dex/developer/keys`.
 */
export type Speaks = (route: string, body: unknown) => unknown

/** Buffers a successful response and passes on its body as rewritten by `retell`. */
function retold(handler: Dispatcher.DispatchHandler, retell: (said: string) => string): Dispatcher.DispatchHandler {
  let said: Buffer[] | null = null
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, message) => {
      const { 'content-length': _, ...rest } = headers
      said = status < 300 ? [] : null
      handler.onResponseStart?.(controller, status, said === null ? headers : rest, message)
    },
    onResponseData: (controller, chunk) => {
      if (said === null) handler.onResponseData?.(controller, chunk)
      else said.push(chunk)
    },
    onResponseEnd: (controller, trailers) => {
      if (said !== null) handler.onResponseData?.(controller, Buffer.from(retell(Buffer.concat(said).toString('utf8'))))
      handler.onResponseEnd?.(controller, trailers)
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }
}

/** A dispatcher with real connections that rewrites successful responses with `speaks`. */
export const inOtherManners = (dispatcher: Dispatcher, speaks: Speaks): Dispatcher =>
  dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(
        options,
        retold(handler, (said) => {
          const told = speaks(`${options.method} ${String(options.path).split('?')[0]}`, said === '' ? null : JSON.parse(said))
          return typeof told === 'string' ? told : JSON.stringify(told)
        }),
      ),
  )
