import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A file without which all bots, or all fleet plans, start paused. A full disk takes no pause and no revocation, but a file can still be removed from
 * it. So a decision that could not be stored holds after a restart, too.
 */
export interface Permit {
  isGiven(): boolean
  give(): void
  withdraw(): void
}

export function createPermit(path: string, failed: (error: unknown) => void): Permit {
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      failed(error)
    }
  }
  const settle = (opened: number) => {
    fsyncSync(opened)
    closeSync(opened)
  }
  return {
    isGiven: () => existsSync(path),
    give: () => {
      if (!existsSync(path)) attempt(() => settle(openSync(path, 'w', 0o600)))
    },
    withdraw: () =>
      attempt(() => {
        rmSync(path, { force: true })
        // Windows opens no folder. There, the file system itself keeps the order of its changes.
        if (process.platform !== 'win32') settle(openSync(dirname(path), 'r'))
      }),
  }
}
