import { createRequire } from 'node:module'
import { type Keytar, serveKeychain } from './keychain-process.ts'

// The keychain worker. The app starts this file with Electron's `utilityProcess.fork`. `svc-desk` from the source starts it with Node's `fork`.

// The name is not `require`, because the build adds a constant of that name to every file.
const load = createRequire(import.meta.url)

serveKeychain(() => load('keytar') as Keytar)
