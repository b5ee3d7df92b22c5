import type { Desk } from './desk.ts'

/**
 * Kills the main process with SIGKILL just before its journal writes the state `state`. Patches the running process through its debugger, because the
 * app has no switch for this.
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

/** Kills the main process with SIGKILL just before one of its journal writes. `number`: 0 for the next write, 1 for the write after that. */
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

export async function death(desk: Desk): Promise<void> {
  await desk.ended()
  await desk.kill()
}
