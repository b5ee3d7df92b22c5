import { join } from 'node:path'
import { forkKeychainWorker } from '../../../electron/store/keychain/keychain-process.ts'
import { startSvcDesk } from '../../../electron/terminal/run-svc-desk.ts'

const worker = import.meta.filename.endsWith('.ts') ? '../../../electron/store/keychain/keychain-worker.ts' : 'keychain-worker.mjs'

void startSvcDesk({
  words: process.argv.slice(2),
  version: 'source',
  forkKeychain: () => forkKeychainWorker(join(import.meta.dirname, worker), process.env),
})
