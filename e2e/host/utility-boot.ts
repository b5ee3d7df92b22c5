// The first file that runs in a utility process. It provides `process.parentPort` as Electron does, then loads the app’s module.
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const [modulePath = '', ...parameters] = process.argv.slice(2)

/** `process.parentPort` for messages only: message ports cannot be transferred. */
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
// Messages that arrive before the module listens are queued.
const receive = (message: unknown) => (parentPort.listenerCount('message') > 0 ? deliver(message) : early.push(message))
parentPort.on('newListener', (name) => {
  if (name === 'message') queueMicrotask(() => early.splice(0).forEach(deliver))
})
process.on('message', receive)
process.on('disconnect', () => process.exit(0))
// Ctrl+C in a terminal sends SIGINT to all processes, but only the parent process decides when its children end.
process.on('SIGINT', () => {})

Object.defineProperties(process, { parentPort: { value: parentPort, enumerable: true }, type: { value: 'utility', enumerable: true } })
if (process.env.STAND_IN_RESOURCES !== undefined) Object.defineProperty(process, 'resourcesPath', { value: process.env.STAND_IN_RESOURCES, enumerable: true })
process.argv = [process.execPath, modulePath, ...parameters]
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'electron' || specifier.startsWith('electron/')) throw new Error(`stand-in: '${specifier}' in a utility process is not implemented`)
    return nextResolve(specifier, context)
  },
})

await import(pathToFileURL(modulePath).href)
