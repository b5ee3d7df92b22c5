import type { Dispatcher } from 'undici'

/**
 * What the service says in place of an answer of success: a value as JSON, or text as it is. `route` is a method and a path without its query,
 * as `GET /api/dex/developer/keys`.
 */
export type Speaks = (route: string, body: unknown) => unknown

/** Hands an answer of success on in other words, once it is whole. */
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

/** A service in other words: requests go over real connections to the practice exchange, and its answers of success are said again. */
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
