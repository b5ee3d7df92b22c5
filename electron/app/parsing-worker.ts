import { serveJob } from '../parsing/serve-job.ts'
import { parentChannel } from './parent-channel.ts'

// The process that reads one file or text of others, and ends. Its argument: the file of the thread that does it.
serveJob(parentChannel(), process.argv[2] ?? '')
