import { writeFileSync } from 'node:fs'

/** Switches of Node, Electron and Chromium by which another program looks into memory, drives the pages or loads code into them. */
const debuggerSwitches: ReadonlySet<string> = new Set([
  ...['inspect', 'inspect-brk', 'inspect-brk-node', 'inspect-wait', 'inspect-port', 'inspect-publish-uid', 'debug-port', 'js-flags'],
  ...['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address', 'remote-debugging-socket-name', 'remote-allow-origins'],
  ...['auto-open-devtools-for-tabs', 'load-extension', 'enable-automation', 'gpu-launcher', 'renderer-cmd-prefix', 'utility-cmd-prefix'],
])

/**
 * The switch that opens the app to a debugger, as it was given; null: none. Looks at the command line up to `--` and at `NODE_OPTIONS`, spelled in
 * any way that Chromium and Node take.
 */
export function debuggerSwitch(words: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const end = words.indexOf('--')
  const given = [...(end < 0 ? words : words.slice(0, end)), ...(env.NODE_OPTIONS ?? '').split(/\s+/)]
  return given.find((word) => debuggerSwitches.has(nameOf(word))) ?? null
}

/** `--inspect=9229`, `-inspect`, on Windows `/inspect`; Node takes `_` for `-`. */
const nameOf = (word: string): string => /^(?:--?|\/)([^=]+)/.exec(word)?.[1]?.toLowerCase().replaceAll('_', '-') ?? ''

/**
 * Keeps this process's memory from other programs as far as a program without native code can: SIGUSR1 opens no debugger, and on Linux a core file
 * holds none of its memory. Processes that it starts from now on inherit the second.
 */
export function guardMemory(): void {
  // Without a listener Node would open its debugger, which shows all memory. Windows has no such signal, and takes the listener.
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // A kernel without core files.
  }
}

/**
 * Ends a process that holds no state worth saving at the first error that no code catches. `say` hears of the error first. Without this Electron
 * goes on after such a rejection, in a worker and in the command, and Node prints the error, which may hold a secret.
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

/** The line from a child process to the process that forked it. */
export interface ParentChannel {
  onMessage(listener: (message: unknown) => void): void
  post(message: unknown): void
}

interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

/** Of Electron's `utilityProcess.fork`, or of Node's `fork`, whose child ends here with its parent, since no process is left to use the answer. */
export function parentChannel(): ParentChannel {
  // Electron's own name; @types/node does not know it.
  const { parentPort } = process as { parentPort?: ParentPort }
  if (parentPort !== undefined)
    return { onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)), post: (message) => parentPort.postMessage(message) }
  process.on('disconnect', () => process.exit(0))
  return { onMessage: (listener) => void process.on('message', listener), post: (message) => void process.send?.(message) }
}
