import { once } from 'node:events'
import type { Desk } from './desk.ts'

/**
 * Lets the main process die by SIGKILL the moment its journal is about to hold `state`, so before it is written and before
 * what follows it is done. Set from outside over the process's own debugger: the app has no such switch.
 */
export async function diesBefore(desk: Desk, state: string): Promise<void> {
  await desk.app.evaluate((_electron, deadly) => {
    const { StatementSync } = process.getBuiltinModule('node:sqlite')
    const { run } = StatementSync.prototype
    StatementSync.prototype.run = function (...values: Parameters<typeof run>) {
      if (values.some((value) => value === deadly)) process.kill(process.pid, 'SIGKILL')
      return run.apply(this, values)
    }
  }, state)
}

/** Resolves when the process is gone. */
export async function death(desk: Desk): Promise<void> {
  const child = desk.app.process()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  await desk.kill()
}
