import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { fail, ok } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { ApiClient } from '../transport/api-client.ts'
import { classify, parseBody } from '../transport/classify.ts'
import { noteExchange } from '../transport/exchange-note.ts'
import { addressOf, type Hosts, hostNamed } from '../transport/hosts.ts'
import { credentialHeader, headersOf, newRequestId } from '../transport/request-headers.ts'
import { openEventStream } from '../transport/stream-transport.ts'
import type { ApiClientParts } from './client.ts'
import type { VitalSigns } from './vital-signs.ts'

export interface EventStreamParts {
  readonly clock: Clock
  readonly hosts: Hosts
  readonly vitalSigns: VitalSigns
  readonly userAgent: string
  readonly underWay: Set<() => void>
  readonly serviceTime: (ms: number) => number
  readonly onExchange: ApiClientParts['onExchange']
}

const openingMs = 10 * second

/**
 * Opens a stream with the same checks as for every call: credential, request id, request log and classification. Makes only one attempt; the caller
 * decides when to try again.
 */
export function createEventStreams(parts: EventStreamParts): { readonly open: ApiClient['openStream'] } {
  const { clock, hosts, vitalSigns, serviceTime } = parts
  const endpoint = endpoints.openStream
  return {
    open: async ({ credential, lastEventId, market }, listener) => {
      const header = credentialHeader(endpoint, credential)
      if (header === null) return fail({ failure: { kind: 'wrong_credential', route: endpoint.route }, retryAfterMs: null })
      const host = hosts.choose(endpoint, [])
      if (host === null)
        return fail({ failure: { kind: 'unreachable', reason: 'server_error', status: null, requestId: null, route: endpoint.route }, retryAfterMs: null })
      const address = addressOf(endpoint, {}, market === null ? {} : { pair_id: market.pairId, interval: market.interval })
      const sentRequestId = newRequestId()
      const extra = lastEventId === null ? undefined : { 'last-event-id': lastEventId }
      const headers = headersOf(header, extra, null, parts.userAgent, sentRequestId, 'text/event-stream')
      const started = clock.monotonic()
      const startedAtMs = clock.now()
      const wire = { origin: host.origin, path: address.path, method: address.method, headers, body: null, signal: undefined, underWay: parts.underWay }
      const outcome = await openEventStream(host.dispatcher, clock, { ...wire, endsAt: started + openingMs }, listener)
      const tookMs = clock.monotonic() - started

      const seen = outcome.kind === 'open' ? ({ ...outcome, kind: 'answer', text: foreign(''), bytes: 0 } as const) : outcome
      const { label, keyId, allowlist = [] } = credential
      const context = { endpoint, sentRequestId, keyLabel: label, keyId, allowlist, intentRef: null }
      const classified = classify(seen, parseBody(seen), context, serviceTime(clock.now()))
      if (seen.kind === 'answer')
        vitalSigns.answered(seen.headers, {
          receivedAtMs: seen.receivedAtMs,
          tookMs,
          versioned: true,
          healthy: classified.kind === 'success' || !classified.hostTrouble,
        })
      const record = {
        id: sentRequestId,
        atMs: serviceTime(startedAtMs),
        method: address.method,
        path: address.shownPath,
        endpoint: endpoint.route,
        status: outcome.status,
        ms: Math.round(tookMs),
        requestId: classified.requestId,
        outcome: classified.kind === 'success' ? 'ok' : classified.outcome,
        attempt: 1,
        intentRef: null,
        host: hostNamed(host),
      }
      const note = noteExchange({ endpoint, target: address.path, headers, credential: header, key: { id: keyId, label }, body: null, outcome: seen })
      // As for every call: if the wallet that owns the credential is unknown, store only the log line and not the response.
      parts.onExchange(record, credential.wallet ?? null, { callId: sentRequestId, exchange: credential.wallet === undefined ? null : note })

      if (outcome.kind === 'open') return ok(outcome.stream)
      if (classified.kind === 'failure') return fail({ failure: classified.failure, retryAfterMs: classified.retryAfterMs })
      // The service answered with a response that is not an event stream.
      return fail({
        failure: { kind: 'unreachable', reason: 'malformed', status: outcome.status, requestId: classified.requestId, route: endpoint.route },
        retryAfterMs: null,
      })
    },
  }
}
