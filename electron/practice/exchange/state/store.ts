import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { emptyState, type State } from './state.ts'

export interface Store {
  readonly state: State
  /** Saves the state to disk before it returns. Call it before sending a response which promises that data is stored. */
  commit(): void
  /**
   * Saves the state soon, at the latest with the next `commit`. Use this for data that may be lost in a crash, such as the last use of a key or the
   * calls in the audit log.
   */
  touch(): void
  /** Saves pending changes. The store does not save changes that are made after this call. */
  close(): void
}

const soon = 5_000

/**
 * Stores the state in one file. Each save replaces the whole file, so after a crash it contains either the old or the new state. If `dataDir` is
 * null, keeps the state in memory.
 */
export function createStore({ dataDir }: { dataDir: string | null }): Store {
  if (dataDir === null) return { state: emptyState(), commit: () => {}, touch: () => {}, close: () => {} }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'exchange.json')
  const state = load(path)
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const commit = () => {
    if (closed) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    replaceFile(path, JSON.stringify(state))
  }
  return {
    state,
    commit,
    touch: () => {
      timer ??= setTimeout(commit, soon).unref()
    },
    close: () => {
      commit()
      closed = true
    },
  }
}

function load(path: string): State {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    // Checking `version` is enough, because only this module writes the file, and `version` identifies the file's format.
    if (typeof stored === 'object' && stored !== null && 'version' in stored) {
      if (stored.version === 2) return resumed({ ...emptyState(), ...(stored as State) })
      if (stored.version === 1) return resumed(credentialsOf(stored as State))
    }
    throw new Error('The practice exchange found a state of another version')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyState()
    // If the file cannot be read, move it aside and start with an empty state. Nothing of value is lost, because the state contains only play money.
    renameSync(path, `${path}.unreadable`)
    return emptyState()
  }
}

/**
 * Reads a state of version 1, but keeps only credentials and play money. The orders of version 1 have another format, and refer to a chain and
 * contracts that no longer exist.
 */
function credentialsOf({ challenges, sessions, keys, preparations, audit, seeds }: State): State {
  return { ...emptyState(), challenges, sessions, keys, preparations, audit, seeds }
}

/**
 * Called when a stored state is loaded. If a crash interrupted the relay of an intent, allows the client to relay the intent again. The router cannot
 * accept the intent twice, because its nonce can be used only once.
 */
function resumed(state: State): State {
  for (const intent of state.intents) if (intent.state === 'relaying') intent.state = 'prepared'
  // Earlier versions stored no `lastUsedIp`, and no `sequence` in the audit log.
  state.keys = state.keys.map((key) => ({ ...key, lastUsedIp: key.lastUsedIp ?? null }))
  state.audit = state.audit.map((row, index) => ({ ...row, sequence: row.sequence ?? index + 1 }))
  return state
}

function replaceFile(path: string, text: string): void {
  const next = `${path}.next`
  const file = openSync(next, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
}
