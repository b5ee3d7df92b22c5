import { createHash } from 'node:crypto'
import { closeSync, existsSync, fchmodSync, fdatasyncSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

/** Summary of the facts that the journal must not lose: their number, and a hash chain over them in order. `hash` is hexadecimal. */
export interface Chain {
  readonly count: number
  readonly hash: string
}

/**
 * A promise: a fact that the journal must still contain later, such as an intent's state. The hash of a promise must never change, so a promise
 * contains no column names, which later migrations may change.
 */
export interface Promised {
  readonly kind: 'intent' | 'operation' | 'transaction' | 'value'
  readonly ref: string
  readonly fact: string
}

export const emptyChain: Chain = { count: 0, hash: '0'.repeat(64) }

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

export const follow = ({ count, hash }: Chain, { kind, ref, fact }: Promised): Chain => ({
  count: count + 1,
  hash: digest(JSON.stringify([hash, count + 1, kind, ref, fact])),
})

/**
 * Describes a journal that was closed cleanly. `checkedAtMs`: when the app last checked the whole journal and found nothing wrong. `stamp`: the state of
 * the closed file (`open-file.ts`).
 */
const CleanClose = z.object({ checkedAtMs: z.number().int(), stamp: z.string() })
export type CleanClose = z.infer<typeof CleanClose>

/** `clean` is null while a process has the journal open, after a crash, and if an earlier version of the app wrote the mark file. */
const Marked = z.object({
  count: z.number().int().nonnegative(),
  hash: z.string().length(64),
  version: z.number().int(),
  clean: CleanClose.nullable().catch(null),
})
export type Marked = z.infer<typeof Marked>

/**
 * Writes the mark file, `<journal>.mark`: a summary of what the journal must contain. At the next start, the app compares this summary with the
 * journal to detect lost entries. The file has two slots, so that an interrupted write destroys at most one of them.
 */
export interface Mark {
  /** Writes the summary to the mark file. The summary is on disk when this function returns. Throws if the disk refuses the write. */
  write(marked: Marked): void
  close(): void
}

const slotBytes = 4_096

export const markFile = (journal: string): string => `${journal}.mark`

/** Reads the newer readable slot of a mark file, which has two slots; `null` if neither is readable. */
export function readMark(file: string): Marked | null {
  if (!existsSync(file)) return null
  const bytes = readFileSync(file)
  const slots = [bytes.subarray(0, slotBytes), bytes.subarray(slotBytes, 2 * slotBytes)].map(readSlot).filter((slot) => slot !== null)
  return slots.toSorted((a, b) => b.turn - a.turn)[0] ?? null
}

export function openMark(file: string): Mark {
  const slots = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  let turn = Math.max(0, ...[slots.subarray(0, slotBytes), slots.subarray(slotBytes)].map((slot) => readSlot(slot)?.turn ?? 0))
  let descriptor: number | null = null

  return {
    write({ count, hash, version, clean }) {
      const isNew = descriptor === null && !existsSync(file)
      descriptor ??= openForUser(file, isNew)
      const content = JSON.stringify({ turn: turn + 1, count, hash, version, clean })
      const slot = Buffer.alloc(slotBytes, ' ')
      slot.write(`${content}\n${digest(content)}\n`)
      writeSync(descriptor, slot, 0, slotBytes, ((turn + 1) % 2) * slotBytes)
      fdatasyncSync(descriptor)
      if (isNew) syncFolder(dirname(file))
      turn += 1
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}

function openForUser(file: string, isNew: boolean): number {
  const descriptor = openSync(file, isNew ? 'w+' : 'r+', 0o600)
  fchmodSync(descriptor, 0o600)
  return descriptor
}

const Slot = Marked.extend({ turn: z.number().int() })

function readSlot(bytes: Buffer): z.infer<typeof Slot> | null {
  const [content = '', check] = bytes.toString('utf8').split('\n')
  if (digest(content) !== check) return null
  try {
    return Slot.parse(JSON.parse(content))
  } catch {
    return null
  }
}

/** Writes a folder's list of files to disk. Otherwise, a crash may lose the name of a new file. Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
