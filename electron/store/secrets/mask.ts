import type { Secret } from '../../kernel/secret.ts'

export const maskText = '[secret]'

/**
 * How many bytes the mask may output before it knows whether they begin a secret. All secrets start with the same characters, at least this many,
 * so these bytes reveal nothing.
 */
const releasableBytes = 3

/** Minimum length of an encoded secret to search for. Ordinary text could contain a shorter one by chance. */
const shortestForm = 8

/**
 * The ways in which programs write a secret: plain, base64 at each of its three possible positions in a longer text, hexadecimal, in a URL, in JSON,
 * as UTF-16. Longest first.
 */
export function secretForms(secret: Secret): Buffer[] {
  const value = secret.reveal()
  const bytes = Buffer.from(value)
  const base64 = [...[0, 1, 2].map((before) => base64Core(bytes, before)), bytes.toString('base64').replace(/=+$/, '')]
  const hex = bytes.toString('hex')
  const encoded = [
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
  ].filter((text) => text.length >= shortestForm)
  const texts = [...new Set([value, ...encoded])].filter((text) => text !== '')
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(value, 'utf16le')].sort((a, b) => b.length - a.length)
}

/**
 * Returns the base64 characters that always encode the secret if `before` bytes (0, 1 or 2) precede it. Leaves out the characters at both ends,
 * because those also encode neighbouring bytes.
 */
function base64Core(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6))
}

/**
 * Replaces secrets in a stream of bytes, even if a secret is split over several chunks. Holds back only bytes that may start a secret: at most
 * one byte less than the longest encoded form. Outputs all other bytes at once.
 */
export interface Mask {
  push(chunk: Buffer): Buffer
  /**
   * Outputs up to three of the bytes that are held back, so that a prompt which waits for input appears. Counts these bytes. If they turn out to
   * start a secret, the mask still hides all later bytes of that secret.
   */
  release(): Buffer
  end(): Buffer
}

export function createMask(forms: readonly Buffer[]): Mask {
  const mask = Buffer.from(maskText)
  const byFirst = new Map<number, Buffer[]>()
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const [first] = form
    if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), form])
  }
  let held: Buffer = Buffer.alloc(0)
  /** How many of the bytes that the mask still holds back it has already output. */
  let released = 0

  /**
   * Looks for the secret, in any encoding, at position `from`. Returns the matching bytes; null if there is no match; `wait` if later bytes may
   * complete a match. Tries the longest encoding first, so that a short match cannot hide a longer one.
   */
  const at = (buffer: Buffer, from: number, final: boolean): Buffer | 'wait' | null => {
    const left = buffer.length - from
    for (const form of byFirst.get(buffer[from] ?? -1) ?? []) {
      const compared = Math.min(form.length, left)
      if (buffer.compare(form, 0, compared, from, from + compared) !== 0) continue
      if (compared === form.length) return form
      if (!final) return 'wait'
    }
    return null
  }

  const take = (buffer: Buffer, final: boolean): Buffer => {
    const out: Buffer[] = []
    let plainFrom = 0
    let position = 0
    const plain = () => {
      const from = Math.max(plainFrom, Math.min(released, position))
      if (position > from) out.push(buffer.subarray(from, position))
    }
    while (position < buffer.length) {
      const found = at(buffer, position, final)
      if (found === 'wait') break
      if (found === null) position += 1
      else {
        plain()
        out.push(mask)
        position += found.length
        plainFrom = position
      }
    }
    plain()
    released = Math.max(0, released - position)
    // Copy the bytes that are held back. A slice would keep the whole chunk in memory, which may be large.
    held = Buffer.from(buffer.subarray(position))
    return Buffer.concat(out)
  }

  return {
    push: (chunk) => take(held.length === 0 ? chunk : Buffer.concat([held, chunk]), false),
    release() {
      const upTo = Math.max(released, Math.min(held.length, releasableBytes))
      const out = held.subarray(released, upTo)
      released = upTo
      return out
    },
    end: () => take(held, true),
  }
}

export function masked(text: string, secret: Secret): string {
  const mask = createMask(secretForms(secret))
  return Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString()
}
