import { performJob } from '../../kernel/parsing/perform.ts'
import { performers } from './performers.ts'

// This thread reads one untrusted file or text. When the thread ends, its process ends too.
await performJob(performers)
