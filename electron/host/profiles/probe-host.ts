import type { Dispatcher } from 'undici'
import { readErrorBody } from '../../../shared/api/error-body.ts'
import { type HostRefused, parseHostUrl } from '../../../shared/api/host-url.ts'
import type { Foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import { startOf } from '../../../shared/foreign/text.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { headerText, newRequestId } from '../../service/transport/request-headers.ts'
import { exchange, type WireOutcome } from '../../service/transport/transport.ts'

export interface ProbeParts {
  readonly clock: Clock
  /** Creates an HTTP client for one host. The probe closes the client when it ends. */
  readonly dispatcherFor: (hostUrl: URL) => Promise<Dispatcher>
  readonly version: string
}

const deadlineMs = 8 * second
/** How many characters of a response to search. The error code is near the start. */
const searchedCharacters = 65_536

/**
 * Finds out whether a host is a Svc exchange, without sending a credential. The versioned API must respond with `401 API_KEY_REQUIRED`
 * (Authentication 2). Also reads the router’s address from `/api/dex/config`, if present. Fails with `host_refused` and the reason.
 */
export function createHostProbe({ clock, dispatcherFor, version }: ProbeParts): (written: string) => Promise<Result<Output<'profiles.probe'>, HostRefused>> {
  return async (written) => {
    const roots = parseHostUrl(written)
    if (!roots.ok) return roots
    const { hostUrl } = roots.value
    const dispatcher = await dispatcherFor(new URL(hostUrl))
    const get = (path: string): Promise<WireOutcome> =>
      exchange(dispatcher, clock, {
        origin: hostUrl,
        path,
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': `Svc-Desk/${version}`, 'x-request-id': newRequestId() },
        body: null,
        endsAt: clock.monotonic() + deadlineMs,
        signal: undefined,
      })
    try {
      const started = clock.monotonic()
      const answer = await get('/api/dex/v1/meta')
      const latencyMs = Math.round(clock.monotonic() - started)
      const refusal = refusalOf(answer)
      if (refusal !== null) return fail(refusal)
      const router = routerOf(await get('/api/dex/config'))
      return ok({
        hostUrl,
        apiVersion: headerText(answer.headers['x-svc-api-version']),
        schema: headerText(answer.headers['x-svc-api-schema']),
        router,
        latencyMs,
      })
    } finally {
      await dispatcher.destroy()
    }
  }
}

function refusalOf(answer: WireOutcome): HostRefused | null {
  const refuse = (issue: HostRefused['issue'], detail: string | null): HostRefused => ({ kind: 'host_refused', issue, detail })
  if (answer.kind === 'lost') return refuse(answer.reason === 'tls' ? 'tls' : answer.reason === 'too_large' ? 'not_the_service' : 'unreachable', answer.detail)
  if (answer.status >= 300 && answer.status < 400) return refuse('redirects', headerText(answer.headers.location))
  const html = /^\s*text\/html/i.test(headerText(answer.headers['content-type']) ?? '') || /^\s*<(!doctype|html)/i.test(startOf(answer.text, 256))
  if (html) return refuse('answers_html', `status ${answer.status}`)
  if (answer.status >= 500) return refuse('unreachable', `status ${answer.status}`)
  if (answer.status === 401 && asksForKey(answer.text)) return null
  return refuse('not_the_service', `status ${answer.status}`)
}

/**
 * Whether a response contains the error code that asks for a key. The API document does not define the shape of errors, so the code may be in any
 * field and inside longer text, such as a problem document’s `type`: `https://docs.example/errors/api-key-required`.
 */
const asksForKey = (body: Foreign<string>): boolean =>
  readErrorBody(body).code === 'API_KEY_REQUIRED' || /(?<![a-z0-9])api[-_ ]?key[-_ ]?required(?![a-z0-9])/i.test(startOf(body, searchedCharacters))

/** The router’s address in the public configuration; null if it cannot be read. The app only shows the address; it does not become trusted. */
function routerOf(answer: WireOutcome): string | null {
  if (answer.kind === 'lost' || answer.status !== 200) return null
  const config = readJson(answer.text)
  const contracts = typeof config === 'object' && config !== null && 'contracts' in config ? config.contracts : null
  const router = typeof contracts === 'object' && contracts !== null && 'router' in contracts ? contracts.router : null
  return typeof router === 'string' && /^0x[0-9a-fA-F]{40}$/.test(router) ? router : null
}
