import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { compileFunction } from 'node:vm'
import { forkKeychainWorker, type Keytar, serveKeychain } from '../store/keychain/keychain-process.ts'
import { explained } from './completion.ts'

declare const __VERSION__: string

// Runs `svc-desk` without Electron. From the source, Node runs this file, and another file is the keychain worker. In a package, `svc-desk` is one
// program with Node and this file inside. It starts itself again as the keychain worker.
const workerWord = '--keychain-worker'

if (isSea() && process.argv[2] === workerWord && process.send !== undefined) {
  const addon = join(resources(), 'app.asar.unpacked/node_modules/keytar/build/Release/keytar.node')
  const load = createRequire(process.execPath)
  serveKeychain(() => load(addon) as Keytar) // The native addon. keytar's JavaScript is only a wrapper around it.
} else void run(process.argv.slice(2))

async function run(words: readonly string[]): Promise<void> {
  const said = explained(words, __VERSION__)
  if (!('line' in said)) {
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
    process.stdout.write(said.stdout)
    process.stderr.write(said.stderr)
    process.exitCode = said.code
    return
  }
  const { startSvcDesk } = isSea() ? enclosed() : await import('./run-svc-desk.ts')
  await startSvcDesk({
    words,
    version: __VERSION__,
    forkKeychain: () => forkKeychainWorker(isSea() ? [workerWord] : join(import.meta.dirname, 'keychain-worker.js'), process.env),
  })
}

/**
 * Returns the folder with the app's archive and the files beside the archive. On macOS and Windows, this folder is next to the folder of this
 * program. On Linux, it is inside that folder.
 */
function resources(): string {
  const beside = dirname(process.execPath)
  return join(beside, { darwin: '../Resources', win32: '../resources' }[process.platform as string] ?? 'resources')
}

/** Loads the rest of `svc-desk`, which the program contains as text. Only a command that needs this part takes the time to load it. */
function enclosed(): typeof import('./run-svc-desk.ts') {
  const module = { exports: {} }
  const run = compileFunction(getAsset('run', 'utf8'), ['module', 'exports', 'require'], { filename: 'run-svc-desk.cjs' })
  run(module, module.exports, createRequire(process.execPath))
  return module.exports as typeof import('./run-svc-desk.ts') // safe cast: the packager puts this file into the program
}
