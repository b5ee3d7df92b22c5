import { createRequire } from 'node:module'
import { type Keytar, serveKeychain } from './keychain-process.ts'

// The keychain worker of the app, which Electron's `utilityProcess.fork` starts, and of `svc-desk` from the source, which Node's `fork` starts.

// Not named `require`: the build adds a constant of that name to every file.
const load = createRequire(import.meta.url)

serveKeychain(() => load('keytar') as Keytar)
