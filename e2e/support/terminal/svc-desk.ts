import { join } from 'node:path'
import { forkKeychainWorker } from '../../../electron/store/keychain/keychain-process.ts'
import { startSvcDesk } from '../../../electron/terminal/run-svc-desk.ts'

void startSvcDesk({
  words: process.argv.slice(2),
  version: 'source',
  forkKeychain: () => forkKeychainWorker(join(import.meta.dirname, '../../../electron/store/keychain/keychain-worker.ts'), process.env),
})
