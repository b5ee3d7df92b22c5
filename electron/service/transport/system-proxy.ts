import type { ProxyEnvironment } from './dispatcher.ts'

/** Asks the system which proxy stands before a URL; answers in the notation of PAC scripts, for example `PROXY proxy.test:3128; DIRECT`. */
export type ResolveProxy = (url: string) => Promise<string>

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
