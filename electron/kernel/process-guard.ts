import { writeFileSync } from 'node:fs'

/**
 * Debugger and proxy switches of Node, Electron and Chromium that the app refuses. Each word covers the switch of that name, and all switches that
 * start with the word and `-`.
 */
const refusedFamilies = ['inspect', 'remote-debugging', 'proxy'] as const

/**
 * Other switches that the app refuses. With them, another program could read memory or traffic, control pages, load code or remove the pages'
 * protection. ADR 5 has the reason for each switch.
 */
const refusedSwitches: ReadonlySet<string> = new Set([
  ...['debug-port', 'js-flags', 'remote-allow-origins', 'auto-open-devtools-for-tabs', 'enable-automation', 'load-extension', 'disable-extensions-except'],
  ...['gpu-launcher', 'renderer-cmd-prefix', 'utility-cmd-prefix', 'no-proxy-server', 'winhttp-proxy-resolver', 'host-rules', 'host-resolver-rules'],
  ...['ignore-certificate-errors', 'ignore-certificate-errors-spki-list', 'ssl-key-log-file', 'log-net-log', 'net-log-capture-mode'],
  ...['disable-web-security', 'allow-running-insecure-content', 'unsafely-treat-insecure-origin-as-secure', 'enable-blink-features'],
])

/**
 * Returns the first switch that the packaged app refuses, in its original spelling; null if there is none. Checks the arguments before `--` and
 * `NODE_OPTIONS`, in every spelling that Chromium and Node accept.
 */
export function refusedSwitch(words: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const end = words.indexOf('--')
  const given = [...(end < 0 ? words : words.slice(0, end)), ...(env.NODE_OPTIONS ?? '').split(/\s+/)]
  return given.find((word) => isRefused(nameOf(word))) ?? null
}

const isRefused = (name: string): boolean =>
  refusedSwitches.has(name) || refusedFamilies.some((family) => (name === family && family !== 'proxy') || name.startsWith(`${family}-`))

/** The name of a switch in the forms `--inspect=9229`, `-inspect` and, on Windows, `/inspect`. Node also accepts `_` instead of `-`. */
const nameOf = (word: string): string => /^(?:--?|\/)([^=]+)/.exec(word)?.[1]?.toLowerCase().replaceAll('_', '-') ?? ''

/**
 * Protects this process’s memory from other programs, as far as possible without native code. SIGUSR1 no longer opens a debugger. On Linux, core
 * dump files contain no memory, and child processes inherit this setting.
 */
export function guardMemory(): void {
  // Without a listener for SIGUSR1, Node opens its debugger, which exposes all memory. On Windows this listener has no effect.
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // This Linux kernel was built without core dumps, so the app need not turn them off.
  }
}

/**
 * Ends the process at the first uncaught error, after calling `say`. Use it only for processes that hold no important state. Otherwise, Electron
 * would continue after a rejection, and Node would print the error, which may contain a secret.
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

/** The connection from this child process to its parent. */
export interface ParentChannel {
  onMessage(listener: (message: unknown) => void): void
  post(message: unknown): void
}

interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

/**
 * Returns the connection to the parent process, which used either Electron’s `utilityProcess.fork` or Node’s `fork`. A child that Node’s `fork`
 * started ends together with its parent, because only the parent needs the child’s results.
 */
export function parentChannel(): ParentChannel {
  // Electron adds this property; @types/node does not declare it.
  const { parentPort } = process as { parentPort?: ParentPort }
  if (parentPort !== undefined)
    return { onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)), post: (message) => parentPort.postMessage(message) }
  process.on('disconnect', () => process.exit(0))
  return { onMessage: (listener) => void process.on('message', listener), post: (message) => void process.send?.(message) }
}
