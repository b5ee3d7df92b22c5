import tls from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopback } from '../../../shared/api/host-url.ts'

/** Proxy variables as curl reads them. A parameter, so that tests can set the environment. */
export interface ProxyEnvironment {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  readonly noProxy: string | undefined
}

export const proxyEnvironment = (env: Readonly<Record<string, string | undefined>>): ProxyEnvironment => ({
  // The app also reads `HTTP_PROXY` in capitals. Only CGI servers must ignore it, because a request header can set it there.
  httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  noProxy: env.no_proxy ?? env.NO_PROXY,
})

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
    // Otherwise, a proxy that accepts a connection but opens no tunnel would block each request for undici’s five minutes.
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

/** Asks the system for the proxy of a URL; resolves in PAC notation, for example `PROXY proxy.test:3128; DIRECT`. */
type ResolveProxy = (url: string) => Promise<string>

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS5: 'socks5' }

/**
 * Finds the proxy for a host: from the environment, else from the system's setting or script. The app asks when it connects to a host. A
 * changed system setting therefore applies when the profile is opened next.
 */
export async function proxyFor(hostUrl: string, environment: ProxyEnvironment, resolve: ResolveProxy): Promise<ProxyEnvironment> {
  if (environment.httpProxy !== undefined || environment.httpsProxy !== undefined) return environment
  const answer = await resolve(hostUrl).catch(() => 'DIRECT')
  return { ...environment, httpsProxy: firstProxy(answer) }
}

/** Returns the first proxy in the list, because the others are only fallbacks. `undefined` if there is none or its kind is unknown. */
function firstProxy(answer: string): string | undefined {
  const [kind = '', address = ''] = (answer.split(';')[0] ?? '').trim().split(/\s+/)
  const scheme = schemes[kind.toUpperCase()]
  const url = scheme === undefined ? null : URL.parse(`${scheme}://${address}`)
  return url === null || url.hostname === '' ? undefined : url.href
}
