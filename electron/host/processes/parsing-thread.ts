import { performJob } from '../../kernel/parsing/perform.ts'
import { performers } from './performers.ts'

// The thread that reads one file or text of others, in a process that ends with it.
await performJob(performers)
