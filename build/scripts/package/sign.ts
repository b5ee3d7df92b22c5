import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import {
  judgeRelease,
  mostSignatures,
  product,
  Release,
  type ReleaseFile,
  type ReleaseKind,
  signedBytes,
  statementFile,
  validForMs,
} from '../../../electron/host/updates/release-statement.ts'
import type { Target } from '../../config/release.ts'
import type { Checked } from './check.ts'

const kinds: Readonly<Record<string, ReleaseKind>> = { AppImage: 'AppImage', deb: 'deb', rpm: 'rpm', dmg: 'dmg', zip: 'zip', exe: 'nsis' }
const kindOf = (file: string): ReleaseKind | undefined => kinds[/\.(\w+)$/.exec(file)?.[1] ?? '']

export interface Installer extends Target {
  readonly path: string
}

/** Finds the packages for users in the folders `<platform>-<arch>` of `folder`, including packages that another computer made. */
export function installersIn(folder: string): Installer[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [, platform, arch] = /^(linux|darwin|win32)-(x64|arm64)$/.exec(entry.name) ?? []
    if (!entry.isDirectory() || platform === undefined || arch === undefined) return []
    const target = { platform, arch } as Target // safe cast: the pattern allows only these names
    return readdirSync(join(folder, entry.name), { withFileTypes: true })
      .filter((file) => file.isFile() && kindOf(file.name) !== undefined)
      .map((file) => ({ ...target, path: join(folder, entry.name, file.name) }))
  })
}

const hashOf = (file: string): string => createHash('sha512').update(readFileSync(file)).digest('base64')

/** Returns the size of the block map that electron-builder appends to an AppImage. */
function blockMapSizeOf(file: string): number {
  const end = Buffer.alloc(4)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, end, 0, 4, statSync(file).size - 4)
  } finally {
    closeSync(opened)
  }
  return end.readUInt32BE(0)
}

function describe({ path, platform, arch }: Installer): ReleaseFile {
  const kind = kindOf(path)
  if (kind === undefined) throw new Error(`${path} is no package`)
  const blockMapSize = kind === 'AppImage' ? blockMapSizeOf(path) : null
  return { platform, arch, kind, name: basename(path), size: statSync(path).size, sha512: hashOf(path), blockMapSize }
}

/** Reads a private key: PKCS #8 in PEM, as `openssl genpkey -algorithm ed25519` writes it. Throws if it is not an Ed25519 key. */
export function readSigningKey(file: string): KeyObject {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key`)
  return key
}

/** Returns the public key of a private key, in the form of `updateKeys` in release.ts. */
export const pinnedForm = (key: KeyObject): string => createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')

export interface ReleaseParts {
  readonly version: string
  /** The oldest version that is still supported; null if all versions are. */
  readonly minimum: string | null
  /** The version of the journal’s tables in this release. */
  readonly journal: number
  readonly installers: readonly Installer[]
  readonly keys: readonly KeyObject[]
  readonly nowMs: number
}

/**
 * Returns the content of `release.json`: the statement of what the release contains, signed with each key. It is valid for 35 days; sign again before
 * it expires.
 */
export function signRelease({ version, minimum, journal, installers, keys, nowMs }: ReleaseParts): string {
  if (keys.length === 0 || keys.length > mostSignatures) throw new Error(`a release needs 1 to ${mostSignatures} signatures`)
  const files = installers.map(describe)
  const release = Release.parse({ format: 1, product, version, minimum, journal, issuedAtMs: nowMs, validUntilMs: nowMs + validForMs, files })
  const signed = JSON.stringify(release)
  return JSON.stringify({ signed, signatures: keys.map((key) => sign(null, signedBytes(signed), key).toString('base64')) })
}

/** Fills `folder` with what belongs on the update server: the signed statement, and the files that it names. */
export function writeRelease(folder: string, parts: ReleaseParts): void {
  const names = parts.installers.map(({ path }) => basename(path))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`two packages are called ${twice}`)
  const text = signRelease(parts)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { path } of parts.installers) put(path, join(folder, basename(path)))
  writeFileSync(join(folder, statementFile), text)
}

function put(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** Checks the folder for the update server. An app with the public keys `keys` must accept the statement, and all files must match the statement. */
export function checkRelease(folder: string, keys: readonly string[], nowMs: number): readonly Checked[] {
  const text = readFileSync(join(folder, statementFile), 'utf8')
  const judged = { text, keys, current: '0.0.0', seen: null, nowMs, platform: 'none', arch: 'none', kind: 'zip' } as const
  const { outcome } = judgeRelease(judged).verdict
  // The check asks for a system that does not exist. So a valid statement gives `no_file`: the release contains no file for that system.
  const statement: Checked = { name: 'apps take the signed statement', problem: outcome === 'no_file' ? null : outcome }
  if (statement.problem !== null) return [statement]
  const { signed } = JSON.parse(text) as { signed: string } // safe cast: `judgeRelease` has checked the text
  const { files } = Release.parse(JSON.parse(signed))
  const wrong = files.filter(({ name, size, sha512 }) => {
    const file = join(folder, name)
    return !existsSync(file) || statSync(file).size !== size || hashOf(file) !== sha512
  })
  return [statement, { name: 'the files are those of the statement', problem: wrong.length === 0 ? null : wrong.map(({ name }) => name).join(', ') }]
}
