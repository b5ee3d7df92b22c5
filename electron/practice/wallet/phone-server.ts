import { z } from 'zod'
import type { PhoneAnswer } from '../../../shared/practice.ts'
import { second } from '../../../shared/time.ts'
import { badRequest, done, type LoopbackServer, notFound, serveOnLoopback } from '../loopback-server.ts'
import type { Phone } from './phone.ts'

const longPollMs = 25 * second

/** The phone's interface for its own window; see `PhoneAnswer` for its three calls. */
export const servePhone = (phone: Phone, token: string): Promise<LoopbackServer> =>
  serveOnLoopback(token, async ({ method, url, body, gone }) => {
    const current = (): { status: number; body: PhoneAnswer } => ({ status: 200, body: { revision: phone.revision(), state: phone.state() } })
    if (method === 'GET' && url.pathname === '/state') {
      const since = url.searchParams.get('since')
      if (since !== null && Number(since) === phone.revision()) await nextChange(phone, gone)
      return current()
    }
    if (method === 'POST' && url.pathname === '/pair') {
      const read = z.object({ uri: z.string().startsWith('wc:').max(2_048) }).safeParse(body)
      if (!read.success) return badRequest
      await phone.pair(read.data.uri)
      return done
    }
    const [, id, action] = /^\/requests\/([^/]+)\/(approve|reject)$/.exec(url.pathname) ?? []
    if (method !== 'POST' || id === undefined) return notFound
    const settled = action === 'approve' ? await phone.approve(id) : await phone.reject(id)
    return settled ? done : { status: 410, body: { error: 'the request is not waiting any more' } }
  })

function nextChange(phone: Phone, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      gone.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, longPollMs)
    const unsubscribe = phone.onChange(end)
    gone.addEventListener('abort', end)
  })
}
