// What Node runs first in a utility process: gives the module what Electron gives it, then loads it.
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const [modulePath = '', ...parameters] = process.argv.slice(2)

/** `process.parentPort` as far as an app without transferred ports needs it. */
class ParentPort extends EventEmitter {
  start(): void {}
  postMessage(message: unknown): void {
    const copy = structuredClone(message)
    process.send?.(copy, () => {})
  }
}

const parentPort = new ParentPort()
const early: unknown[] = []
const deliver = (message: unknown) => void parentPort.emit('message', { data: message, ports: [] })
// What arrives before the module listens waits for it.
const receive = (message: unknown) => (parentPort.listenerCount('message') > 0 ? deliver(message) : early.push(message))
parentPort.on('newListener', (name) => {
  if (name === 'message') queueMicrotask(() => early.splice(0).forEach(deliver))
})
process.on('message', receive)
// The parent is gone, however it went.
process.on('disconnect', () => process.exit(0))
// A terminal sends Ctrl+C to the whole group; the parent decides when its children end.
process.on('SIGINT', () => {})

Object.defineProperties(process, { parentPort: { value: parentPort, enumerable: true }, type: { value: 'utility', enumerable: true } })
process.argv = [process.execPath, modulePath, ...parameters]
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'electron' || specifier.startsWith('electron/')) throw new Error(`stand-in: '${specifier}' in a utility process is not implemented`)
    return nextResolve(specifier, context)
  },
})

await import(pathToFileURL(modulePath).href)
