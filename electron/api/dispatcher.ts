import tls from 'node:tls'
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopback } from '../../shared/api/host-url.ts'

/** Proxy variables as curl reads them. Passed in, so that a test can say what the environment is. */
export interface ProxyEnvironment {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  readonly noProxy: string | undefined
}

export const proxyEnvironment = (env: Readonly<Record<string, string | undefined>>): ProxyEnvironment => ({
  // `HTTP_PROXY` in capitals is what a CGI server sets from a request header; this is no server, so both count.
  httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  noProxy: env.no_proxy ?? env.NO_PROXY,
})

/**
 * Node's own certificate authorities and the system's, so that a company's proxy certificate is accepted where the
 * system accepts it. `getCACertificates` came with Node 22.15; without it Node's own stand alone.
 */
function trustedAuthorities(): { secureContext: tls.SecureContext } | Record<string, never> {
  if (typeof tls.getCACertificates !== 'function') return {}
  try {
    const ca = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    // One context for every connection: building it from 300 certificates takes tens of milliseconds.
    return { secureContext: tls.createSecureContext({ ca }) }
  } catch {
    return {}
  }
}

const pool = { connections: 8, pipelining: 1, allowH2: false, keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 } as const
const connectTimeoutMs = 5_000

/** The connections to one host, whatever origin a request names. Loopback is never proxied. */
export function createDispatcher(hostUrl: URL, proxy: ProxyEnvironment): Dispatcher {
  if (hostUrl.protocol === 'http:') return new Pool(hostUrl.origin, { ...pool, connect: { timeout: connectTimeoutMs } })
  const connect = { timeout: connectTimeoutMs, ...trustedAuthorities() }
  const proxied = proxy.httpsProxy ?? proxy.httpProxy
  if (proxied === undefined || isLoopback(hostUrl.hostname)) return new Pool(hostUrl.origin, { ...pool, connect })
  return new EnvHttpProxyAgent({
    ...pool,
    connect,
    requestTls: connect,
    proxyTls: connect,
    ...(proxy.httpProxy === undefined ? {} : { httpProxy: proxy.httpProxy }),
    ...(proxy.httpsProxy === undefined ? {} : { httpsProxy: proxy.httpsProxy }),
    ...(proxy.noProxy === undefined ? {} : { noProxy: proxy.noProxy }),
  })
}
