import type { LookupFunction } from 'node:net'
import { isLoopback } from '../../../shared/api/host-url.ts'
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts'
import type { LookUp } from './webhook-host.ts'

const thisComputer = ['127.0.0.1', '::1']

/**
 * Where a connection goes: the very addresses that were judged, so that a name cannot come to stand for another one in between. A name of this
 * computer means this computer; any other name has public addresses only. Asked for names, never for addresses.
 */
export const judgedLookup =
  (lookUp: LookUp): LookupFunction =>
  (host, options, done) => {
    const judge = async () => {
      const addresses = isLoopback(host) ? thisComputer : await lookUp(host)
      if (!isLoopback(host) && !(addresses.length > 0 && addresses.every(isPublicAddress)))
        throw Object.assign(new Error(`${host} is not public`), { code: 'ENOTPUBLIC' })
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    judge().then(
      (all) => (options.all === true ? done(null, all) : done(null, all[0]?.address ?? '', all[0]?.family)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
