/** Proxy variables, in the form in which curl reads them. Passed as a parameter, so that tests can replace the environment. */
export interface ProxyEnvironment {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  readonly noProxy: string | undefined
}

export const proxyEnvironment = (env: Readonly<Record<string, string | undefined>>): ProxyEnvironment => ({
  // Also read `HTTP_PROXY` in capital letters. A CGI server must ignore it, because a request header can set it there. This app is no CGI server.
  httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? env.all_proxy ?? env.ALL_PROXY,
  noProxy: env.no_proxy ?? env.NO_PROXY,
})

/** Asks the system for the proxy of a URL; resolves in PAC notation, for example `PROXY proxy.test:3128; DIRECT`. */
type ResolveProxy = (url: string) => Promise<string>

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS5: 'socks5' }

/**
 * Finds the proxy for a host in the environment, or else in the system's proxy setting or script. The app does this when it connects to the host, so
 * it uses a changed system setting when it opens the profile again.
 */
export async function proxyFor(hostUrl: string, environment: ProxyEnvironment, resolve: ResolveProxy): Promise<ProxyEnvironment> {
  if (environment.httpProxy !== undefined || environment.httpsProxy !== undefined) return environment
  const answer = await resolve(hostUrl).catch(() => 'DIRECT')
  return { ...environment, httpsProxy: firstProxy(answer) }
}

/**
 * Returns the first proxy in the list; the others are only fallbacks. `undefined` if the list names no proxy, or if the app does not know the kind of
 * the first proxy.
 */
function firstProxy(answer: string): string | undefined {
  const [kind = '', address = ''] = (answer.split(';')[0] ?? '').trim().split(/\s+/)
  const scheme = schemes[kind.toUpperCase()]
  const url = scheme === undefined ? null : URL.parse(`${scheme}://${address}`)
  return url === null || url.hostname === '' ? undefined : url.href
}
