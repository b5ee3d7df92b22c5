import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { createTurns } from '../deadline.ts'
import { type Job, type JobCall, outOfMemory } from './job.ts'

/** The parsing process as its parent sees it. The interface is the same for Electron’s utility process and for Node’s child process. */
export interface ParsingChild {
  post(call: JobCall): void
  onMessage(listener: (message: unknown) => void): void
  /** Calls the listener when the process has ended. `how`: the exit code or signal. */
  onExit(listener: (how: string) => void): void
  kill(): void
}

export type ParsingFailure = Extract<Failure, { kind: 'parsing' }>

export interface ParsingOptions<News> {
  readonly onNews?: (news: News) => void
  /** Aborting this signal kills the process; the job fails with `stopped`. */
  readonly signal?: AbortSignal
}

export interface Parsing {
  /**
   * Runs a job in a new process and ends that process. Never throws. Fails with `parsing` if the process was silent too long, used too much memory
   * or crashed. Also fails if the data that it returned does not match the schema.
   */
  run<Given, Gives, News>(job: Job<Given, Gives, News>, given: Given, options?: ParsingOptions<News>): Promise<Result<Gives, ParsingFailure>>
}

export interface ParsingParts {
  readonly fork: () => ParsingChild
  /** Maximum number of jobs that run at the same time; further jobs wait. */
  readonly atOnce?: number
}

/** Runs each job in a new process, so that no data of one file is left for the next job. */
export function createParsing({ fork, atOnce = 3 }: ParsingParts): Parsing {
  const turns = createTurns(atOnce)

  const perform = <Given, Gives, News>(
    { name, gives, news, quietMs }: Job<Given, Gives, News>,
    given: Given,
    { onNews, signal }: ParsingOptions<News>,
  ): Promise<Result<Gives, ParsingFailure>> =>
    new Promise((resolve) => {
      let child: ParsingChild | null = null
      let timer: NodeJS.Timeout | undefined
      const end = (result: Result<Gives, ParsingFailure>) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        const last = child
        child = null
        last?.kill()
        resolve(result)
      }
      const give = (issue: ParsingFailure['issue']) => end(fail({ kind: 'parsing', issue }))
      const stop = () => give('stopped')
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => give('too_slow'), quietMs)
      }
      const hear = (message: unknown) => {
        if (child === null || typeof message !== 'object' || message === null) return
        if ('gives' in message) {
          const read = gives.safeParse(message.gives)
          return read.success ? end(ok(read.data)) : give('broken')
        }
        if (!('news' in message) || news === undefined) return give('broken')
        const read = news.safeParse(message.news)
        if (!read.success) return give('broken')
        wait()
        onNews?.(read.data)
      }
      if (signal?.aborted === true) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      try {
        const forked = fork()
        child = forked
        wait()
        forked.onMessage(hear)
        forked.onExit((how) => {
          if (child === forked) give(how === String(outOfMemory) ? 'too_much_memory' : 'broken')
        })
        forked.post({ name, given })
      } catch {
        give('broken')
      }
    })

  return { run: (job, given, options = {}) => turns(() => perform(job, given, options)) }
}
