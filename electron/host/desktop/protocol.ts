import { protocol } from 'electron'
import { type Reveals, revealHost } from '../../keys/delivery/reveal.ts'
import { type BundleParts, createBundleResponder } from './bundle-file.ts'

/** Call before the app is ready. `app:` behaves like `https:`: a secure origin with its own storage. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** Serves the pages under `app://bundle`, and each secret once under a separate host. */
export function serveBundle({ reveals, ...parts }: BundleParts & { readonly reveals: Pick<Reveals, 'answer'> }): void {
  const bundle = createBundleResponder(parts)
  protocol.handle('app', (request) => (URL.parse(request.url)?.host === revealHost ? reveals.answer(request) : bundle(request)))
}
