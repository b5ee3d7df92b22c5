import type { FormIssue } from '../ipc/form-issue.ts'
import { fail, ok, type Result } from '../result.ts'

/**
 * The words of one command, as bash would pass them to a program. If part of the command is unreadable, this is a failure that quotes this part.
 * Words are bytes instead of text, because `$'…'` can contain any byte.
 */
export type BashWords = Result<readonly Uint8Array[], FormIssue>

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, E: 27, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63 }
const encoder = new TextEncoder()
const lineBreak = /^(?:\r\n|\n)/
/** Matches what follows the backslash in a `$'…'` escape. Each kind of escape has its own group. */
const code = /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([@-_a-z]))/

const expanded: FormIssue = ['onlyShellKnows']

interface Piece {
  readonly bytes: readonly number[]
  readonly length: number
}

/** Reads one backslash escape inside `$'…'`. A backslash without a known escape is kept as text. */
function escapeAt(text: string): Result<Piece, FormIssue> {
  const plain = escapes[text.charAt(1)]
  if (plain !== undefined) return ok({ bytes: [plain], length: 2 })
  const [whole, hex, octal, short, long, control] = code.exec(text.slice(1)) ?? []
  if (whole === undefined) return ok({ bytes: [92], length: 1 })
  const length = whole.length + 1
  const point = short ?? long
  if (control !== undefined) return ok({ bytes: [control.toUpperCase().charCodeAt(0) & 31], length })
  const value = point !== undefined ? Number.parseInt(point, 16) : hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '', 8) & 255
  if (value === 0) return fail(['zeroByte'])
  if (point === undefined) return ok({ bytes: [value], length })
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return fail(['noCharacter', `\\${whole}`])
  return ok({ bytes: [...encoder.encode(String.fromCodePoint(value))], length })
}

/** Reads the first piece of a word: a quoted part, an escape, or a single character. */
function pieceAt(text: string): Result<Piece, FormIssue> {
  const plain = (from: number, to: number, length: number): Result<Piece, FormIssue> => ok({ bytes: [...encoder.encode(text.slice(from, to))], length })
  if (text.startsWith("'")) {
    const end = text.indexOf("'", 1)
    return end === -1 ? fail(['quoteNotClosed', "'"]) : plain(1, end, end + 1)
  }
  if (text.startsWith("$'")) return quotedPiece(text, 2, "'", escapeAt)
  if (text.startsWith('"')) return quotedPiece(text, 1, '"', inDoubleQuotes)
  if (text.startsWith('$"')) return quotedPiece(text, 2, '"', inDoubleQuotes)
  if (text.startsWith('\\')) {
    const broken = lineBreak.exec(text.slice(1))
    if (broken !== null) return ok({ bytes: [], length: 1 + broken[0].length })
    const next = String.fromCodePoint(text.codePointAt(1) ?? 92)
    return plain(1, 1 + next.length, 1 + next.length)
  }
  if (expands(text)) return fail(expanded)
  return plain(0, String.fromCodePoint(text.codePointAt(0) ?? 0).length, String.fromCodePoint(text.codePointAt(0) ?? 0).length)
}

const expands = (text: string): boolean => /^(?:\$[A-Za-z0-9_{(@*#?$!-]|`)/.test(text)

function inDoubleQuotes(text: string): Result<Piece, FormIssue> {
  const broken = lineBreak.exec(text.slice(1))
  if (broken !== null) return ok({ bytes: [], length: 1 + broken[0].length })
  return '$`"\\'.includes(text.charAt(1)) && text.length > 1 ? ok({ bytes: [text.charCodeAt(1)], length: 2 }) : ok({ bytes: [92], length: 1 })
}

function quotedPiece(text: string, from: number, quote: "'" | '"', readEscape: (text: string) => Result<Piece, FormIssue>): Result<Piece, FormIssue> {
  const bytes: number[] = []
  let at = from
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === quote) return ok({ bytes, length: at + 1 })
    if (character === '\\') {
      const escaped = readEscape(text.slice(at, at + 12))
      if (!escaped.ok) return escaped
      for (const byte of escaped.value.bytes) bytes.push(byte)
      at += escaped.value.length
      continue
    }
    if (quote === '"' && expands(text.slice(at, at + 2))) return fail(expanded)
    // For speed, read all ordinary characters up to the next special character at once.
    const rest = quote === '"' ? /["\\$`]/g : /['\\]/g
    rest.lastIndex = at + 1
    const end = rest.exec(text)?.index ?? text.length
    for (const byte of encoder.encode(text.slice(at, end))) bytes.push(byte)
    at = end
  }
  return fail(['quoteNotClosed', quote])
}

/**
 * Reads the words of the first command in a text, skipping comments before it. An unquoted line break, `;`, `|`, `&`, `<` or `>` ends the command.
 */
export function readBashWords(given: string): BashWords {
  const text = given.toWellFormed()
  const words: Uint8Array[] = []
  let word: number[] | null = null
  const end = () => {
    if (word !== null) words.push(Uint8Array.from(word))
    word = null
  }
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (word === null && character === '#') {
      const line = text.indexOf('\n', at)
      at = line === -1 ? text.length : line
      continue
    }
    if (/[\n;|&<>]/.test(character)) {
      end()
      if (words.length > 0) return ok(words)
      at += 1
      continue
    }
    if (/[ \t]/.test(character) || (character === '\r' && text.charAt(at + 1) === '\n')) {
      end()
      at += 1
      continue
    }
    const continued = character === '\\' ? lineBreak.exec(text.slice(at + 1, at + 3)) : null
    if (continued !== null) {
      at += 1 + continued[0].length
      continue
    }
    const piece = pieceAt(text.slice(at))
    if (!piece.ok) return piece
    const { bytes, length } = piece.value
    word ??= []
    for (const byte of bytes) word.push(byte)
    at += length
  }
  end()
  return ok(words)
}
