/** Responds to requests for a custom scheme, as registered with `protocol.handle`. */
export type SchemeHandler = (request: Request) => Response | Promise<Response>

interface Scheme {
  handler?: SchemeHandler
}

const DOMAIN = '-scheme.test'

/**
 * Chromium cannot add a scheme at run time, so it loads `app://bundle/x` as `https://bundle.app-scheme.test/x` (a `.test` name never resolves). The
 * app’s handler responds to every such request and sees the `app://` address. A persistent partition has its own host names, and therefore its own
 * storage.
 */
export class Schemes {
  readonly #schemes = new Map<string, Scheme>()

  register(scheme: string): void {
    this.#schemes.set(scheme, this.#schemes.get(scheme) ?? {})
  }

  handle(scheme: string, handler: SchemeHandler): void {
    if (this.handler(scheme) !== undefined) throw new Error('The scheme has been registered')
    this.#schemes.set(scheme, { handler })
  }

  unhandle(scheme: string): void {
    this.#schemes.set(scheme, {})
  }

  handler(scheme: string): SchemeHandler | undefined {
    return this.#schemes.get(scheme)?.handler
  }

  /** Converts one of the app’s URLs to the address that Chromium loads. */
  toChromium(url: string, partition = ''): string {
    const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
    if (!this.#schemes.has(scheme.toLowerCase())) return url
    const address = `https://${host || '_'}.${scheme.toLowerCase()}${partition && `.${partition}`}${DOMAIN}${rest || '/'}`
    return URL.parse(address)?.href ?? address
  }

  /** Converts an address that Chromium loads to the app’s URL. */
  toApp(url: string): string {
    const [, host, scheme = '', rest = ''] = /^https:\/\/([^/?#]+?)\.([a-z][a-z0-9+-]*)(?:\.p[0-9a-f]{16})?-scheme\.test(.*)$/i.exec(url) ?? []
    return this.#schemes.has(scheme) ? `${scheme}://${host === '_' ? '' : host}${rest}` : url
  }

  /**
   * Translates a content security policy for Chromium. The app’s policy allows sources under `app:`, but Chromium loads them from https addresses.
   */
  policyToChromium(policy: string, partition = ''): string {
    const domain = `${partition && `.${partition}`}${DOMAIN}`
    let translated = policy
    for (const scheme of this.#schemes.keys()) {
      translated = translated
        .replace(new RegExp(`(^|[\\s;])${scheme}://([^\\s;/]+)`, 'g'), (_, before: string, host: string) => `${before}https://${host}.${scheme}${domain}`)
        .replace(new RegExp(`(^|[\\s;])${scheme}:(?=[\\s;]|$)`, 'g'), `$1https://*.${scheme}${domain}`)
    }
    return translated
  }

  /** Patterns of every address that belongs to a custom scheme, in DevTools' notation. */
  readonly pattern = `https://*${DOMAIN}/*`
}
