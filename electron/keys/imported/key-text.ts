import { isSecret } from '../../../shared/api/redact.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { readChosenText } from '../../kernel/files/write-private.ts'
import { performs } from '../../kernel/parsing/perform.ts'
import { type KeyInText, type KeyTextGiven, keyTextJob } from './key-text-job.ts'

/**
 * Matches an API key: at least 13 characters after the prefix, including a digit. Without a digit, the text may be an ordinary word. `redactText`
 * uses the same test.
 */
const keyText = /(?<![\w.~+/-])SVC[\w.~+/-]{13,}={0,2}(?![\w.~+/=-])/g
/** How many characters before a key to search for its name. This is enough for any name with its equals sign, quotes and spaces. */
const lookBack = 160
const nameBefore = /([A-Za-z_][A-Za-z0-9_.-]{0,79})["']?\s*[=:]\s*["']?$/

/**
 * Finds API keys in a text: bare, as `NAME=value` lines, in JSON or YAML. Returns each key once. Also searches comments, because they may contain a
 * key.
 */
export function findKeys(text: string): KeyInText[] {
  const found = new Map<string, KeyInText>()
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries())
    for (const match of line.matchAll(keyText)) {
      // A full stop or hyphen at the end belongs to the surrounding text and not to the key.
      const key = match[0].replace(/[.-]+$/, '')
      if (!/\d/.test(key) || !isSecret('key', key) || found.has(key)) continue
      found.set(key, { text: key, name: nameBefore.exec(line.slice(Math.max(0, match.index - lookBack), match.index))?.[1] ?? null, line: index + 1 })
    }
  return [...found.values()]
}

async function readKeyText(given: KeyTextGiven): Promise<Result<KeyInText[], Failure>> {
  const text = 'path' in given ? await readChosenText(given.path) : ok(given.text)
  return text.ok ? ok(findKeys(text.value)) : text
}

export const performKeyText = performs(keyTextJob, readKeyText)
