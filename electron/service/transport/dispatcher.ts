import tls from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopback } from '../../../shared/api/host-url.ts'
import type { ProxyEnvironment } from './system-proxy.ts'

/**
 * Node’s certificate authorities plus the system’s, so that the app accepts a company proxy’s certificate if the system does.
 * `getCACertificates` exists from Node 22.15. Older versions use only Node’s own.
 */
function trustedAuthorities(): { secureContext: tls.SecureContext } | Record<string, never> {
  if (typeof tls.getCACertificates !== 'function') return {}
  try {
    const ca = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
    // Create the context once for all connections: building it from 300 certificates takes tens of milliseconds.
    return { secureContext: tls.createSecureContext({ ca }) }
  } catch {
    return {}
  }
}

const pool = { connections: 8, pipelining: 1, allowH2: false, keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 } as const
const connectTimeoutMs = 5_000

/**
 * Connections to one host, without a proxy if it is on loopback. Refuses requests that name another host, because the connection pool would
 * send them to this one.
 */
export function createDispatcher(hostUrl: URL, proxy: ProxyEnvironment): Dispatcher {
  const { origin } = hostUrl
  if (isProxied(proxy) && !isLoopback(hostUrl.hostname)) return onlyTo(origin, throughProxy(proxy))
  const connect = hostUrl.protocol === 'http:' ? plainly : securely()
  return onlyTo(origin, new Pool(origin, { ...pool, connect }))
}

/** Connections to any host a request names, for an RPC whose address the user may change. Never uses a proxy for loopback. */
export function createOpenDispatcher(proxy: ProxyEnvironment): Dispatcher {
  return isProxied(proxy) ? throughProxy(proxy) : new Agent({ ...pool, connect: securely() })
}

const plainly = { timeout: connectTimeoutMs }
const securely = () => ({ timeout: connectTimeoutMs, ...trustedAuthorities() })
const isProxied = ({ httpProxy, httpsProxy }: ProxyEnvironment): boolean => httpProxy !== undefined || httpsProxy !== undefined

function throughProxy({ httpProxy, httpsProxy, noProxy }: ProxyEnvironment): Dispatcher {
  const connect = securely()
  return new EnvHttpProxyAgent({
    ...pool,
    connect,
    requestTls: connect,
    // Omit `proxyTls` for a SOCKS proxy: with it, undici would use TLS to connect to the proxy.
    ...(/^socks/i.test(httpsProxy ?? httpProxy ?? '') ? {} : { proxyTls: connect }),
    // Without this timeout, a proxy that accepts a connection but opens no tunnel would block each request for undici’s five minutes.
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: connectTimeoutMs }),
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: `${noProxy ?? ''},localhost,127.0.0.1,[::1]`,
  })
}

const onlyTo = (origin: string, dispatcher: Dispatcher): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => {
    if (options.origin !== origin) throw new Error(`Not a request for ${origin}`)
    return dispatch(options, handler)
  })
