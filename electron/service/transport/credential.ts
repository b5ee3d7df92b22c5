import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { KeyCredential, SessionCredential } from './api-client.ts'

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
