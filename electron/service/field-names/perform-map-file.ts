import { answerFields } from '../../../shared/field-map/answer-fields.ts'
import { mapLimits } from '../../../shared/field-map/field-map-entries.ts'
import { readFieldMapFile } from '../../../shared/field-map/read-file.ts'
import { fail, ok } from '../../../shared/result.ts'
import { readChosenText } from '../../kernel/files/write-private.ts'
import { performs } from '../../kernel/parsing/perform.ts'
import { mapFileJob } from './map-file-job.ts'

export const performMapFile = performs(mapFileJob, async ({ path }) => {
  const text = await readChosenText(path, mapLimits.fileBytes)
  if (!text.ok) return text
  const read = readFieldMapFile(text.value, answerFields)
  return ok(read.ok ? ok([...read.value]) : fail([...read.failure]))
})
