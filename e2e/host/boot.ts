// Runs an Electron app in Node. Does what Electron’s executable does before the app’s main script.
import { readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { readSwitch } from './invocation.ts'

const argv = process.argv.slice(2)
// Electron’s process.argv starts with the executable, followed by all command-line arguments.
process.argv = [process.argv[0] ?? process.execPath, ...argv]

const inspect = readSwitch(argv, 'inspect')
// Prints the address that Playwright waits for.
if (inspect !== undefined) inspector.open(Number(inspect || 9229), '127.0.0.1')

Object.defineProperties(process.versions, {
  electron: { value: installedElectron(), enumerable: true },
  chrome: { value: '', enumerable: true, configurable: true },
})
Object.defineProperties(process, {
  type: { value: 'browser', enumerable: true },
  defaultApp: { value: true, enumerable: true },
})

const module = new URL('./electron.ts', import.meta.url).href
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common')
      return { url: module, format: 'module-typescript', shortCircuit: true }
    return nextResolve(specifier, context)
  },
})

const { standIn } = await import('./electron.ts')
try {
  await import(pathToFileURL(standIn.invocation.entry).href)
} catch (cause) {
  console.error('App threw an error during load')
  console.error(cause)
  process.exit(1)
}
standIn.start()

/** Version of the installed `electron` package, whose types this replacement follows. That package is installed without Electron’s binary. */
function installedElectron(): string {
  try {
    // npm's own file.
    return (JSON.parse(readFileSync(new URL('../../node_modules/electron/package.json', import.meta.url), 'utf8')) as { version: string }).version
  } catch {
    return '0.0.0'
  }
}
