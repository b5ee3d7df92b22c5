import { type FileHandle, lstat, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate, inflateSync } from 'node:zlib'

export interface GitObject {
  readonly id: string
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag'
  readonly content: Buffer
}

/** An object of a repository; `null` if the object is too large or cannot be read. */
export type ReadObject = GitObject | null

const kinds: Readonly<Record<number, GitObject['kind']>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const offsetDelta = 6
const namedDelta = 7

/** The largest pack index that the app reads. An index of this size lists three million objects. */
const mostIndexBytes = 96 * 1_048_576
/**
 * Objects whose packed size in bytes is below this limit are unpacked on the main thread, because handing them to another thread would take longer.
 */
const smallBytes = 16 * 1_024
/** The longest chain of deltas that the app follows. git makes chains of at most 50 by default, and never longer ones than this. */
const longestChain = 4_095
/** Maximum memory for base objects that later objects may need. The deltas of one chain have a separate limit of the same size. */
const keptBytes = 32 * 1_048_576
/** The minimum amount of work, in bytes, to count for an entry. Even a small entry takes time, because the app must read it from disk. */
const entryBytes = 4_096
const idBytes = 20

/** How much work the reader may still do for one repository, in bytes that it reads and builds. An object that cannot be built also uses up work. */
export interface Work {
  left: number
}

const inflateElsewhere = promisify(inflate)
export const unpack = (packed: Buffer, most: number): Promise<Buffer> | Buffer =>
  packed.length <= smallBytes ? inflateSync(packed, { maxOutputLength: most }) : inflateElsewhere(packed, { maxOutputLength: most })

interface Unpacked {
  readonly kind: GitObject['kind']
  readonly content: Buffer
}

interface Delta {
  /** The position in the pack of the entry that contains this delta. */
  readonly offset: number
  readonly delta: Buffer
}

/**
 * Reads the positions of a pack’s entries from the pack’s index (gitformat-pack, version 2). Returns null if the index has another version or is
 * damaged.
 */
function entriesOf(
  index: Buffer,
): { readonly ids: (place: number) => string; readonly offsets: number[]; readonly find: (id: string) => number | null } | null {
  if (index.length < 8 + 1_024 + 2 * idBytes || index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2) return null
  const count = index.readUInt32BE(8 + 1_020)
  const names = 8 + 1_024
  const places = names + count * (idBytes + 4)
  const far = places + count * 4
  if (index.length < far + 2 * idBytes) return null
  const idAt = (place: number) => index.toString('hex', names + place * idBytes, names + (place + 1) * idBytes)
  const offsets: number[] = []
  for (let place = 0; place < count; place += 1) {
    const near = index.readUInt32BE(places + place * 4)
    const long = far + (near & 0x7fffffff) * 8
    if (near >= 0x80000000 && long + 8 > index.length) return null
    offsets.push(near < 0x80000000 ? near : Number(index.readBigUInt64BE(long)))
  }
  return {
    ids: idAt,
    offsets,
    find: (id) => {
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >> 1
        if (idAt(middle) < id) low = middle + 1
        else high = middle
      }
      return low < count && idAt(low) === id ? (offsets[low] ?? null) : null
    },
  }
}

/** One open pack. */
export interface Pack {
  /** The position of an object in the pack; null if the pack does not contain it. */
  readonly find: (id: string) => number | null
  /** Builds the object at a position. Returns null if it is too large or damaged. */
  readonly read: (offset: number) => Promise<Omit<GitObject, 'id'> | null>
  readonly objects: () => AsyncGenerator<ReadObject, void, undefined>
  readonly close: () => Promise<void>
}

/**
 * Opens a pack and its index. `mostBytes` limits the size of one object. Returns null if the index is damaged or too large, or if a path is no plain
 * file. Throws file system errors.
 */
