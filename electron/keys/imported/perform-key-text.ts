import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { readChosenText } from '../../kernel/files/write-private.ts'
import { performs } from '../../kernel/parsing/perform.ts'
import { findKeys } from './key-text.ts'
import { type KeyInText, type KeyTextGiven, keyTextJob } from './key-text-job.ts'

export async function readKeyText(given: KeyTextGiven): Promise<Result<KeyInText[], Failure>> {
  const text = 'path' in given ? await readChosenText(given.path) : ok(given.text)
  return text.ok ? ok(findKeys(text.value)) : text
}

export const performKeyText = performs(keyTextJob, readKeyText)
