import { workerData } from 'node:worker_threads'
import type { CheckedJournal } from '../open-file.ts'
import { openJournal } from './sqlite-journal.ts'

// The thread that checks a whole journal. Opening the journal does the check, and closing it notes the result in the mark file.

const { file, nowMs } = workerData as CheckedJournal // the cast is safe: `checkApart`, from the same build, starts this thread
openJournal({ file, clock: { now: () => nowMs, monotonic: () => 0 } }).close()
