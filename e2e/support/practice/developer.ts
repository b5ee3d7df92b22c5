import type { PrivateKeyAccount } from 'viem/accounts'
import { type Answer, type Bench, bearer, keyHeader } from './start.ts'

/** A signed-in developer who calls the routes exactly as the API document describes them. */
export interface Developer {
  /**
   * Calls a route, for example `call('PUT /api/dex/developer/keys/key_1/expiry', { expires_in_days: 30 })`. First advances the clock by a second,
   * because the service allows only ten calls a second.
   */
  call(route: string, body?: unknown): Promise<Answer>
  create(body?: unknown): Promise<Answer>
  /** Calls a versioned route (`/api/v1`) with this API key. Returns `200`, or the status and error code. */
  outcome(apiKey: string): Promise<string>
}

export async function openDeveloper(bench: Bench, wallet?: PrivateKeyAccount): Promise<Developer> {
  bench.clock.advance(1_000)
  const session = await bench.signIn(wallet)
  const call: Developer['call'] = (route, body) => {
    bench.clock.advance(1_000)
    return bench.call(route, { ...bearer(session), ...(body !== undefined && { body }) })
  }
  return {
    call,
    create: (body = {}) => call('POST /api/dex/developer/keys', body),
    outcome: async (apiKey) => brief(await bench.call('GET /api/dex/v1/status', keyHeader(apiKey))),
  }
}

/** Formats an answer as `200` or `409 KEY_NOT_ACTIVE`. */
export function brief({ status, json }: Answer): string {
  const code = typeof json === 'object' && json !== null && 'error' in json ? Reflect.get(Object(json.error), 'code') : undefined
  return code === undefined ? String(status) : `${status} ${code}`
}
