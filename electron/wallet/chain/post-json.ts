import { type Dispatcher, request } from 'undici'
import { foreign } from '../../../shared/foreign/foreign.ts'
import type { PostJson } from './rpc.ts'

/** Over undici: no redirects, no cookies, a cap on the answer. `dispatcher` carries the system's proxy and certificates. */
export function createPostJson(dispatcher?: Dispatcher): PostJson {
  return async (url, body, { maxBytes, deadlineMs }) => {
    const signal = AbortSignal.timeout(deadlineMs)
    // A request that waits for its connection does not hear of the signal.
    const overdue = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const asked = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    })
    const answer = await Promise.race([asked, overdue])
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > maxBytes) {
        answer.body.destroy()
        throw new Error(`answer above ${maxBytes} bytes`)
      }
      chunks.push(bytes)
    }
    return { status: answer.statusCode, text: foreign(Buffer.concat(chunks).toString('utf8')) }
  }
}
