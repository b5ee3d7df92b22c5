import { isSecret } from '../../shared/api/secret-form.ts'
import { Secret } from '../secrets/secret.ts'

export interface FoundKey {
  readonly secret: Secret
  /** What stands before it on its line, for example `SVC_API_KEY`; null for bare text. */
  readonly name: string | null
  /** Counted from 1. */
  readonly line: number
}

/** As `redactText` tells a key from a word: a digit among at least 13 characters after the prefix. */
const keyText = /(?<![\w.~+/-])SVC[\w.~+/-]{13,}={0,2}(?![\w.~+/=-])/g
const nameBefore = /([A-Za-z_][A-Za-z0-9_.-]{0,79})["']?\s*[=:]\s*["']?$/

/** API keys in a text: bare, as `NAME=value` lines, JSON or YAML. The same key twice is one; comments count, since a key may be kept there. */
export function findKeys(text: string): FoundKey[] {
  const found: FoundKey[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries())
    for (const match of line.matchAll(keyText)) {
      // A full stop or comma at the end belongs to the sentence around it.
      const text = match[0].replace(/[.-]+$/, '')
      if (!/\d/.test(text) || !isSecret('key', text)) continue
      const secret = new Secret(text)
      if (found.some((other) => other.secret.equals(secret))) continue
      found.push({ secret, name: nameBefore.exec(line.slice(0, match.index))?.[1] ?? null, line: index + 1 })
    }
  return found
}
