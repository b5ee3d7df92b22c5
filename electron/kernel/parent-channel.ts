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
