import { Worker } from 'node:worker_threads'
import { type JobCall, type JobMessage, outOfMemory } from '../../kernel/parsing/job.ts'
import { guardMemory, type ParentChannel, parentChannel } from '../../kernel/process-guard.ts'

const mebibyte = 1_048_576
/** Limit for the growth of the whole process during the job, because buffers are outside the heap. */
const growthMiB = 256
/** Limit for the thread's heap, in case it fills between two checks. */
const heapMiB = 512
const lookEveryMs = 20

/**
 * The entry point of the parsing process: performs one job in a thread, and ends. The main thread parses nothing, so that it can always check the
 * memory and end when its parent ends.
 */
function serveJob(channel: ParentChannel, threadFile: string): void {
  guardMemory()
  channel.onMessage((call) => {
    const before = process.memoryUsage.rss()
    const { name, given } = call as JobCall // safe cast: the main process of the same build sends the call
    const thread = new Worker(threadFile, {
      workerData: { name, given },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 64 },
    })
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > growthMiB * mebibyte) process.exit(outOfMemory)
    }, lookEveryMs)
    watch.unref()
    let answered = false
    thread.on('message', (message: JobMessage) => {
      answered ||= 'gives' in message
      channel.post(message)
    })
    thread.once('error', (error: unknown) => process.exit(isOutOfMemory(error) ? outOfMemory : 1))
    // The parent ends this process after it receives the job’s result. Without a result, the process ends itself.
    thread.once('exit', () => {
      if (!answered) process.exit(1)
    })
  })
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

// Its argument is the file of the thread that does the work.
serveJob(parentChannel(), process.argv[2] ?? '')
