import { parentPort, workerData } from 'node:worker_threads'
import type { Job, JobCall, JobMessage } from './job.ts'

/** The code that does the work of a job. Runs only in the parsing process. */
export interface Performer {
  readonly name: string
  readonly perform: (given: unknown, tell: (news: unknown) => void) => unknown
}

export const performs = <Given, Gives, News>(
  { name }: Job<Given, Gives, News>,
  perform: (given: Given, tell: (news: News) => void) => Gives | Promise<Gives>,
): Performer => ({ name, perform: (given, tell) => perform(given as Given, tell) }) // the cast is safe: the main process comes from the same build and sends `given` with this type

/** Runs the job for which `serveJob` started this thread. Throws if no performer has the job’s name. */
export async function performJob(performers: readonly Performer[]): Promise<void> {
  const { name, given } = workerData as JobCall // the cast is safe: `serveJob` started this thread with a `JobCall`
  const found = performers.find((one) => one.name === name)
  if (parentPort === null || found === undefined) throw new Error(`Nothing here does ${name}`)
  const port = parentPort
  const post = (message: JobMessage) => port.postMessage(message)
  post({ gives: await found.perform(given, (news) => post({ news })) })
}
