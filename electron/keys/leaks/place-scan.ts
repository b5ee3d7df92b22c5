import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { foldsCase } from '../../kernel/files/write-private.ts'
import { mayHoldSecret } from './candidates.ts'
import { createDetector, type Spot } from './detector.ts'
import { alternatesOf, looseObject, streamLoose } from './files/git-history.ts'
import { type GitObject, openPack, type Pack } from './files/git-pack.ts'
import { outcomeOf, readText, type TextOutcome, textOf, walk } from './files/walk.ts'
import { entriesIn, type IndexEntry, largestIndexBytes, readPlain, type Store, storeIn, storeOf, workTreeOf } from './files/work-tree.ts'
import type { Fingerprints } from './scan-job.ts'

// The search of `svc-desk scan`, which runs in a process of its own without any secret: it compares with fingerprints only. Unlike the app's leak
// guard, it has no limits on sizes and numbers that would stop a check of a large repository.

/** A secret at a place. Never contains the secret itself. Lines and columns start at 1; columns count characters. */
export interface PlaceFound extends Pick<Spot, 'kind' | 'form' | 'sure' | 'line' | 'column'> {
  /** The id of the key or webhook whose secret was found; null if no fingerprint matches. */
  readonly keyId: string | null
  readonly path: string
  /** Where the secret is: in the content of the file or commit message, or in a name of the path. */
  readonly where: 'file' | 'name' | 'message'
  /** The commit that brought the secret, for a search of the history. */
  readonly commit: string | null
}

/**
 * Why something was not searched. `missing`: git's data lack the object. `shallow`: the clone has no older commits. `git_unread`: git's data have a
 * form that cannot be read. The others are as in the leak guard.
 */
interface PlaceUnread {
  readonly path: string
  readonly why: 'in_part' | 'not_allowed' | 'changed' | 'failed' | 'missing' | 'shallow' | 'git_unread'
}

export interface PlaceSum {
  readonly found: PlaceFound[]
  readonly unread: PlaceUnread[]
  /** Names of files and folders that contain a secret and must not be shown. */
  readonly hidden: Set<string>
  /** What was left out on purpose. `submodule`: another repository inside this one, in git's data. */
  readonly skipped: Record<'binary' | 'ignored' | 'link' | 'special' | 'submodule', number>
  files: number
  commits: number
  /** True if the search stopped because it had found `mostFound` secrets. */
  tooMany: boolean
}

export const noPlaces = (): PlaceSum => ({
  found: [],
  unread: [],
  hidden: new Set(),
  skipped: { binary: 0, ignored: 0, link: 0, special: 0, submodule: 0 },
  files: 0,
  commits: 0,
  tooMany: false,
})

interface PlaceParts {
  readonly fingerprints: Pick<Fingerprints, 'recognise'>
  readonly sum: PlaceSum
}

const mostFound = 10_000
const pieceBytes = 1_048_576
/** How much of a piece to look at again with the next one. More than the longest encoded start of a secret, with the break of an indented line. */
const overlap = 1_024
/** The largest object of git that is held in memory. Larger ones that are not packed are read in pieces. */
const objectBytes = 64 * 1_048_576

function createTally({ fingerprints, sum }: PlaceParts) {
  const at = ({ path, where, commit }: Pick<PlaceFound, 'path' | 'where' | 'commit'>) =>
    createDetector(fingerprints, ({ kind, form, sure, line, column, recognised }) => {
      if (where === 'name') sum.hidden.add(basename(path))
      if (sum.found.length < mostFound) sum.found.push({ kind, form, sure, line, column, keyId: recognised?.keyId ?? null, path, where, commit })
      else sum.tooMany = true
    })
  const text = (content: string, place: Pick<PlaceFound, 'path' | 'where' | 'commit'>): void => {
    if (!mayHoldSecret(content)) return
    const detector = at(place)
    detector.push(content)
    detector.end()
  }
  return {
    at,
    text,
    name: (path: string, commit: string | null) => text(Buffer.from(basename(path)).toString('latin1'), { path, where: 'name', commit }),
    content(bytes: Buffer, place: Pick<PlaceFound, 'path' | 'where' | 'commit'>): void {
      const read = textOf(bytes)
      if (read === null) sum.skipped.binary += 1
      else {
        sum.files += 1
        text(read, place)
      }
    },
    unread: (path: string, why: PlaceUnread['why']) => void sum.unread.push({ path, why }),
  }
}

