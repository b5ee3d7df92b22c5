import type { Answer, AppEvent, QueryName } from '../../../shared/ipc/contract.ts'
import type { Definition, QueryDefinition } from '../../../shared/ipc/define.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { AnswerCall } from './answer-call.ts'

/** The window that makes a call. */
export interface Asker<W> {
  readonly window: W
  /** Maximum age, in ms, of another window’s answer that this window accepts. 0: it accepts only a new answer. */
  readonly withinMs: number
}

type AnswerAsker<W> = (name: unknown, input: unknown, asker: Asker<W>) => Promise<Answer<unknown>>

export interface SharedReads<W> {
  /** Wraps `answerCall` for one kind of window, so that these windows share their reads. `definitions`: the calls that such a window may make. */
  share(answerCall: AnswerCall, definitions: Readonly<Record<string, Definition>>): AnswerAsker<W>
  /**
   * Marks earlier answers to these queries as outdated, including the answers of reads that are still running. Without `queries`, marks all
   * answers.
   */
  changed(queries?: readonly string[]): void
}

export interface SharedReadsParts<W> {
  readonly reads: Readonly<Record<string, QueryDefinition>>
  readonly clock: Pick<Clock, 'monotonic'>
  /** The open windows that share their reads. */
  readonly windows: () => readonly W[]
  /** Whether a window may receive the answer to a read that another window made. */
  readonly mayHear: (window: W, read: QueryDefinition) => boolean
  readonly tell: (window: W, event: AppEvent) => void
}

interface Read<W extends object> {
  /** The windows that have made this read before. Each new answer is sent to them. */
  readonly listeners: WeakSet<W>
  /**
   * The read that runs now; null if none does. `given`: the windows that already wait for its answer. If such a window asks again, a new read
   * starts.
   */
  running: { readonly answer: Promise<Answer<unknown>>; readonly given: WeakSet<W> } | null
  last: { readonly answer: Answer<unknown>; readonly atMs: number; readonly given: WeakSet<W> } | null
}

/** Maximum age, in ms, of an answer that the app shares with another window. */
const oldestMs = minute
/** Maximum number of reads to remember. */
const mostReads = 200
/** Maximum length of a read’s input as JSON text. Reads with longer inputs are not shared. */
const longestKey = 500
/** Frequent commands that change no data, so that earlier answers stay valid. */
const harmless: ReadonlySet<unknown> = new Set(['lock.touch'])

/**
 * Shares reads between windows. If two windows make the same read at about the same time, one request answers both. Every other window that makes
 * this read also receives the new answer. If only one window makes the read, each call gets a new answer.
 */
export function createSharedReads<W extends object>({ reads, clock, windows, mayHear, tell }: SharedReadsParts<W>): SharedReads<W> {
  const known = new Map<string, Read<W>>()

  const changed = (queries?: readonly string[]) => {
    for (const [key, read] of known) {
      if (queries !== undefined && !queries.some((name) => key.startsWith(`["${name}",`))) continue
      read.running = null
      read.last = null
    }
  }

  const readOf = (key: string): Read<W> => {
    const read = known.get(key) ?? { listeners: new WeakSet(), running: null, last: null }
    // The map is sorted by last use, so move this read to its end.
    known.delete(key)
    known.set(key, read)
    const [oldest] = known.keys()
    if (known.size > mostReads && oldest !== undefined) known.delete(oldest)
    return read
  }

  const run = async (read: Read<W>, asker: W, answerCall: () => Promise<Answer<unknown>>, push: (given: WeakSet<W>, value: unknown) => void) => {
    const running = { answer: answerCall(), given: new WeakSet([asker]) }
    read.running = running
    try {
      const answer = await running.answer
      if (read.running === running && answer.result.ok) {
        read.last = { answer, atMs: clock.monotonic(), given: running.given }
        push(running.given, answer.result.value)
      }
      return answer
    } finally {
      if (read.running === running) read.running = null
    }
  }

  return {
    changed,
    share: (answerCall, definitions) => async (name, input, asker) => {
      const definition = typeof name === 'string' && Object.hasOwn(definitions, name) ? definitions[name] : undefined
      if (typeof name !== 'string' || definition === undefined) return answerCall(name, input)
      if (definition.kind === 'command') {
        if (!harmless.has(name)) changed()
        const answer = await answerCall(name, input)
        if (!harmless.has(name)) changed()
        const queries = answer.invalidates as readonly QueryName[]
        if (queries.length > 0) for (const window of windows()) if (window !== asker.window) tell(window, { type: 'invalidate', queries })
        return answer
      }
      const key = Object.hasOwn(reads, name) ? keyOf(name, input) : null
      if (key === null) return answerCall(name, input)
      const { window, withinMs } = asker
      const read = readOf(key)
      read.listeners.add(window)
      const { last, running } = read
      if (last !== null && !last.given.has(window) && clock.monotonic() - last.atMs < Math.min(withinMs, oldestMs)) {
        last.given.add(window)
        return last.answer
      }
      if (running !== null && withinMs > 0 && !running.given.has(window)) {
        running.given.add(window)
        return running.answer
      }
      return run(
        read,
        window,
        () => answerCall(name, input),
        (given, value) => {
          for (const other of windows()) {
            // Do not add this window to `given`. If the window asks while this answer is on its way, it gets this answer without a second read.
            if (read.listeners.has(other) && !given.has(other) && mayHear(other, definition)) tell(other, { type: 'answer', name, input, value })
          }
        },
      )
    },
  }
}

/** The key under which a read is remembered. null if its input is too long, or cannot be written as JSON. */
function keyOf(name: string, input: unknown): string | null {
  try {
    const key = JSON.stringify([name, input])
    return key.length > longestKey ? null : key
  } catch {
    return null
  }
}
