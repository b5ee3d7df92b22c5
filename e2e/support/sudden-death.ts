import type { Desk } from './desk.ts'

/**
 * Lets the main process die by SIGKILL the moment its journal is about to hold `state`: it is not written any more, and
 * what follows it is not done. Set from outside over the process's own debugger: the app has no such switch.
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

/** As `diesBefore`, before the write of that number from now on, counted from 0, whatever it writes. */
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
