import tls from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopback } from '../../../shared/api/host-url.ts'

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

/** The connections to one host. A request that names another is refused, since a pool would send it to its own. Loopback is never proxied. */
export function createDispatcher(hostUrl: URL, proxy: ProxyEnvironment): Dispatcher {
  const { origin } = hostUrl
  if (isProxied(proxy) && !isLoopback(hostUrl.hostname)) return onlyTo(origin, throughProxy(proxy))
  const connect = hostUrl.protocol === 'http:' ? plainly : securely()
  return onlyTo(origin, new Pool(origin, { ...pool, connect }))
}

/** The connections to whatever host a request names, for an RPC whose address the user may change. Loopback is never proxied. */
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
    // undici would speak TLS to a SOCKS proxy, too.
    ...(/^socks/i.test(httpsProxy ?? httpProxy ?? '') ? {} : { proxyTls: connect }),
    // A proxy that takes a connection and opens no way would hold every request for undici's five minutes.
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

/** Asks the system which proxy stands before a URL; answers in the notation of PAC scripts, for example `PROXY proxy.test:3128; DIRECT`. */
type ResolveProxy = (url: string) => Promise<string>

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS5: 'socks5' }

/**
 * The proxy for a host: the one that the environment names, else the system's own setting or script. Asked when a host's connections are opened,
 * so a change of the system's counts from the next opening of the profile.
 */
export async function proxyFor(hostUrl: string, environment: ProxyEnvironment, resolve: ResolveProxy): Promise<ProxyEnvironment> {
  if (environment.httpProxy !== undefined || environment.httpsProxy !== undefined) return environment
  const answer = await resolve(hostUrl).catch(() => 'DIRECT')
  return { ...environment, httpsProxy: firstProxy(answer) }
}

/** Only the first that is named: the rest are for when it fails. undefined: none, or of a kind that is not known. */
function firstProxy(answer: string): string | undefined {
  const [kind = '', address = ''] = (answer.split(';')[0] ?? '').trim().split(/\s+/)
  const scheme = schemes[kind.toUpperCase()]
  const url = scheme === undefined ? null : URL.parse(`${scheme}://${address}`)
  return url === null || url.hostname === '' ? undefined : url.href
}
