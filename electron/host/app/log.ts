import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { redact, redactText } from '../../../shared/api/redact.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ErrorLog } from '../ipc/answer-call.ts'

export interface Log extends ErrorLog {
  note(what: string, details?: Readonly<Record<string, unknown>>): void
}

/** Maximum size of the log file. If an entry would exceed it, the file is first renamed to `.old`, which replaces the previous old file. */
const largestBytes = 1_024 * 1_024

/** Creates a log with one JSON line per entry. Removes secrets from all texts (AUTH-09). Ignores write errors. */
export function createLog({ file, clock }: { readonly file: string; readonly clock: Clock }): Log {
  const write = (entry: Readonly<Record<string, unknown>>) => {
    const line = `${JSON.stringify({ at: new Date(clock.now()).toISOString(), ...entry })}\n`
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + line.length > largestBytes) renameSync(file, `${file}.old`)
      appendFileSync(file, line, { mode: 0o600 })
    } catch {
      // A full or read-only disk is already reported by the journal.
    }
  }
  return {
    error: (reference, what, error) => write({ level: 'error', reference, what, error: detailOf(error) }),
    note: (what, details) => write({ level: 'info', what, ...(details === undefined ? {} : { details: redact(details) }) }),
  }
}

/** The name, message, stack and causes of an error, without secrets. */
function detailOf(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return redact(typeof error === 'object' ? error : String(error))
  const cause = error.cause === undefined || depth > 3 ? {} : { cause: detailOf(error.cause, depth + 1) }
  return { name: error.name, message: redactText(error.message), stack: redactText(error.stack ?? ''), ...cause }
}
