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
