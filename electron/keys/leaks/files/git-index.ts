import { bytesOf, folded } from './glob.ts'

/** A larger index is not read. */
export const largestIndexBytes = 128 * 1_048_576
const headBytes = 12
/** Times, device, inode, mode, owner, group, size. */
const statBytes = 40
const extended = 0x4000
/** Systems take no longer path. */
const longestName = 65_536

/** Extensions that keep entries elsewhere or stand for a whole folder: a file that is not named may be tracked all the same. */
const partial: ReadonlySet<string> = new Set(['link', 'sdir'])

/** How a store of git writes its index. `fold`: ignore case. */
export interface IndexForm {
  /** 20 for SHA-1, 32 for SHA-256. */
  readonly hashBytes: 20 | 32
  readonly fold: boolean
}

/**
 * The names of the files that git tracks, from the top of the work tree, with `/`, in bytes, by its index (gitformat-index(5), versions 2 to 4). Gives in the
 * end whether it could be read and lists every file.
 */
function* namesIn(index: Buffer, hashBytes: IndexForm['hashBytes']): Generator<string, boolean, undefined> {
  if (index.length < headBytes + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const end = index.length - hashBytes
  let at = headBytes
  let before = ''
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const start = at
    at += statBytes + hashBytes
    if (at + 2 > end) return false
    at += index.readUInt16BE(at) & extended ? 4 : 2
    let kept = ''
    if (version === 4) {
      const cut = offsetAt(index, at, end)
      if (cut === null || cut.value > before.length) return false
      kept = before.slice(0, before.length - cut.value)
      at = cut.next
    }
    const stop = index.indexOf(0, at)
    if (stop < 0 || stop >= end) return false
    const name = kept + index.toString('latin1', at, stop)
    if (name.length > longestName) return false
    yield name
    before = name
    at = version === 4 ? stop + 1 : start + Math.ceil((stop - start + 1) / 8) * 8
  }
  while (at + 8 <= end) {
    if (partial.has(index.toString('latin1', at, at + 4))) return false
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at === end
}

/** Whether git tracks a file. `path`: from the top of the work tree, with `/`. null: the index cannot be read or does not list every file. */
export function isTracked(index: Buffer, path: string, { hashBytes, fold }: IndexForm): boolean | null {
  const same = (text: string) => (fold ? folded(text) : text)
  const wanted = same(bytesOf(path))
  const names = namesIn(index, hashBytes)
  for (let next = names.next(); ; next = names.next()) {
    if (next.done) return next.value ? false : null
    if (next.value.length === wanted.length && same(next.value) === wanted) return true
  }
}

/** What git tracks in a work tree, asked by names in bytes from its top on. */
export interface Tracked {
  file(names: readonly string[]): boolean
  /** Whether a tracked file lies anywhere below. */
  folder(names: readonly string[]): boolean
}

export const nothingTracked: Tracked = { file: () => false, folder: () => false }

/** null: the index cannot be read or does not list every file. */
export function trackedIn(index: Buffer, { hashBytes, fold }: IndexForm): Tracked | null {
  const [files, folders] = [new Set<string>(), new Set<string>()]
  const same = (text: string) => (fold ? folded(text) : text)
  const names = namesIn(index, hashBytes)
  let next = names.next()
  for (; !next.done; next = names.next()) {
    const name = same(next.value)
    files.add(name)
    for (let cut = name.lastIndexOf('/'); cut > 0 && !folders.has(name.slice(0, cut)); cut = name.lastIndexOf('/', cut - 1)) folders.add(name.slice(0, cut))
  }
  const has = (set: ReadonlySet<string>) => (path: readonly string[]) => set.has(same(path.join('/')))
  return next.value ? { file: has(files), folder: has(folders) } : null
}

/** The number of bytes that version 4 cuts off the previous name; encoded like an offset in a pack. */
function offsetAt(index: Buffer, from: number, end: number): { readonly value: number; readonly next: number } | null {
  let at = from
  let value = 0
  for (let read = 0; read < 5 && at < end; read += 1) {
    const byte = index[at] ?? 0
    at += 1
    value = read === 0 ? byte & 0x7f : (value + 1) * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at }
  }
  return null
}
