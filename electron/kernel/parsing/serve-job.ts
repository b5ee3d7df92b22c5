import { Worker } from 'node:worker_threads'
import { guardMemory, type ParentChannel } from '../process-guard.ts'
import { type JobCall, type JobMessage, outOfMemory } from './job.ts'

const mebibyte = 1_048_576
/** Of the whole process beyond what it has before the job: buffers are outside the heap. */
const growthMiB = 256
/** Of the thread's heap, should it fill between two looks. */
const heapMiB = 512
const lookEveryMs = 20

/**
 * The parsing process: does one job in a thread and ends. The process itself parses nothing, so that it always has its turn to look at its memory, and
 * to end when its parent does.
 */
export function serveJob(channel: ParentChannel, threadFile: string): void {
  guardMemory()
  channel.onMessage((call) => {
    const before = process.memoryUsage.rss()
    const { name, given } = call as JobCall // main of the same build sends it
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
    // With its answer on the way, the parent ends this process.
    thread.once('exit', () => {
      if (!answered) process.exit(1)
    })
  })
}

const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
