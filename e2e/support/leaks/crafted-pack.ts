import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

const idBytes = 20
const idOf = (place: number): Buffer => Buffer.from(place.toString(16).padStart(2 * idBytes, '0'), 'hex')

/**
 * An entry of a git pack as a program other than git might write it. `base`: the base of a delta, as distance back in the pack or as index in the
 * list; null if the entry is not a delta.
 */
export interface CraftedEntry {
  readonly content: Buffer
  readonly base: { readonly back: number } | { readonly named: number } | null
}

/** Encodes a number in groups of seven bits, lowest group first. */
export function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.from([...bytes, left])
}

/** Encodes the distance from a delta back to its base, as in gitformat-pack(5). */
function backwards(back: number): Buffer {
  const bytes = [back & 0x7f]
  for (let left = Math.floor(back / 128); left > 0; left = Math.floor(left / 128)) {
    left -= 1
    bytes.unshift((left & 0x7f) | 0x80)
  }
  return Buffer.from(bytes)
}

const packed = new WeakMap<Buffer, Buffer>()
/** Compresses an entry’s content. Caches the result, because several entries may have the same content. */
function pack(content: Buffer): Buffer {
  const done = packed.get(content) ?? deflateSync(content, { level: 9 })
  packed.set(content, done)
  return done
}

function entryBytes({ content, base }: CraftedEntry): Buffer {
  const type = base === null ? 3 : 'back' in base ? 6 : 7
  const high = Math.floor(content.length / 16)
  const first = (type << 4) | (content.length & 0x0f) | (high > 0 ? 0x80 : 0)
  const where = base === null ? Buffer.alloc(0) : 'back' in base ? backwards(base.back) : idOf(base.named)
  return Buffer.concat([Buffer.from([first]), high > 0 ? varint(high) : Buffer.alloc(0), where, pack(content)])
}

export function craftPack(store: string, entries: readonly CraftedEntry[]): number {
  const parts = entries.map(entryBytes)
  const offsets: number[] = []
  let end = 12
  for (const part of parts) {
    offsets.push(end)
    end += part.length
  }
  const head = Buffer.concat([Buffer.from('PACK'), uint32(2), uint32(entries.length)])
  const whole = Buffer.concat([head, ...parts, Buffer.alloc(idBytes)])
  // The index has 256 counters, one per first byte of an id. All ids here start with byte 0, so every counter is the total.
  const fanOut = Buffer.concat(Array.from({ length: 256 }, () => uint32(entries.length)))
  const list = Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63]),
    uint32(2),
    fanOut,
    ...entries.map((_, place) => idOf(place)),
    Buffer.alloc(4 * entries.length),
    ...offsets.map(uint32),
    Buffer.alloc(2 * idBytes),
  ])
  const folder = join(store, 'objects', 'pack')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'pack-crafted.pack'), whole)
  writeFileSync(join(folder, 'pack-crafted.idx'), list)
  return whole.length
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A git delta that copies its base (`baseBytes` bytes) and appends one letter. */
export const addsLetter = (baseBytes: number): Buffer =>
  Buffer.concat([varint(baseBytes), varint(baseBytes + 1), Buffer.from([0xb0, baseBytes & 0xff, baseBytes >> 8, 1, 0x41])])
