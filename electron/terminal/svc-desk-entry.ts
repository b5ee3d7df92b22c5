import { join } from 'node:path'
import { forkKeychainWorker } from '../store/keychain/keychain-process.ts'
import { startSvcDesk } from './run-svc-desk.ts'

declare const __VERSION__: string

// Starts `svc-desk` on Node: a separate entry of the build, beside the keychain's worker.
void startSvcDesk({
  words: process.argv.slice(2),
  version: __VERSION__,
  forkKeychain: () => forkKeychainWorker(join(import.meta.dirname, 'keychain-worker.js'), process.env),
})
