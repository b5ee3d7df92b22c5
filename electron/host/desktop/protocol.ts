import { protocol } from 'electron'
import { type Reveals, revealHost } from '../../keys/delivery/reveal.ts'
import { type BundleParts, createBundleResponder } from './bundle-file.ts'

/** Registers the scheme `app:` as secure, with its own storage, like `https:`. Call before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** Serves the app’s pages under `app://bundle`. Serves each secret only once, under a separate host. */
export function serveBundle({ reveals, ...parts }: BundleParts & { readonly reveals: Pick<Reveals, 'answer'> }): void {
  const bundle = createBundleResponder(parts)
  protocol.handle('app', (request) => (URL.parse(request.url)?.host === revealHost ? reveals.answer(request) : bundle(request)))
}
