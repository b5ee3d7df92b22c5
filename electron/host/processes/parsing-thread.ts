import { performJob } from '../../kernel/parsing/perform.ts'
import { performers } from './performers.ts'

// The thread that reads one untrusted file or text. Its process ends with it.
await performJob(performers)
