import { answerFields } from '../../../shared/field-map/answer-fields.ts'
import { mapLimits } from '../../../shared/field-map/field-map-entries.ts'
import { readFieldMapFile } from '../../../shared/field-map/read-file.ts'
import { fail, ok } from '../../../shared/result.ts'
import { readChosenText } from '../../kernel/files/write-private.ts'
import { type Performer, performs } from '../../kernel/parsing/perform.ts'
import { performKeyText } from '../../keys/imported/key-text.ts'
import { performFolderScan, performGitView, performHistoryScan } from '../../keys/leaks/scan.ts'
import { mapFileJob } from '../../service/field-names/map-file-job.ts'
import { performPasted } from '../../webhooks/subscriptions/perform-pasted.ts'

const performMapFile = performs(mapFileJob, async ({ path }) => {
  const text = await readChosenText(path, mapLimits.fileBytes)
  if (!text.ok) return text
  const read = readFieldMapFile(text.value, answerFields)
  return ok(read.ok ? ok([...read.value]) : fail([...read.failure]))
})

/** All jobs that read untrusted files and texts. They run only in the parsing process. */
export const performers: readonly Performer[] = [performFolderScan, performHistoryScan, performGitView, performKeyText, performMapFile, performPasted]
