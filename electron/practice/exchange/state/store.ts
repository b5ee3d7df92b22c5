import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { emptyState, type State } from './state.ts'

export interface Store {
  readonly state: State
  /** Writes before it returns. Use it for anything a response promises. */
  commit(): void
  /** Writes soon, or with the next commit. Use it for data that a crash may lose (last use, calls in the audit). */
  touch(): void
  /** Writes pending changes. Later changes are not stored. */
  close(): void
}

const soon = 5_000

/** A null folder keeps everything in memory. The file is replaced as a whole, so that a crash leaves the old or the new one. */
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
    // Only this module writes the file, always as a whole. Its `version` identifies its shape.
    if (typeof stored === 'object' && stored !== null && 'version' in stored) {
      if (stored.version === 2) return resumed({ ...emptyState(), ...(stored as State) })
      if (stored.version === 1) return resumed(credentialsOf(stored as State))
    }
    throw new Error('The practice exchange found a state of another version')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyState()
    // It is only play money: set the unreadable state aside and start with an empty one.
    renameSync(path, `${path}.unreadable`)
    return emptyState()
  }
}

/** Version 1 stored orders in another shape, for a chain and contracts that no longer exist. Only credentials and play money are kept. */
function credentialsOf({ challenges, sessions, keys, preparations, audit, seeds }: State): State {
  return { ...emptyState(), challenges, sessions, keys, preparations, audit, seeds }
}

/** A relay that a crash interrupted may be retried. The nonce prevents the router from accepting it twice. */
function resumed(state: State): State {
  for (const intent of state.intents) if (intent.state === 'relaying') intent.state = 'prepared'
  // Earlier builds stored neither `lastUsedIp` nor an audit `sequence`.
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