export async function openPack(path: string, mostBytes: number, work: Work): Promise<Pack | null> {
  const listPath = path.replace(/\.pack$/, '.idx')
  // Do not open a link or a named pipe. Opening a pipe would block.
  const files = await Promise.all([path, listPath].map((one) => lstat(one)))
  if (!files.every((one) => one.isFile())) return null
  const list = await open(listPath)
  let entries: ReturnType<typeof entriesOf>
  try {
    entries = (await list.stat()).size > mostIndexBytes ? null : entriesOf(await list.readFile())
  } finally {
    await list.close()
  }
  if (entries === null) return null
  const pack = await open(path)
  try {
    const end = (await pack.stat()).size - idBytes
    return { find: entries.find, ...readerOf(pack, end, entries, mostBytes, work), close: () => pack.close() }
  } catch (error) {
    await pack.close()
    throw error
  }
}

/**
 * Yields the objects of one pack in the order of their positions. `mostBytes` limits the size of one object. Once the work limit is reached, yields
 * `null` for every further object. Throws file system errors.
 */
export async function* packedObjects(path: string, mostBytes: number, work: Work): AsyncGenerator<ReadObject, void, undefined> {
  const pack = await openPack(path, mostBytes, work)
  if (pack === null) {
    yield null
    return
  }
  try {
    yield* pack.objects()
  } finally {
    await pack.close()
  }
}

function readerOf(
  pack: FileHandle,
  end: number,
  { ids, offsets, find }: NonNullable<ReturnType<typeof entriesOf>>,
  mostBytes: number,
  work: Work,
): Pick<Pack, 'read' | 'objects'> {
  const order = offsets.map((_, place) => place).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))
  const nextOf = new Map(order.map((place, at) => [offsets[place] ?? 0, offsets[order[at + 1] ?? -1] ?? end]))
  const kept = new Map<number, Unpacked>()
  let held = 0
  const keep = (offset: number, made: Unpacked) => {
    kept.delete(offset)
    kept.set(offset, made)
    held += made.content.length
    for (const [oldest, { content }] of kept) {
      if (held <= keptBytes || oldest === offset) break
      kept.delete(oldest)
      held -= content.length
    }
  }

  const entryAt = async (offset: number) => {
    const next = nextOf.get(offset)
    // Compressed data is at most slightly larger than its content. An entry with this much compressed data must therefore be larger than the limit
    // when unpacked.
    if (next === undefined || next <= offset || next - offset > mostBytes + 65_536) return null
    const bytes = Buffer.allocUnsafe(next - offset)
    const { bytesRead } = await pack.read(bytes, 0, bytes.length, offset)
    if (bytesRead < bytes.length) return null
    let at = 1
    let size = (bytes[0] ?? 0) & 0x0f
    for (let factor = 16; ((bytes[at - 1] ?? 0) & 0x80) !== 0 && at < 9; at += 1, factor *= 128) size += ((bytes[at] ?? 0) & 0x7f) * factor
    const type = ((bytes[0] ?? 0) >> 4) & 0x07
    let base: number | null = null
    if (type === offsetDelta) {
      let back = (bytes[at] ?? 0) & 0x7f
      while (((bytes[at] ?? 0) & 0x80) !== 0 && at < 24) {
        at += 1
        back = (back + 1) * 128 + ((bytes[at] ?? 0) & 0x7f)
      }
      at += 1
      base = offset - back
    } else if (type === namedDelta) {
      base = find(bytes.toString('hex', at, at + idBytes))
      at += idBytes
      if (base === null) return null
    }
    return { type, size, base, packed: bytes.subarray(at) }
  }

  const lost = new Set<number>()

  /**
   * Follows a chain of deltas from an entry to an object that is stored whole or already built. Returns that object with the deltas, which must be
   * applied from the last to the first. Returns null if the chain is broken or exceeds the limit.
   */
  const chainFrom = async (offset: number): Promise<{ readonly base: Unpacked; readonly deltas: readonly Delta[] } | null> => {
    const deltas: Delta[] = []
    const passed = new Set<number>()
    let deltaBytes = 0
    for (let at = offset; ; ) {
      const known = kept.get(at)
      if (known !== undefined) return { base: known, deltas }
      // If a base occurs again, the chain of deltas is a cycle.
      if (passed.has(at) || lost.has(at) || passed.size > longestChain || work.left <= 0) break
      passed.add(at)
      const entry = await entryAt(at)
      if (entry === null || entry.size > mostBytes) break
      work.left -= entryBytes + entry.size
      const content = await unpack(entry.packed, Math.max(1, entry.size))
      const kind = kinds[entry.type]
      if (kind !== undefined) {
        keep(at, { kind, content })
        return { base: { kind, content }, deltas }
      }
      deltaBytes += content.length
      if (entry.base === null || deltaBytes > keptBytes) break
      deltas.push({ offset: at, delta: content })
      at = entry.base
    }
    for (const one of passed) lost.add(one)
    return null
  }

  const read = async (offset: number): Promise<Unpacked | null> => {
    const chain = await chainFrom(offset)
    if (chain === null) return null
    let made = chain.base
    for (const { offset: at, delta } of chain.deltas.toReversed()) {
      const content = work.left <= 0 ? null : applyDelta(made.content, delta, mostBytes)
      if (content === null) return null
      work.left -= content.length
      made = { kind: made.kind, content }
      keep(at, made)
    }
    return made
  }

  return {
    read: (offset) => read(offset).catch(() => null),
    async *objects() {
      for (const place of order) {
        // A damaged entry must not keep the app from reading the other objects.
        const made = await read(offsets[place] ?? 0).catch(() => null)
        yield made === null ? null : { id: ids(place), ...made }
      }
    },
  }
}

