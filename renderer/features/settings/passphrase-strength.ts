import { shortestPassphrase } from '../../../shared/lock-limits.ts'

export type Strength = 'short' | 'weak' | 'fair' | 'strong'

export interface StrengthWords {
  readonly strength: Strength
  /** What it lacks, in one sentence. */
  readonly words: string
}

/** Keys beside each other, and rows that everyone counts or recites. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop']
const common = ['passwor', 'passphrase', 'letmein', 'iloveyou', 'welcome', 'svc desk', 'svcdesk']
const run = 4

/** How well a passphrase stands against guessing, as far as its shape tells: length counts, repetition and rows do not. */
export function passphraseStrength(passphrase: string): StrengthWords {
  const characters = [...passphrase]
  if (characters.length < shortestPassphrase) return { strength: 'short', words: `At least ${shortestPassphrase} characters; four words are better.` }
  const plain = passphrase.toLowerCase()
  if (new Set(plain).size < 5) return { strength: 'weak', words: 'Weak: it repeats itself.' }
  if (common.some((word) => plain.includes(word))) return { strength: 'weak', words: 'Weak: it is among the first that are guessed.' }
  const counted = characters.length - inRows(plain)
  if (counted < shortestPassphrase) return { strength: 'weak', words: 'Weak: much of it is a row of keys or digits.' }
  const words = new Set(plain.split(/[\s\-_.,]+/u).filter((word) => word.length > 2)).size
  if (counted >= 20 || (words >= 4 && counted >= 16) || (counted >= 14 && kinds(passphrase) >= 3)) return { strength: 'strong', words: 'Strong.' }
  if (counted >= 12 || (counted >= 10 && kinds(passphrase) >= 3)) return { strength: 'fair', words: 'Fair. Another word makes it strong.' }
  return { strength: 'weak', words: 'Weak: it is short. Add a word or two.' }
}

/** How many characters only go on with a row. */
function inRows(plain: string): number {
  let found = 0
  for (let at = 0; at + run <= plain.length; at += 1) {
    const piece = plain.slice(at, at + run)
    if (rows.some((row) => row.includes(piece) || [...row].reverse().join('').includes(piece))) found += 1
  }
  return found === 0 ? 0 : found + run - 2
}

/** Small letters, capitals, digits, anything else. */
const kinds = (text: string): number => [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length
