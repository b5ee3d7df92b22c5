import { writeFileSync } from 'node:fs'

/** Switches of Node, Electron and Chromium that let another program read memory, control the pages or load code into them. */
const debuggerSwitches: ReadonlySet<string> = new Set([
  ...['inspect', 'inspect-brk', 'inspect-brk-node', 'inspect-wait', 'inspect-port', 'inspect-publish-uid', 'debug-port', 'js-flags'],
  ...['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address', 'remote-debugging-socket-name', 'remote-allow-origins'],
  ...['auto-open-devtools-for-tabs', 'load-extension', 'enable-automation', 'gpu-launcher', 'renderer-cmd-prefix', 'utility-cmd-prefix'],
])

/**
 * The switch that opens the app to a debugger, as given; null if none. Checks the arguments before `--`, and `NODE_OPTIONS`, in every spelling that
 * Chromium and Node accept.
 */
export function debuggerSwitch(words: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const end = words.indexOf('--')
  const given = [...(end < 0 ? words : words.slice(0, end)), ...(env.NODE_OPTIONS ?? '').split(/\s+/)]
  return given.find((word) => debuggerSwitches.has(nameOf(word))) ?? null
}

/** Reads `--inspect=9229`, `-inspect` and, on Windows, `/inspect`. Node accepts `_` for `-`. */
const nameOf = (word: string): string => /^(?:--?|\/)([^=]+)/.exec(word)?.[1]?.toLowerCase().replaceAll('_', '-') ?? ''

/**
 * Protects this process's memory from other programs as far as possible without native code. SIGUSR1 opens no debugger, and on Linux a core file
 * holds none of the memory. Processes started from now on inherit the core file setting.
 */
export function guardMemory(): void {
  // Without a listener Node would open its debugger, which exposes all memory. Windows has no such signal, and accepts the listener.
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // This Linux kernel was built without core files, so there is nothing to turn off.
  }
}

/**
 * Ends a process without state worth saving at the first uncaught error. Calls `say` with the error first. Without this, Electron would continue
 * after a rejection (in a worker and in the command), and Node would print the error, which may hold a secret.
 */
export function exitOnError(exit: () => void, say: (error: unknown) => void = () => undefined): void {
  const end = (error: unknown) => {
    try {
      say(error)
    } finally {
      exit()
    }
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** The link from a child process to its parent. */
export interface ParentChannel {
  onMessage(listener: (message: unknown) => void): void
  post(message: unknown): void
}

interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

/**
 * The channel of Electron's `utilityProcess.fork` or of Node's `fork`. A child of Node's `fork` ends with its parent, since no other process can use
 * its answer.
 */
export function parentChannel(): ParentChannel {
  // Electron's own property, which @types/node does not declare.
  const { parentPort } = process as { parentPort?: ParentPort }
  if (parentPort !== undefined)
    return { onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)), post: (message) => parentPort.postMessage(message) }
  process.on('disconnect', () => process.exit(0))
  return { onMessage: (listener) => void process.on('message', listener), post: (message) => void process.send?.(message) }
}