/** Searches files and folders. A path must exist and lead through no link. */
export async function scanPlaces(paths: readonly string[], ignoredToo: boolean, platform: NodeJS.Platform, parts: PlaceParts): Promise<void> {
  const { sum } = parts
  const tally = createTally(parts)
  const seen = new Set<string>()
  const buffer = Buffer.allocUnsafe(pieceBytes)

  const end = (path: string, outcome: TextOutcome) => {
    if (outcome === 'binary') sum.skipped.binary += 1
    else if (outcome !== 'whole') tally.unread(path, outcome)
    if (outcome === 'whole') sum.files += 1
  }
  const readAll = async (path: string) => {
    const detector = tally.at({ path, where: 'file', commit: null })
    const outcome = await readText(path, { buffer, mostBytes: Number.MAX_SAFE_INTEGER, onText: detector.push, onBytes: () => undefined })
    detector.end()
    end(path, outcome)
  }
  const file = async (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    const quick = readQuickly(path, buffer)
    if (typeof quick === 'string') return end(path, quick)
    if ('long' in quick) return readAll(path)
    tally.content(buffer.subarray(0, quick.bytes), { path, where: 'file', commit: null })
  }

  for (const root of paths) {
    const about = await lstat(root)
    tally.name(root, null)
    if (about.isFile()) await file(root)
    else if (!about.isDirectory()) sum.skipped.special += 1
    else {
      const files = walk({
        root,
        ignoredToo,
        fold: foldsCase(platform),
        onFolder: () => undefined,
        onName: (path) => tally.name(path, null),
        onSkipped: (what) => {
          if (what !== 'git') sum.skipped[what] += 1
        },
        // If git cannot say which files it tracks, the walk reads the ignored ones, too. Nothing is left out.
        onUnread: (path, why) => (why === 'tracked_unknown' ? undefined : end(path, why)),
      })
      for await (const { path } of files) {
        if (sum.tooMany) return
        await file(path)
      }
    }
  }
}

/**
 * Reads a file at once into the buffer, faster than the usual way. Returns how many bytes it has, or why it cannot be read. `long`: the file does
 * not fit, and a secret may begin in it.
 */
function readQuickly(path: string, buffer: Buffer): { readonly bytes: number } | { readonly long: true } | TextOutcome {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return outcomeOf(error)
  }
  try {
    if (!fstatSync(file).isFile()) return 'changed'
    const fill = (from: number): number => {
      let bytes = from
      for (let read = 1; read > 0 && bytes < buffer.length; bytes += read) read = readSync(file, buffer, bytes, buffer.length - bytes, null)
      return bytes
    }
    let bytes = fill(0)
    if (bytes < buffer.length) return { bytes }
    const first = textOf(buffer.subarray(0, bytes))
    if (first === null) return 'binary'
    // A text in UTF-16 is changed on the way, so it is read in the usual way.
    if (first.length !== bytes) return { long: true }
    while (!mayHoldSecret(buffer.toString('latin1', 0, bytes))) {
      const rest = bytes
      buffer.copyWithin(0, rest - overlap, rest)
      bytes = fill(overlap)
      if (bytes === overlap) return 'whole'
    }
    return { long: true }
  } catch (error) {
    return outcomeOf(error)
  } finally {
    closeSync(file)
  }
}

/** A repository, and what git's own environment says of it. git sets these variables when it starts a hook. */
interface Repository extends Store {
  readonly top: string
  readonly index: string
}

/**
 * Finds the repository of a folder. Returns null if there is none. If git has started the command, finds the repository that git names; git gives its
 * paths from `here`, the folder in which the command runs.
 */