function varint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } | null {
  let [value, factor, next] = [0, 1, from]
  for (;;) {
    const byte = bytes[next]
    if (byte === undefined || factor > 2 ** 42) return null
    value += (byte & 0x7f) * factor
    factor *= 128
    next += 1
    if (byte < 0x80) return { value, next }
  }
}

/** Reads a number of which only some bytes are stored, from position `at` on. Each set bit of `mask` means that the corresponding byte is stored. */
function chosen(bytes: Buffer, at: number, mask: number): { readonly value: number; readonly next: number } {
  let [value, next] = [0, at]
  for (let place = 0, left = mask; left > 0; place += 1, left >>= 1) {
    if ((left & 1) === 0) continue
    value += (bytes[next] ?? 0) * 2 ** (8 * place)
    next += 1
  }
  return { value, next }
}

/**
 * Applies a git delta to its base object (gitformat-pack, "Deltified representation"). Returns null if the delta does not fit the base, or if the
 * resulting object is larger than `most` bytes.
 */
export function applyDelta(base: Buffer, delta: Buffer, most: number): Buffer | null {
  const source = varint(delta, 0)
  const target = source === null ? null : varint(delta, source.next)
  if (source === null || target === null || source.value !== base.length || target.value > most) return null
  const made = Buffer.allocUnsafe(target.value)
  let [written, at] = [0, target.next]
  while (at < delta.length) {
    const command = delta[at] ?? 0
    at += 1
    if (command === 0) return null
    const copies = command >= 0x80
    const from = copies ? chosen(delta, at, command & 0x0f) : { value: at, next: at }
    const size = copies ? chosen(delta, from.next, (command >> 4) & 0x07) : { value: command, next: at + command }
    // By definition of the format, a size of zero means 0x10000.
    const length = copies && size.value === 0 ? 0x10000 : size.value
    const [bytes, end] = [copies ? base : delta, from.value + length]
    if (end > bytes.length || written + length > made.length) return null
    bytes.copy(made, written, from.value, end)
    written += length
    at = size.next
  }
  return written === made.length ? made : null
}
