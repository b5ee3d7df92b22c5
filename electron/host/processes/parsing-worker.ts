import { serveJob } from '../../kernel/parsing/serve-job.ts'
import { parentChannel } from '../../kernel/process-guard.ts'

// The process that reads one file or text of others, and ends. Its argument: the file of the thread that does it.
serveJob(parentChannel(), process.argv[2] ?? '')
