import { serveJob } from '../../kernel/parsing/serve-job.ts'
import { parentChannel } from '../../kernel/process-guard.ts'

// The process that reads one untrusted file or text, and then ends. Its argument is the file of the thread that does the work.
serveJob(parentChannel(), process.argv[2] ?? '')
