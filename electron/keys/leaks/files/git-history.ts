import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitObject, packedObjects, type ReadObject, unpack, type Work } from './git-pack.ts'
import { isShare, readPlain } from './work-tree.ts'

export interface HistoryParts {
  /** The `.git` folder of a work tree; of several that share one, the common one. */
  readonly store: string
  /** Of one object, and of all of them together, unpacked. */
  readonly limits: { readonly objectBytes: number; readonly bytes: number }
  readonly onObject: (object: GitObject) => void | Promise<void>
  /** Asked after each object: whether to read no further. */
  readonly stops: () => boolean
}

/** `in_part`: at the limit of bytes, or some objects could not be read or are larger than one may be. `none`: there is no history in it. */
export type HistoryOutcome = 'whole' | 'in_part' | 'none'

/** Bytes that are read and made for each one that is given: objects are made from others, which may be made again. */
const workFactor = 8

const objectHead = /^(commit|tree|blob|tag) \d+\0/
const isFolderOfObjects = /^[0-9a-f]{2}$/
const isRestOfId = /^[0-9a-f]{38}$/

const names = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort()

/** An object that lies in a file of its own. */
async function looseObject(path: string, id: string, mostBytes: number, work: Work): Promise<ReadObject> {
  try {
    const about = await lstat(path)
    if (!about.isFile() || about.size > mostBytes) return null
    const bytes = await unpack(await readFile(path), mostBytes + 64)
    work.left -= bytes.length
    const head = objectHead.exec(bytes.toString('latin1', 0, 32))
    return head === null ? null : { id, kind: head[1] as GitObject['kind'], content: bytes.subarray(head[0].length) } // the pattern's own words
  } catch {
    return null
  }
}

/** Other folders of objects that a store may name, and what it costs to read their list. */
const mostAlternates = 16
const largestListBytes = 65_536

/** The folders of objects that one takes others from (gitrepository-layout(5)). null: the list cannot be read, or is too long. */
async function alternatesOf(objects: string): Promise<readonly string[] | null> {
  try {
    const text = (await readPlain(join(objects, 'info', 'alternates'), largestListBytes))?.toString('utf8') ?? ''
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const isRead = lines.length <= mostAlternates && lines.every((line) => !line.startsWith('"') && !isShare(line))
    return isRead ? lines.map((line) => resolve(objects, line)) : null
  } catch {
    return null
  }
}

async function* objectsIn(store: string, mostBytes: number, work: Work): AsyncGenerator<ReadObject, void, undefined> {
  const own = join(store, 'objects')
  const others = await alternatesOf(own)
  if (others === null) yield null
  yield* objectsBelow(own, mostBytes, work)
  for (const other of others ?? []) {
    // One that is gone, or takes from others in turn: those are not followed.
    const isWhole = (await lstat(other).catch(() => null))?.isDirectory() === true && (await alternatesOf(other))?.length === 0
    if (!isWhole) yield null
    yield* objectsBelow(other, mostBytes, work)
  }
}

async function* objectsBelow(objects: string, mostBytes: number, work: Work): AsyncGenerator<ReadObject, void, undefined> {
  for (const folder of (await names(objects)).filter((name) => isFolderOfObjects.test(name)))
    for (const rest of (await names(join(objects, folder))).filter((name) => isRestOfId.test(name)))
      yield looseObject(join(objects, folder, rest), `${folder}${rest}`, mostBytes, work)
  for (const name of (await names(join(objects, 'pack'))).filter((one) => one.endsWith('.pack'))) {
    try {
      yield* packedObjects(join(objects, 'pack', name), mostBytes, work)
    } catch {
      // Without its list, or gone since: git repacks by itself.
      yield null
    }
  }
}

/**
 * Gives every object that a store of git holds, reachable or not, one after another: all versions of all files, names of files, and
 * messages. Reads the files itself, so git need not be there. Nothing is written, and no more is held than a list of the objects of one pack,
 * one object, 32 MiB of those that others are made from and 32 MiB of what changes them. The work for objects that come to nothing counts, too.
 */
export async function readHistory({ store, limits, onObject, stops }: HistoryParts): Promise<HistoryOutcome> {
  let [bytes, read, missed] = [0, 0, false]
  const work: Work = { left: workFactor * limits.bytes }
  for await (const object of objectsIn(store, limits.objectBytes, work)) {
    if (stops()) break
    if (work.left <= 0) return 'in_part'
    if (object === null) {
      missed = true
      continue
    }
    read += 1
    bytes += object.content.length
    if (bytes > limits.bytes) return 'in_part'
    await onObject(object)
  }
  if (missed) return 'in_part'
  return read === 0 ? 'none' : 'whole'
}
