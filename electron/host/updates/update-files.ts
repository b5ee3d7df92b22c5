import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, chmod, copyFile, type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { UpdateIssue } from '../../../shared/ipc/host/app.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { errnoOf } from '../../kernel/failures.ts'
import { syncFolder } from '../../kernel/files/write-private.ts'
import type { ReleaseFile } from './release-statement.ts'

/** The update server: a folder of files. The app sends no credentials and follows no redirect. */
export interface Feed {
  /** Returns the text of a small file; null if the server does not send the whole file within `limit` bytes. */
  text(name: string, limit: number): Promise<string | null>
  /** Yields exactly the bytes of the file from `from` up to `to` (exclusive), or throws. `size`: the size of the whole file. */
  bytes(name: string, from: number, to: number, size: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** The longest time for which the server may send nothing, in ms. */
const silenceMs = 20 * second

/** Opens the update server. `address`: the folder of the update server, with a slash at its end. `close` also closes `dispatcher`. */
export function createFeed(address: string, dispatcher: Dispatcher, version: string): Feed {
  const { origin, pathname } = new URL(address)
  const ask = async (name: string, range: string | null) => {
    const answer = await dispatcher.request({
      ...{ origin, path: `${pathname}${name}`, method: 'GET', headersTimeout: silenceMs, bodyTimeout: silenceMs },
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': `Svc-Desk/${version}`, ...(range !== null && { range }) },
    })
    // A response body that the app does not read ends with an error. Without this listener, the error would end the app.
    answer.body.on('error', () => undefined)
    return answer
  }
  return {
    async text(name, limit) {
      try {
        const { statusCode, body } = await ask(name, null)
        const chunks: Buffer[] = []
        let size = 0
        for await (const chunk of body) {
          size += chunk.length
          if (size > limit) return null
          chunks.push(chunk)
        }
        return statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : null
      } catch {
        return null
      }
    },
    async *bytes(name, from, to, size) {
      const isPart = from > 0 || to < size
      let left = to - from
      try {
        const { statusCode, headers, body } = await ask(name, isPart ? `bytes=${from}-${to - 1}` : null)
        if (isPart ? statusCode !== 206 || headers['content-range'] !== `bytes ${from}-${to - 1}/${size}` : statusCode !== 200) {
          body.destroy()
          throw new Incomplete()
        }
        for await (const chunk of body) {
          left -= chunk.length
          if (left < 0) break
          yield chunk
        }
      } catch (cause) {
        throw new Incomplete('', { cause })
      }
      if (left !== 0) throw new Incomplete()
    },
    close: () => dispatcher.destroy(),
  }
}

class Incomplete extends Error {}

/**
 * The block map of an AppImage lists the file’s blocks. The content decides where a block ends, so two versions have most blocks in common.
 * electron-builder appends the compressed map to the file, and after it the map’s compressed size.
 */
const BlockMap = z.object({
  version: z.literal('2'),
  files: z.tuple([z.object({ offset: z.literal(0), checksums: z.array(z.string()), sizes: z.array(z.number().int().min(1)) })]),
})
interface Block {
  readonly sum: string
  readonly at: number
  readonly size: number
}

const sizeBytes = 4
/** The maximum size of a decompressed block map in bytes, enough for two million blocks. */
const longestMap = 134_217_728
const inflate = promisify(inflateRaw)

/** Reads a compressed block map and returns its blocks. null if the blocks do not add up to `size`, the number of bytes before the map. */
async function blocksOf(compressed: Buffer, size: number): Promise<Block[] | null> {
  try {
    const { checksums, sizes } = BlockMap.parse(JSON.parse((await inflate(compressed, { maxOutputLength: longestMap })).toString('utf8'))).files[0]
    let at = 0
    const blocks = checksums.map((sum, index) => {
      const block = { sum, at, size: sizes[index] ?? 0 }
      at += block.size
      return block
    })
    return at === size && sizes.length === checksums.length ? blocks : null
  } catch {
    return null
  }
}

/** Returns the blocks of an AppImage on this computer; empty if the file has no block map. */
async function ownBlocks(file: FileHandle, size: number): Promise<Block[]> {
  if (size <= sizeBytes) return []
  const { buffer: end } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, size - sizeBytes)
  const length = end.readUInt32BE(0)
  const start = size - sizeBytes - length
  if (length === 0 || length > longestMap || start <= 0) return []
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, start)
  return (await blocksOf(buffer, start)) ?? []
}

