import { join } from 'node:path'
import { forkKeychainWorker } from '../../secrets/keychain-fork.ts'
import { startSvcDesk } from '../start.ts'

// The command as it stands in the source, for tests that start it as a process.
void startSvcDesk({
  words: process.argv.slice(2),
  version: 'source',
  forkKeychain: () => forkKeychainWorker(join(import.meta.dirname, '../../secrets/keychain-worker.ts'), process.env),
})
