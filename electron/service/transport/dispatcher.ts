import tls from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopback } from '../../../shared/api/host-url.ts'
import type { ProxyEnvironment } from './system-proxy.ts'

/**
 * The certificate authorities of Node and of the system. With both, the app accepts the certificate of a company's proxy if the system accepts it.
 * `getCACertificates` exists from Node 22.15 on. An older version uses only Node's authorities.
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
 * Connects to one host. Uses no proxy if the host is on loopback. Refuses a request that names another host, because the connection pool would send
 * it to this host.
 */
export function createDispatcher(hostUrl: URL, proxy: ProxyEnvironment): Dispatcher {
  const { origin } = hostUrl
  if (isProxied(proxy) && !isLoopback(hostUrl.hostname)) return onlyTo(origin, throughProxy(proxy))
  const connect = hostUrl.protocol === 'http:' ? plainly : securely()
  return onlyTo(origin, new Pool(origin, { ...pool, connect }))
}

/** The connections to one host: those of the app, and those of bots. With connections of their own, bots never delay an exit of the user. */
export const createDispatchers = (hostUrl: URL, proxy: ProxyEnvironment) => ({
  dispatcher: createDispatcher(hostUrl, proxy),
  botDispatcher: createDispatcher(hostUrl, proxy),
})

/** Connects to any host that a request names, for an RPC node whose address the user may change. Never uses a proxy for loopback. */
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
    // Omit `proxyTls` for a SOCKS proxy. Otherwise, undici would connect to the proxy over TLS.
    ...(/^socks/i.test(httpsProxy ?? httpProxy ?? '') ? {} : { proxyTls: connect }),
    // A proxy may accept a connection but open no tunnel. Without this timeout, such a proxy would block each request for undici's five minutes.
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
