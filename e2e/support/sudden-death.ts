import type { Desk } from './desk.ts'

/**
 * Kills the main process with SIGKILL just before its journal writes `state`. That write and everything after it never happen. Set from outside
 * through the process's own debugger, because the app has no such switch.
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

/** As `diesBefore`, but before write number `number` from now on (counted from 0), regardless of what it writes. */
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
