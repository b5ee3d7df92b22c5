import type { Secret } from '../../kernel/secret.ts'

/** What stands in place of a secret. */
export const maskText = '[secret]'

/** So much of a possible secret may go out while its rest is awaited: no more than the prefix that all of them share says anyway. */
const releasableBytes = 3

/** Shorter encoded pieces would be found in ordinary text. */
const shortestForm = 8

/**
 * The ways in which programs write a secret: as it is, base64 in each of the three positions that it can have in a longer
 * text, hexadecimal, in a URL, in JSON, as UTF-16. Longest first.
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

/** The characters of base64 that depend on the secret alone when `before` bytes (modulo 3) stand before it. */
function base64Core(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6))
}

/**
 * Replaces secrets in a stream of bytes, also where one is split over several chunks. Bytes that cannot be the beginning of
 * one go out at once; at most one form's length less one byte is held.
 */
export interface Mask {
  push(chunk: Buffer): Buffer
  /**
   * What may go out of what is held, for a prompt that waits: up to three bytes. Their place is remembered, so that the rest
   * is still masked.
   */
  release(): Buffer
  /** The rest, at the end of the stream. */
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
  /** Of the held bytes, those that went out already. */
  let released = 0

  /** `wait`: the rest may still become a secret. Longest first, so what waits is longer than what was found. */
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
    // A copy: the chunk may be a piece of a large one.
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

/** Text that is there whole. */
export function masked(text: string, secret: Secret): string {
  const mask = createMask(secretForms(secret))
  return Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString()
}
