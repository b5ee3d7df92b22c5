import { performJob } from '../../kernel/parsing/perform.ts'
import { performers } from './performers.ts'

// The thread that reads one untrusted file or text. When it ends, its process ends too.
await performJob(performers)
