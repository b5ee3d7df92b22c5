import { protocol } from 'electron'
import { type Reveals, revealHost } from '../../keys/delivery/reveal.ts'
import { type BundleParts, createBundleResponder } from './bundle-file.ts'

/** Must run before the app is ready. `app:` behaves like `https:`: a secure origin with storage of its own. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** The pages under `app://bundle`, and secrets, each once, under a host of their own. */
export function serveBundle({ reveals, ...parts }: BundleParts & { readonly reveals: Pick<Reveals, 'answer'> }): void {
  const bundle = createBundleResponder(parts)
  protocol.handle('app', (request) => (URL.parse(request.url)?.host === revealHost ? reveals.answer(request) : bundle(request)))
}
