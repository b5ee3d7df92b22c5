// Runs an Electron app in Node. This file does what Electron’s executable does before it loads the app’s main script.
import { readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { readSwitch } from './invocation.ts'
import { openArchive, seenByApp } from './packaged.ts'

// The folder of a packaged app’s resources; null outside a package. In such a package, this stand-in replaces Electron’s own program.
const folder = process.env.SVC_DESK_PACKAGED
delete process.env.SVC_DESK_PACKAGED
const resources = folder === undefined ? null : `${folder}/resources`
const argv = process.argv.slice(2)
// Electron’s process.argv starts with the executable, followed by all command-line arguments.
process.argv = [process.argv[0] ?? process.execPath, ...(resources === null ? argv : seenByApp(argv, process.env))]

const inspect = readSwitch(argv, 'inspect')
// Opens the debugger, which prints the address that Playwright waits for.
if (inspect !== undefined) inspector.open(Number(inspect || 9229), '127.0.0.1')

Object.defineProperties(process.versions, {
  electron: { value: installedElectron(), enumerable: true },
  chrome: { value: '', enumerable: true, configurable: true },
})
Object.defineProperties(process, {
  type: { value: 'browser', enumerable: true },
  // Electron sets `defaultApp` if it was started with the path of an app. In a packaged app, it sets `resourcesPath` instead.
  ...(resources === null ? { defaultApp: { value: true, enumerable: true } } : { resourcesPath: { value: resources, enumerable: true } }),
})
if (resources !== null) {
  const debugging = process.env.SVC_DESK_HOST_DRIVEN === '1' ? readSwitch(argv, 'remote-debugging-port') : undefined
  if (debugging !== undefined) process.env.STAND_IN_DEBUGGING = debugging
  process.env.STAND_IN_RESOURCES = resources
  process.env.STAND_IN_APP = openArchive(resources, argv)
}

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

/** Version of the installed `electron` package. The stand-in for Electron follows this package’s types, but does not need Electron’s program. */
function installedElectron(): string {
  try {
    // safe cast: npm wrote this package.json, so it contains a version
    return (JSON.parse(readFileSync(new URL('../../node_modules/electron/package.json', import.meta.url), 'utf8')) as { version: string }).version
  } catch {
    return '0.0.0'
  }
}
