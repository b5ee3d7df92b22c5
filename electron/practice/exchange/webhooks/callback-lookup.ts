import type { LookupFunction } from 'node:net'
import { type CallbackUrl, isLoopback, isPublic, type Resolve } from './callback-url.ts'

const thisComputer = ['127.0.0.1', '::1']

/**
 * Where a delivery connects to: the addresses that the host has by now, under the rule that held at the subscription. A name that has come to
 * stand for an address of another kind is refused. Asked for names only; addresses in the URL were looked at then.
 */
export const lookupFor =
  ({ loopback }: Pick<CallbackUrl, 'loopback'>, resolve: Resolve): LookupFunction =>
  (host, options, done) => {
    const found = async () => {
      const addresses = loopback ? thisComputer : await resolve(host)
      const wrong = addresses.find((address) => !(loopback ? isLoopback : isPublic)(address))
      if (addresses.length === 0) throw new Error(`${host} has no address`)
      if (wrong !== undefined) throw new Error(`${host} resolves to ${wrong}, which is not a public address`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    found().then(
      (all) => (options.all === true ? done(null, all) : done(null, all[0]?.address ?? '', all[0]?.family ?? 4)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
