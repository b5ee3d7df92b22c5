import { protocol } from 'electron'
import { type BundleParts, createBundleResponder } from './bundle-file.ts'

/** Must run before the app is ready. `app:` behaves like `https:`: a secure origin with storage of its own. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

export function serveBundle(parts: BundleParts): void {
  protocol.handle('app', createBundleResponder(parts))
}
