import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { KeyCredential, SessionCredential } from './api-client.ts'

const addedHeaders: readonly string[] = ['idempotency-key', 'last-event-id']

/**
 * Builds the headers of a request: the credential, the app's own headers, and the headers that a caller may add. Throws if a caller adds any other
 * header, which would be a bug.
 */
export function headersOf(
  credential: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> | undefined,
  body: string | null,
  userAgent: string,
  requestId: string,
  accept = 'application/json',
): Record<string, string> {
  const headers: Record<string, string> = {
    ...credential,
    accept,
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    'x-request-id': requestId,
  }
  if (body !== null) headers['content-type'] = 'application/json; charset=utf-8'
  if (extra === undefined) return headers
  for (const [name, value] of Object.entries(extra)) {
    if (!addedHeaders.includes(name.toLowerCase())) throw new Error(`Not a header that a caller may add: ${name}`)
    headers[name.toLowerCase()] = value
  }
  return headers
}

export const headerText = (value: string | string[] | undefined): string | null => (Array.isArray(value) ? (value[0] ?? null) : (value ?? null))

/**
 * Creates a request id: `dsk-` and 12 hex digits. The API document (Service 9) allows 8 to 80 characters of `A-Za-z0-9._:-`.
 * Uses the last group of a random UUID, which has 48 random bits. Node generates UUIDs in bulk, so this is ten times as fast as six random bytes.
 */
export const newRequestId = (): string => `dsk-${randomUUID().slice(-12)}`

export type Credential = SessionCredential | KeyCredential | null

/** Characters that a credential may contain in a header. undici refuses some other characters, and a line break would split the request. */
const headerSafe = /^[\x21-\x7e]+$/

/**
 * Returns the header with the credential; `null` if the endpoint does not accept the credential (GEN-07).
 * Refuses a key where a session is required, and a session where a key is required. Refuses any credential where none is allowed (AUTH-10), or if it
 * has the prefix of another kind (AUTH-09).
 * A key is only ever sent as `X-Svc-API-Key`, never as a bearer token (AUTH-01), and only to versioned routes.
 */
export function credentialHeader(endpoint: Endpoint, credential: Credential): Readonly<Record<string, string>> | null {
  switch (endpoint.credential) {
    case 'none':
      return credential === null ? {} : null
    case 'session': {
      if (credential?.kind !== 'session' || endpoint.root !== 'host') return null
      const bearer = credential.bearer.reveal()
      return bearer.startsWith('svcds1.') && headerSafe.test(bearer) ? { authorization: `Bearer ${bearer}` } : null
    }
    case 'key': {
      if (credential?.kind !== 'key' || endpoint.root !== 'base') return null
      const key = credential.apiKey.reveal()
      return key.startsWith('SVC') && headerSafe.test(key) ? { 'x-svc-api-key': key } : null
    }
  }
}
