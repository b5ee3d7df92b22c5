import { join } from 'node:path'
import { forkKeychainWorker } from '../store/keychain/keychain-process.ts'
import { startSvcDesk } from './run-svc-desk.ts'

declare const __VERSION__: string

// `svc-desk` on Node: an entry of the build by itself, beside the keychain's worker.
void startSvcDesk({
  words: process.argv.slice(2),
  version: __VERSION__,
  forkKeychain: () => forkKeychainWorker(join(import.meta.dirname, 'keychain-worker.js'), process.env),
})