/** A part of the new file. `from`: whether its bytes come from the old file or from the server. `at`: the position of the first byte there. */
interface Part {
  readonly from: 'old' | 'feed'
  readonly at: number
  readonly size: number
}

/**
 * Plans how to build the new file. Takes a block from the old file if it is there, and otherwise from the server. Joins neighbouring blocks into
 * one part.
 */
function planOf(old: readonly Block[], wanted: readonly Block[]): Part[] {
  const known = new Map(old.map((block) => [`${block.sum} ${block.size}`, block.at]))
  const parts: Part[] = []
  for (const { sum, at, size } of wanted) {
    const there = known.get(`${sum} ${size}`)
    const part: Part = there === undefined ? { from: 'feed', at, size } : { from: 'old', at: there, size }
    const last = parts.at(-1)
    if (last?.from === part.from && last.at + last.size === part.at) parts[parts.length - 1] = { ...last, size: last.size + size }
    else parts.push(part)
  }
  return parts
}

const pieceBytes = 1_048_576

async function* bytesOf(file: FileHandle, at: number, size: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < size; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(pieceBytes, size - done)), 0, Math.min(pieceBytes, size - done), at + done)
    if (bytesRead === 0) throw new Incomplete()
    done += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const hashOf = async (file: string): Promise<string | null> => {
  const opened = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null)
  if (opened === null) return null
  try {
    const hash = createHash('sha512')
    for await (const piece of bytesOf(opened, 0, (await opened.stat()).size)) hash.update(piece)
    return hash.digest('base64')
  } finally {
    await opened.close()
  }
}

/**
 * Returns the path to which the app downloads an update of `file`. The downloaded file is hidden and in the same folder, so that it can replace
 * `file` in one step.
 */
export const nextOf = (file: string): string => join(dirname(file), `.${basename(file)}.update`)
/** Returns the path of the file that keeps the version from before the last update. */
export const previousOf = (file: string): string => `${file}.previous`

const isExpected = async (path: string, { size, sha512 }: ReleaseFile): Promise<boolean> => {
  const there: Stats | null = await stat(path).catch(() => null)
  return there?.size === size && (await hashOf(path)) === sha512
}

export const isDownloaded = (file: string, wanted: ReleaseFile): Promise<boolean> => isExpected(nextOf(file), wanted)

/** Removes the file of an earlier download of an update for `file`. */
export const removeDownload = (file: string): Promise<void> => rm(nextOf(file), { force: true })

/** Whether the app may replace `file`. It must be a regular file in a folder that the app can write to. Otherwise, the user installs the update. */
export const isReplaceable = async (file: string): Promise<boolean> => {
  const allowed = await access(dirname(file), constants.W_OK).then(
    () => true,
    () => false,
  )
  return allowed && (await stat(file).catch(() => null))?.isFile() === true
}

interface DownloadParts {
  readonly feed: Feed
  /** The path of the running AppImage. The download only reads this file. */
  readonly file: string
  readonly wanted: ReleaseFile
  /** Called during the download. `bytes`: how many bytes of the new file are written so far. */
  readonly progress: (bytes: number) => void
}

/**
 * Downloads an update into the folder of the running AppImage. Copies the blocks that the running file already has, and compares the whole file with
 * the signed statement. If they differ, downloads the whole file once. If that fails too, deletes the downloaded file.
 */