export async function repositoryOf(folder: string, here: string, { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE }: NodeJS.ProcessEnv): Promise<Repository | null> {
  const named = GIT_DIR === undefined || GIT_DIR === '' ? null : resolve(here, GIT_DIR)
  const isBare =
    named === null &&
    (await lstat(join(folder, 'objects')).catch(() => null))?.isDirectory() === true &&
    (await lstat(join(folder, 'HEAD')).catch(() => null)) !== null
  const top = isBare ? folder : named === null ? await workTreeOf(folder) : resolve(here, GIT_WORK_TREE ?? '.')
  if (top === null) return null
  const store = await (isBare ? storeIn(folder) : named === null ? storeOf(top) : storeIn(named)).catch(() => null)
  if (store === null) return null
  return { ...store, top, index: GIT_INDEX_FILE === undefined || GIT_INDEX_FILE === '' ? join(store.own, 'index') : resolve(here, GIT_INDEX_FILE) }
}

/** Reads the objects of a repository by their ids. Returns null for an object that is missing, damaged or too large. */
interface Objects {
  get(id: string): Promise<Omit<GitObject, 'id'> | null>
  /** The file of an object that is not packed. */
  loose(id: string): Promise<{ readonly path: string; readonly bytes: number } | null>
  close(): Promise<void>
}

async function openObjects(common: string): Promise<Objects> {
  const work = { left: Number.POSITIVE_INFINITY }
  const own = join(common, 'objects')
  const folders = [own, ...((await alternatesOf(own)) ?? [])]
  for (const other of folders.slice(1)) folders.push(...((await alternatesOf(other)) ?? []))
  const packs: Pack[] = []
  for (const folder of folders) {
    const names = await readdir(join(folder, 'pack')).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.pack'))) {
      const pack = await openPack(join(folder, 'pack', name), objectBytes, work).catch(() => null)
      if (pack !== null) packs.push(pack)
    }
  }
  const loose: Objects['loose'] = async (id) => {
    for (const folder of folders) {
      const path = join(folder, id.slice(0, 2), id.slice(2))
      const about = await lstat(path).catch(() => null)
      if (about?.isFile() === true) return { path, bytes: about.size }
    }
    return null
  }
  return {
    loose,
    async get(id) {
      for (const pack of packs) {
        const offset = pack.find(id)
        const made = offset === null ? null : await pack.read(offset)
        if (made !== null) return made
      }
      const file = await loose(id)
      return file === null ? null : looseObject(file.path, id, objectBytes, work)
    },
    close: async () => void (await Promise.all(packs.map((pack) => pack.close()))),
  }
}

interface TreeEntry {
  readonly name: string
  readonly mode: number
  readonly id: string
}

const [folderMode, submoduleMode] = [0o040000, 0o160000]

