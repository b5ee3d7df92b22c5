import type { Endpoint } from '../../../shared/api/endpoint.ts'
import type { KeyCredential, SessionCredential } from './api-client.ts'

export type Credential = SessionCredential | KeyCredential | null

/** Characters allowed in a header value; undici would refuse any other, or it would split the request. */
const headerSafe = /^[\x21-\x7e]+$/

/**
 * The header that carries the credential. `null` for a wrong credential (GEN-07): a key instead of a session, a session instead of a
 * key, any credential where none is allowed (AUTH-10), or a secret with the prefix of another kind (AUTH-09).
 * A key goes only into `X-Svc-API-Key`, never into a bearer header (AUTH-01), and only to the versioned root.
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
