import { Worker } from 'node:worker_threads'
import { type JobCall, type JobMessage, outOfMemory } from '../../kernel/parsing/job.ts'
import { guardMemory, type ParentChannel, parentChannel } from '../../kernel/process-guard.ts'

const mebibyte = 1_048_576
/** Limit for the memory growth of the whole process during a job, in MiB. It is needed because buffers are not part of the thread’s heap. */
const growthMiB = 256
/** Limit for the thread’s heap, in MiB, in case the heap fills between two memory checks. */
const heapMiB = 512
const lookEveryMs = 20

/**
 * The entry point of the parsing process: performs one job in a thread, and ends. The main thread parses nothing. So it can always check the
 * memory, and end the process when the parent ends.
 */
function serveJob(channel: ParentChannel, threadFile: string): void {
  guardMemory()
  channel.onMessage((call) => {
    const before = process.memoryUsage.rss()
    const { name, given } = call as JobCall // the cast is safe: the main process comes from the same build and sends a `JobCall`
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
    // The parent ends this process after it receives the job’s result. If the thread ends without a result, this process must end itself.
    thread.once('exit', () => {
      if (!answered) process.exit(1)
    })
  })
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

// The first argument of this process is the path of the thread’s script.
serveJob(parentChannel(), process.argv[2] ?? '')
