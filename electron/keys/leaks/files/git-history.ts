import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { type GitObject, packedObjects, type ReadObject, unpack, type Work } from './git-pack.ts'
import { lookedAtBytes, wideDecoder } from './walk.ts'
import { isShare, readPlain } from './work-tree.ts'

export interface HistoryParts {
  /** The folder with the repository's data: `.git`, or for a linked work tree the folder that all work trees share. */
  readonly store: string
  /** Maximum unpacked size in bytes: of one object, and of all objects together. */
  readonly limits: { readonly objectBytes: number; readonly bytes: number }
  readonly onObject: (object: GitObject) => void | Promise<void>
  /** Called after each object. If it returns true, the reading stops. */
  readonly stops: () => boolean
}

/** `in_part`: stopped at the byte limit, or left out objects that were unreadable or too large. `none`: the folder has no history. */
export type HistoryOutcome = 'whole' | 'in_part' | 'none'

/**
 * How many bytes of work the reader may do for each byte that it may return. The number is above 1, because building an object may require building
 * its base objects again.
 */
const workFactor = 8

const objectHead = /^(commit|tree|blob|tag) \d+\0/
const isFolderOfObjects = /^[0-9a-f]{2}$/
const isRestOfId = /^[0-9a-f]{38}$/

const names = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort()

export async function looseObject(path: string, id: string, mostBytes: number, work: Work): Promise<ReadObject> {
  try {
    const about = await lstat(path)
    if (!about.isFile() || about.size > mostBytes) return null
    const bytes = await unpack(await readFile(path), mostBytes + 64)
    work.left -= bytes.length
    const head = objectHead.exec(bytes.toString('latin1', 0, 32))
    return head === null ? null : { id, kind: head[1] as GitObject['kind'], content: bytes.subarray(head[0].length) } // a kind from `objectHead`
  } catch {
    return null
  }
}

/**
 * Reads a file of one object in pieces, so that it may be of any size. Passes the content on as `readText` does.
 */
export async function streamLoose(path: string, onText: (text: string) => void): Promise<'whole' | 'binary' | 'failed'> {
  let isBinary = false
  try {
    await pipeline(createReadStream(path), createInflate({ chunkSize: 65_536 }), async (pieces: AsyncIterable<Buffer>) => {
      let wide: TextDecoder | null = null
      let isFirst = true
      for await (const piece of pieces) {
        let content = piece
        if (isFirst) {
          isFirst = false
          content = piece.subarray(objectHead.exec(piece.toString('latin1', 0, 32))?.[0].length ?? 0)
          wide = wideDecoder(content)
          if (wide === null && content.subarray(0, lookedAtBytes).includes(0)) {
            isBinary = true
            return
          }
        }
        onText(wide === null ? content.toString('latin1') : Buffer.from(wide.decode(content, { stream: true })).toString('latin1'))
      }
    })
    return isBinary ? 'binary' : 'whole'
  } catch {
    // Ending early, as for a binary object, ends the streams without a failure of theirs.
    return isBinary ? 'binary' : 'failed'
  }
}

/**
 * Limits for a repository's alternates, which are other folders with objects that the repository uses: the number of alternates, and the size of the
 * file that lists them.
 */
const mostAlternates = 16
const largestListBytes = 65_536

/**
 * The object folders of other repositories that the folder `objects` uses (gitrepository-layout(5)); null if the list of folders cannot be read or is
 * too long.
 */
export async function alternatesOf(objects: string): Promise<readonly string[] | null> {
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
    // Read the objects in this folder, but not in further folders that it refers to. If the folder is missing or refers to further folders, report
    // the result as incomplete.
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
      // The index of this pack is missing, or git repacked automatically during the read, so some objects may be missing.
      yield null
    }
  }
}

/**
 * Passes on every object in a git repository one at a time, even objects that no commit uses: all file versions, file names and messages. Reads
 * git’s files itself, so git need not be installed, and writes nothing. At any time, memory holds at most the object list of one pack, one object,
 * 32 MiB of base objects and 32 MiB of deltas. Failed attempts to build an object also count towards the work limit.
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
