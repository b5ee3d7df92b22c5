import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** What became of a file. `in_part`: it is longer than what is read of one. `changed`: it went, or became something else meanwhile. */
export type TextOutcome = 'whole' | 'in_part' | 'binary' | 'not_allowed' | 'changed' | 'failed'

export interface TextParts {
  /** Read into again and again; its length is that of a piece. */
  readonly buffer: Buffer
  readonly mostBytes: number
  /** Bytes as Latin-1; UTF-16 comes as UTF-8. */
  readonly onText: (text: string) => void
  readonly onBytes: (bytes: number) => void
}

/** As git tells: a NUL this near the beginning. */
const lookedAtBytes = 8_192

const outcomes: Readonly<Record<string, TextOutcome>> = {
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  ENOENT: 'changed',
  ENOTDIR: 'changed',
  EISDIR: 'changed',
  ELOOP: 'changed',
  ENXIO: 'changed',
}

/** For an error of the file system. */
export const outcomeOf = (error: unknown): TextOutcome => outcomes[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? 'failed'

/** Windows writes UTF-16 with a byte order mark, for example by `>` in PowerShell; editors and databases leave it out. */
function wideDecoder(first: Buffer): TextDecoder | null {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be')
  const [even, odd] = [0, 0].map((_, from) => zeros(first.subarray(0, lookedAtBytes), from)) as [number, number] // two of two
  // Half of the bytes of a text in Latin letters are zero, all on one side.
  const most = Math.min(first.length, lookedAtBytes) / 4
  if (even === 0 && odd > 0 && odd >= most) return new TextDecoder('utf-16le')
  return odd === 0 && even > 0 && even >= most ? new TextDecoder('utf-16be') : null
}

/** Zeros at every second byte. */
function zeros(bytes: Buffer, from: number): number {
  let count = 0
  for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) count += 1
  return count
}

/** Bytes as Latin-1; UTF-16 comes as UTF-8. null: it is no text. */
export function textOf(content: Buffer): string | null {
  const wide = wideDecoder(content)
  if (wide !== null) return Buffer.from(wide.decode(content)).toString('latin1')
  return content.subarray(0, lookedAtBytes).includes(0) ? null : content.toString('latin1')
}

/** Reads a file piece by piece, never through a link, and never writes. */
export async function readText(path: string, { buffer, mostBytes, onText, onBytes }: TextParts): Promise<TextOutcome> {
  try {
    // Without waiting for the other end, should it have become a pipe.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      let wide: TextDecoder | null = null
      for (let total = 0; ; ) {
        const asked = Math.min(buffer.length, mostBytes - total + 1)
        const { bytesRead } = await file.read(buffer, 0, asked)
        const piece = buffer.subarray(0, bytesRead)
        if (total === 0) {
          wide = wideDecoder(piece)
          if (wide === null && piece.subarray(0, lookedAtBytes).includes(0)) return 'binary'
        }
        total += bytesRead
        onBytes(bytesRead)
        if (bytesRead > 0) onText(wide === null ? piece.toString('latin1') : Buffer.from(wide.decode(piece, { stream: true })).toString('latin1'))
        if (total > mostBytes) return 'in_part'
        if (bytesRead < asked) return 'whole'
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    return outcomeOf(error)
  }
}