export async function download(parts: DownloadParts): Promise<Result<void, UpdateIssue>> {
  const { file, wanted } = parts
  const next = nextOf(file)
  if (await isExpected(next, wanted)) return ok(undefined)
  try {
    const old = await open(file, constants.O_RDONLY)
    try {
      const plan = await planFor(parts, old)
      if (plan !== null && (await write(parts, old, plan.parts, plan.end))) return ok(undefined)
      if (await write(parts, old, [{ from: 'feed', at: 0, size: wanted.size }], Buffer.alloc(0))) return ok(undefined)
    } finally {
      await old.close()
    }
    await rm(next, { force: true })
    return fail('changed')
  } catch (error) {
    await rm(next, { force: true })
    return fail(issueOf(error))
  }
}

/**
 * Returns the parts of the new file before its block map, and the block map itself with its size as `end`. null if the whole file must be
 * downloaded.
 */
async function planFor({ feed, wanted }: DownloadParts, old: FileHandle): Promise<{ readonly parts: Part[]; readonly end: Buffer } | null> {
  if (wanted.blockMapSize === null) return null
  const known = await ownBlocks(old, (await old.stat()).size)
  const start = wanted.size - wanted.blockMapSize - sizeBytes
  if (known.length === 0 || start <= 0) return null
  const chunks: Buffer[] = []
  try {
    for await (const chunk of feed.bytes(wanted.name, start, wanted.size, wanted.size)) chunks.push(chunk)
  } catch {
    return null
  }
  const end = Buffer.concat(chunks)
  const blocks = await blocksOf(end.subarray(0, wanted.blockMapSize), start)
  return blocks === null ? null : { parts: planOf(known, blocks), end }
}

/** Writes the new file and syncs it to the disk. Returns whether its hash is the one in the signed statement. */
async function write({ feed, file, wanted, progress }: DownloadParts, old: FileHandle, plan: readonly Part[], end: Buffer): Promise<boolean> {
  const next = nextOf(file)
  await rm(next, { force: true })
  const opened = await open(next, 'wx', 0o600)
  try {
    const hash = createHash('sha512')
    let bytes = 0
    const put = async (piece: Buffer): Promise<void> => {
      await opened.writeFile(piece)
      hash.update(piece)
      bytes += piece.length
      progress(bytes)
    }
    for (const { from, at, size } of plan)
      for await (const piece of from === 'old' ? bytesOf(old, at, size) : feed.bytes(wanted.name, at, at + size, wanted.size)) await put(piece)
    await put(end)
    if (hash.digest('base64') !== wanted.sha512) return false
    await opened.chmod((await old.stat()).mode & 0o777)
    await opened.sync()
    return true
  } finally {
    await opened.close()
  }
}

/**
 * Replaces `file` with the downloaded update, and keeps the old file as `<file>.previous`. `file` is a complete version at every moment, because the
 * replacement is one step. Fails with `changed` if the download does not match the statement.
 */
export async function install(file: string, wanted: ReleaseFile): Promise<Result<void, UpdateIssue>> {
  const next = nextOf(file)
  const kept = `${nextOf(file)}.previous`
  try {
    if (!(await isExpected(next, wanted))) {
      await rm(next, { force: true })
      return fail('changed')
    }
    await chmod(next, (await stat(file)).mode & 0o777)
    await rm(kept, { force: true })
    // If the file system has no hard links, as on some USB sticks, copy the file.
    await link(file, kept).catch(() => copyFile(file, kept, constants.COPYFILE_EXCL))
    await rename(kept, previousOf(file))
    await rename(next, file)
    await syncFolder(dirname(file))
    return ok(undefined)
  } catch (error) {
    return fail(issueOf(error))
  } finally {
    // If both names already refer to the same file, the rename does nothing and `kept` still exists. Remove it.
    await rm(kept, { force: true }).catch(() => undefined)
  }
}

function issueOf(error: unknown): UpdateIssue {
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'no_space'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'not_allowed'
    default:
      return error instanceof Incomplete ? 'incomplete' : 'disk'
  }
}
