import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import type { UpdateOutcome } from '../../../shared/ipc/host/app.ts'
import { day } from '../../../shared/time.ts'

/** The name of the file with the signed statement on the update server. */
export const statementFile = 'release.json'
export const mostSignatures = 8
/** How long a statement is valid, in ms. A server that keeps serving an old statement can hold back updates only for this long. */
export const validForMs = 35 * day
/** How far this computer's clock may lag behind the time at which a statement was signed, in ms. */
const clockSlackMs = day
/** Maximum length of a statement with its signatures, in characters. */
export const longestStatement = 65_536

const Version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/)
const Sha512 = z.string().regex(/^[A-Za-z0-9+/]{86}==$/)

export const ReleaseKind = z.enum(['AppImage', 'deb', 'rpm', 'dmg', 'zip', 'nsis'])
export type ReleaseKind = z.infer<typeof ReleaseKind>

export const ReleaseFile = z.strictObject({
  platform: z.enum(['linux', 'darwin', 'win32']),
  arch: z.enum(['x64', 'arm64']),
  kind: ReleaseKind,
  /**
   * The file’s name on the update server, where it lies beside the statement. The pattern prevents names that lead to another folder or that a shell
   * reads as part of a command.
   */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/),
  size: z.number().int().min(1).max(2_000_000_000),
  sha512: Sha512,
  /** The size of the compressed block map that electron-builder appends to an AppImage; null if the file has none. */
  blockMapSize: z.number().int().min(1).max(8_388_608).nullable(),
})
export type ReleaseFile = z.infer<typeof ReleaseFile>

/**
 * The publisher’s facts about a release. The app refuses a release with unknown fields, because an unknown field may contain a condition that the
 * app cannot check.
 */
export const Release = z
  .strictObject({
    format: z.literal(1),
    product: z.string(),
    version: Version,
    /** The oldest version that is still supported; null if all versions are. */
    minimum: Version.nullable(),
    /** The version of the journal's tables in this release. */
    journal: z.number().int().min(1),
    /** When the publisher issued the release, in Unix ms. */
    issuedAtMs: z.number().int().min(0),
    validUntilMs: z.number().int().min(0),
    files: z.array(ReleaseFile).max(64),
  })
  .refine(({ issuedAtMs, validUntilMs }) => validUntilMs > issuedAtMs && validUntilMs - issuedAtMs <= validForMs)
export type Release = z.infer<typeof Release>

/** The content of `release.json`. `signed`: a `Release` as JSON text, exactly as the publisher signed it. `signatures`: in base64. */
const Envelope = z.strictObject({ signed: z.string(), signatures: z.array(z.string().max(128)).max(mostSignatures) })

export const product = 'svc-desk'

/** Returns the bytes that the publisher signs. They begin with their purpose, so that a signature for another purpose is never valid here. */
export const signedBytes = (signed: string): Buffer => Buffer.from(`svc-desk release 1\n${signed}`, 'utf8')

/** Compares two versions of the form `1.2.3`: negative if `a` is older, 0 if they are equal. */
export const compareVersions = (a: string, b: string): number => {
  const [first, second] = [a, b].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)))
  return [0, 1, 2].reduce((found, at) => found || (first?.[at] ?? 0) - (second?.[at] ?? 0), 0)
}

/** Reads a public key of this build: SPKI in base64. Throws if it is not an Ed25519 key. */
export function readPublicKey(key: string): KeyObject {
  const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  if (read.asymmetricKeyType !== 'ed25519') throw new Error('A key for updates must be an Ed25519 key')
  return read
}

/** The newest release statement with a valid signature that this computer has seen. */
export interface SeenRelease {
  readonly version: string
  readonly issuedAtMs: number
}

export interface JudgeParts {
  readonly text: string
  /** The public keys in this build: SPKI in base64. */
  readonly keys: readonly string[]
  readonly current: string
  readonly seen: SeenRelease | null
  readonly nowMs: number
  readonly platform: string
  readonly arch: string
  /** The kind of package from which the app runs. */
  readonly kind: ReleaseKind
}

export type Verdict =
  | { readonly outcome: 'newer'; readonly release: Release; readonly file: ReleaseFile; readonly isUnsupported: boolean }
  | { readonly outcome: Exclude<UpdateOutcome, 'newer' | 'unreachable'> }

/**
 * Decides whether the statement offers an update. Reads the statement only after verifying a signature by a key of this build. Also returns the
 * newest statement seen, which the caller stores.
 */
export function judgeRelease(parts: JudgeParts): { readonly verdict: Verdict; readonly seen: SeenRelease | null } {
  const { text, keys, current, seen, nowMs } = parts
  const refuse = (outcome: Exclude<Verdict['outcome'], 'newer'>, kept = seen) => ({ verdict: { outcome }, seen: kept })
  const envelope = Envelope.safeParse(jsonOf(text))
  if (!envelope.success) return refuse('unreadable')
  const { signed, signatures } = envelope.data
  const bytes = signedBytes(signed)
  const trusted = keys.map(readPublicKey)
  const isSigned = signatures.some((signature) => {
    const given = Buffer.from(signature, 'base64')
    return given.length === 64 && trusted.some((key) => verify(null, bytes, key, given))
  })
  if (!isSigned) return refuse('unsigned')
  const read = Release.safeParse(jsonOf(signed))
  if (!read.success) return refuse('unreadable')
  const release = read.data
  if (release.product !== product) return refuse('other_app')
  // If this computer's clock is behind, an expired statement would look valid.
  if (Math.max(release.issuedAtMs, seen?.issuedAtMs ?? 0) > nowMs + clockSlackMs) return refuse('clock_behind')
  const { version, issuedAtMs } = release
  const order = seen === null ? 0 : compareVersions(version, seen.version) || issuedAtMs - seen.issuedAtMs
  const age = compareVersions(version, current)
  if (order < 0 || age < 0) return refuse('rollback')
  const kept = { version, issuedAtMs }
  if (nowMs > release.validUntilMs) return refuse('stale', kept)
  if (age === 0) return refuse('current', kept)
  const file = release.files.find((one) => one.platform === parts.platform && one.arch === parts.arch && one.kind === parts.kind)
  if (file === undefined) return refuse('no_file', kept)
  const isUnsupported = release.minimum !== null && compareVersions(current, release.minimum) < 0
  return { verdict: { outcome: 'newer', release, file, isUnsupported }, seen: kept }
}

function jsonOf(text: string): unknown {
  if (text.length > longestStatement) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
