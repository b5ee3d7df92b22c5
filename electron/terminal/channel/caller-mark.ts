import { randomBytes } from 'node:crypto'
import { realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Address } from './address-file.ts'
import { type Caller, whoHolds } from './caller.ts'

/** A file that the command on one connection opens, so that the system tells which process it is. */
export interface CallerMark {
  /** null: this system does not tell who holds a file, or took none. */
  readonly path: string | null
  caller(): Promise<Caller | null>
  remove(): void
}

/** Beside the socket, in a folder that is closed to others. Its name cannot be guessed. */
export function makeCallerMark({ path: socket }: Pick<Address, 'path'>, platform: NodeJS.Platform): CallerMark {
  if (platform !== 'linux') return noMark
  try {
    const path = join(realpathSync(dirname(socket)), `caller-${randomBytes(16).toString('hex')}`)
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
    return { path, caller: () => whoHolds(path), remove: () => removeIfPossible(path) }
  } catch {
    // The disk takes no file: the user is asked about the command each time.
    return noMark
  }
}

const noMark: CallerMark = { path: null, caller: async () => null, remove: () => undefined }

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // An empty file stays behind.
  }
}
