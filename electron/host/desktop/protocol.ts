import { protocol } from 'electron'
import { type BundleParts, createBundleResponder } from './bundle-file.ts'

/** Registers the scheme `app:` as secure, with its own storage, like `https:`. Call before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

interface ServedParts extends BundleParts {
  /** Handles requests to hosts other than `bundle`. Key: the host’s name. */
  readonly hosts: Readonly<Record<string, (request: Request) => Response>>
}

/** Serves the pages under `app://bundle`, and single pages under hosts of their own. */
export function serveBundle({ hosts, ...parts }: ServedParts): void {
  const bundle = createBundleResponder(parts)
  const others = new Map(Object.entries(hosts))
  protocol.handle('app', (request) => (others.get(URL.parse(request.url)?.host ?? '') ?? bundle)(request))
}

/** Serves one page for every address of the scheme, in place of the app's pages. Works whether or not `serveBundle` was called. */
export function serveOnly(page: () => Response): void {
  if (protocol.isProtocolHandled('app')) protocol.unhandle('app')
  protocol.handle('app', page)
}
