import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GitObject, packedObjects, type ReadObject, unpack, type Work } from './git-pack.ts'
import { isShare, readPlain } from './work-tree.ts'

export interface HistoryParts {
  /** The `.git` folder of a work tree. For linked work trees, the folder that they share. */
  readonly store: string
  /** Largest unpacked size of one object, and of all of them together. */
  readonly limits: { readonly objectBytes: number; readonly bytes: number }
  readonly onObject: (object: GitObject) => void | Promise<void>
  /** Called after each object; true stops the reading. */
  readonly stops: () => boolean
}

/** `in_part`: reached the byte limit, or some objects were unreadable or too large. `none`: the folder has no history. */
export type HistoryOutcome = 'whole' | 'in_part' | 'none'

/** Bytes of work allowed for each byte returned. Building an object may require building its base objects again. */
const workFactor = 8

const objectHead = /^(commit|tree|blob|tag) \d+\0/
const isFolderOfObjects = /^[0-9a-f]{2}$/
const isRestOfId = /^[0-9a-f]{38}$/

const names = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort()

/** Reads an object stored in its own file. */
async function looseObject(path: string, id: string, mostBytes: number, work: Work): Promise<ReadObject> {
  try {
    const about = await lstat(path)
    if (!about.isFile() || about.size > mostBytes) return null
    const bytes = await unpack(await readFile(path), mostBytes + 64)
    work.left -= bytes.length
    const head = objectHead.exec(bytes.toString('latin1', 0, 32))
    return head === null ? null : { id, kind: head[1] as GitObject['kind'], content: bytes.subarray(head[0].length) } // the groups of the pattern itself
  } catch {
    return null
  }
}

/** A repository may list other object folders. These limit how many are read, and how long the list may be. */
const mostAlternates = 16
const largestListBytes = 65_536

/** The object folders from which the folder `objects` borrows (gitrepository-layout(5)); null if the list cannot be read or is too long. */
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
    // Does not follow further: a folder that is missing, or that itself borrows objects, makes the result incomplete.
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
      // The pack has no index, or it disappeared because git repacked automatically.
      yield null
    }
  }
}

/**
 * Returns every object in a git repository, reachable or not, one at a time: all file versions, file names and messages.
 * Reads the files itself, so git need not be installed, and writes nothing. Keeps in memory at most the object list of one pack, one object, 32 MiB
 * of bases and 32 MiB of deltas. Objects that cannot be built also count as work.
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
