import type { Desk } from './desk.ts'

/**
 * Kills the main process with SIGKILL just before its journal writes `state`. That write and everything after it never happen. The test changes the
 * running process through its debugger, because the app has no switch for this.
 */
export async function diesBefore(desk: Desk, state: string): Promise<void> {
  await desk.app.evaluate((_electron, deadly) => {
    const { StatementSync } = process.getBuiltinModule('node:sqlite')
    StatementSync.prototype.run = new Proxy(StatementSync.prototype.run, {
      apply: (run, statement, values: unknown[]) => {
        if (values.includes(deadly)) process.kill(process.pid, 'SIGKILL')
        return Reflect.apply(run, statement, values)
      },
    })
  }, state)
}

/** Kills the main process with SIGKILL just before one of the journal’s writes. `number` counts writes from now on, starting at 0. */
export async function diesAtWrite(desk: Desk, number: number): Promise<void> {
  await desk.app.evaluate((_electron, deadly) => {
    const { StatementSync } = process.getBuiltinModule('node:sqlite')
    let written = 0
    StatementSync.prototype.run = new Proxy(StatementSync.prototype.run, {
      apply: (run, statement, values: unknown[]) => {
        if (written === deadly) process.kill(process.pid, 'SIGKILL')
        written += 1
        return Reflect.apply(run, statement, values)
      },
    })
  }, number)
}

/** Resolves when the process is gone. */
export async function death(desk: Desk): Promise<void> {
  await desk.ended()
  await desk.kill()
}