function entriesOf(tree: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < tree.length; ) {
    const [space, end] = [tree.indexOf(0x20, at), tree.indexOf(0, at)]
    if (space < 0 || end < space || end + 21 > tree.length) break
    const mode = Number.parseInt(tree.toString('latin1', at, space), 8)
    entries.push({ name: tree.toString('utf8', space + 1, end), mode, id: tree.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

const isId = /^[0-9a-f]{40}$/

/** The ids that git's references name, by reference. Returns null if they are kept in a form that cannot be read. */
async function referencesOf({ own, common }: Store): Promise<ReadonlyMap<string, string> | null> {
  const text = async (path: string) => (await readPlain(path, largestIndexBytes))?.toString('utf8') ?? ''
  if (/^\s*refstorage\s*=\s*"?reftable/im.test(await text(join(common, 'config')))) return null
  const found = new Map<string, string>()
  for (const line of (await text(join(common, 'packed-refs'))).split('\n')) {
    const [id = '', name] = line.split(' ')
    if (isId.test(id) && name !== undefined) found.set(name, id)
  }
  const look = async (path: string, name: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const [inside, named] = [join(path, entry.name), `${name}/${entry.name}`]
      if (entry.isDirectory()) await look(inside, named)
      else {
        const id = (await text(inside).catch(() => '')).trim()
        if (isId.test(id)) found.set(named, id)
      }
    }
  }
  await look(join(common, 'refs'), 'refs')
  if (own !== common) await look(join(own, 'refs'), 'refs')
  const others = await readdir(join(common, 'worktrees')).catch(() => [])
  for (const place of [...others.map((name) => join(common, 'worktrees', name)), common, own]) {
    const head = (await text(join(place, 'HEAD')).catch(() => '')).trim()
    const id = head.startsWith('ref: ') ? found.get(head.slice(5)) : head
    if (id !== undefined && isId.test(id)) found.set(place === own ? 'HEAD' : `${place} HEAD`, id)
  }
  return found
}

interface Commit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

function commitOf(content: Buffer): Commit {
  const text = content.toString('latin1')
  const head = text.split('\n\n', 1)[0] ?? ''
  const all = (field: string) => [...head.matchAll(new RegExp(`^${field} ([0-9a-f]{40})$`, 'gm'))].map(([, id = '']) => id)
  return { tree: all('tree')[0] ?? '', parents: all('parent'), message: text }
}

/**
 * The ids of folders that git's index knows to be unchanged since they were read or written, from the index's `TREE` extension
 * (gitformat-index(5)), by path.
 */
function knownFolders(extension: Buffer): Map<string, string> {
  const known = new Map<string, string>()
  let at = 0
  const read = (above: string): void => {
    const [name, line] = [extension.indexOf(0, at), extension.indexOf(0x0a, at)]
    if (name < 0 || line < name) {
      at = extension.length
      return
    }
    const path = `${above}${extension.toString('latin1', at, name)}`
    const [count = -1, inside = 0] = extension
      .toString('latin1', name + 1, line)
      .split(' ')
      .map(Number)
    at = line + 1
    if (count >= 0) {
      known.set(path, extension.toString('hex', at, at + 20))
      at += 20
    }
    for (let left = inside; left > 0 && at < extension.length; left -= 1) read(path === '' ? '' : `${path}/`)
  }
  read('')
  return known
}

/**
 * Searches what git would commit: the files of the index that differ from those of the last commit. Reads git's files itself and starts no git, since
 * git runs programs that a repository's settings name.
 */
export async function scanStaged(repository: Repository, parts: PlaceParts): Promise<void> {
  const { own, common, top, index: indexFile, hashBytes } = repository
  const { sum } = parts
  const tally = createTally(parts)
  const index = await readPlain(indexFile, largestIndexBytes).catch(() => null)
  if (index === undefined) return
  const references = index === null || hashBytes === 32 ? null : await referencesOf(repository).catch(() => null)
  if (index === null || references === null) return tally.unread(own, 'git_unread')
  const objects = await openObjects(common)
  try {
    let known = new Map<string, string>()
    const entries: IndexEntry[] = []
    const reading = entriesIn(index, hashBytes, (extension) => {
      known = knownFolders(extension)
    })
    let next = reading.next()
    for (; next.done !== true; next = reading.next()) entries.push(next.value)
    if (!next.value) tally.unread(indexFile, 'git_unread')

    const committed = new Set<string>()
    const unchanged = new Set<string>()
    const compare = async (id: string, path: string): Promise<void> => {
      if (known.get(path) === id) {
        unchanged.add(path)
        return
      }
      const tree = await objects.get(id)
      // Without the last commit's folder, every file of it counts as new.
      if (tree?.kind !== 'tree') return
      for (const entry of entriesOf(tree.content)) {
        const inside = `${path === '' ? '' : `${path}/`}${Buffer.from(entry.name).toString('latin1')}`
        if (entry.mode === folderMode) await compare(entry.id, inside)
        else committed.add(`${entry.id} ${inside}`)
      }
    }
    const head = references.get('HEAD')
    const commit = head === undefined ? null : await objects.get(head)
    if (commit?.kind === 'commit') await compare(commitOf(commit.content).tree, '')
    const isUnchanged = (name: string): boolean => {
      if (unchanged.has('')) return true
      for (let cut = name.indexOf('/'); cut >= 0; cut = name.indexOf('/', cut + 1)) if (unchanged.has(name.slice(0, cut))) return true
      return false
    }

    const named = new Set<string>()
    for (const { name, mode, id } of entries) {
      if (sum.tooMany) return
      if (isUnchanged(name) || committed.has(`${id} ${name}`)) continue
      const path = join(top, Buffer.from(name, 'latin1').toString('utf8'))
      for (let at = path; at.length > top.length && !named.has(at); at = resolve(at, '..')) {
        named.add(at)
        tally.name(at, null)
      }
      if (mode === submoduleMode) sum.skipped.submodule += 1
      else await readBlob(id, { path, where: 'file', commit: null }, objects, parts, tally)
    }
  } finally {
    await objects.close()
  }
}

async function readBlob(
  id: string,
  place: Pick<PlaceFound, 'path' | 'where' | 'commit'>,
  objects: Objects,
  { sum }: PlaceParts,
  tally: ReturnType<typeof createTally>,
): Promise<void> {
  const file = await objects.loose(id)
  const blob = file !== null && file.bytes > pieceBytes ? null : await objects.get(id)
  if (blob !== null) return tally.content(blob.content, place)
  if (file === null) return tally.unread(place.path, 'missing')
  // An object that is large but not packed is read in pieces.
  const detector = tally.at(place)
  const outcome = await streamLoose(file.path, detector.push)
  detector.end()
  if (outcome === 'whole') sum.files += 1
  else if (outcome === 'binary') sum.skipped.binary += 1
  else tally.unread(place.path, 'missing')
}

/**
 * Searches every commit that a branch, a tag or another reference reaches: files, names and messages. Names the first commit that has the secret,
 * and the path there.
 */
export async function scanCommits(repository: Repository, parts: PlaceParts): Promise<void> {
  const { own, common, top, hashBytes } = repository
  const { sum } = parts
  const tally = createTally(parts)
  const references = hashBytes === 32 ? null : await referencesOf(repository).catch(() => null)
  if (references === null) return tally.unread(own, 'git_unread')
  const shallow = new Set(((await readPlain(join(common, 'shallow'), largestIndexBytes))?.toString('latin1') ?? '').split('\n').filter(Boolean))
  if (shallow.size > 0) tally.unread(own, 'shallow')
  const objects = await openObjects(common)
  try {
    const [seen, named] = [new Set<string>(), new Set<string>()]
    const lookInto = async (commit: string, tree: string): Promise<void> => {
      const waiting = [{ id: tree, path: top }]
      for (let folder = waiting.pop(); folder !== undefined && !sum.tooMany; folder = waiting.pop()) {
        if (seen.has(folder.id)) continue
        seen.add(folder.id)
        const read = await objects.get(folder.id)
        if (read?.kind !== 'tree') {
          tally.unread(folder.path, 'missing')
          continue
        }
        for (const { name, mode, id } of entriesOf(read.content)) {
          const path = join(folder.path, name)
          if (!named.has(path)) tally.name(path, commit)
          named.add(path)
          if (seen.has(id)) continue
          if (mode === folderMode) waiting.push({ id, path })
          else {
            seen.add(id)
            if (mode === submoduleMode) sum.skipped.submodule += 1
            else await readBlob(id, { path, where: 'file', commit }, objects, parts, tally)
          }
        }
      }
    }
    for await (const { id, commit, message } of commitsFrom([...new Set(references.values())], shallow, objects, tally.unread, own)) {
      if (sum.tooMany) return
      tally.text(message, { path: own, where: 'message', commit: id })
      if (commit === null) continue
      sum.commits += 1
      await lookInto(id, commit.tree)
    }
  } finally {
    await objects.close()
  }
}

/** Yields the tags and commits that can be reached from `tips`, each commit after its parents. */
async function* commitsFrom(
  tips: readonly string[],
  shallow: ReadonlySet<string>,
  objects: Objects,
  unread: (path: string, why: PlaceUnread['why']) => void,
  own: string,
): AsyncGenerator<{ readonly id: string; readonly commit: Commit | null; readonly message: string }, void, undefined> {
  const begun = new Set<string>()
  const waiting: (string | { readonly id: string; readonly commit: Commit })[] = [...tips]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'string') {
      yield { ...next, message: next.commit.message }
      continue
    }
    if (begun.has(next)) continue
    begun.add(next)
    const read = await objects.get(next)
    if (read === null) unread(join(own, next), 'missing')
    // A reference to a file or folder, which only few repositories have, is not followed.
    else if (read.kind === 'blob' || read.kind === 'tree') unread(join(own, next), 'git_unread')
    else if (read.kind === 'commit') {
      const commit = commitOf(read.content)
      waiting.push({ id: next, commit }, ...(shallow.has(next) ? [] : commit.parents))
    } else {
      const text = read.content.toString('latin1')
      const [, tagged] = /^object ([0-9a-f]{40})$/m.exec(text) ?? []
      yield { id: next, commit: null, message: text }
      if (tagged !== undefined) waiting.push(tagged)
    }
  }
}
