import { lstat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { redacted, redactText, secretPrefixes } from '../../../shared/api/redact.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../shared/ipc/keys/leaks.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { Emit } from '../../kernel/events.ts'
import { dialogWords } from '../../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../../kernel/files/dialogs.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { Session } from '../sign-in/session.ts'
import { noSum, runScan, type ScanSum, scanLimits } from './run-scan.ts'
import { createFingerprints, type FoundSpot, type Recognised, type ScanLimits, type SecretForScan } from './scan-job.ts'

export interface LeaksDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'secretIndex' | 'records'>
  readonly credentials: Pick<Credentials, 'facts' | 'inMemory' | 'secretOf'>
  readonly signIns: Session['kept']
  readonly wallet: Pick<WalletReport, 'shown'>
  readonly files: Pick<FileDialogs, 'chooseFolder' | 'showInFolder'>
  readonly parsing: Parsing
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly newId: () => string
  readonly limits?: ScanLimits
}

export interface Leaks {
  stop(): void
  settled(): Promise<void>
  readonly handlers: HandlersOf<'leaks'>
}

interface SecretPlace {
  readonly wallet: string
  readonly account: string | null
}

interface Scan {
  readonly about: Pick<LeakScan, 'folders' | 'ignoredToo' | 'startedAtMs' | 'keys'>
  readonly places: ReadonlyMap<string, SecretPlace>
  readonly sum: ScanSum
  state: LeakScan['state']
  endedAtMs: number | null
}

const tellEveryMs = 250
const queries = ['leaks.state', 'leaks.findings'] as const

const masks: Readonly<Record<LeakFinding['kind'], string>> = {
  api_key: `${secretPrefixes.key}••••••••`,
  sign_in: `${secretPrefixes.session}••••••••`,
  webhook: `${secretPrefixes.webhook}••••••••`,
}

const byPlace = (a: FoundSpot, b: FoundSpot): number => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line || a.column - b.column

/**
 * Looks for keys in the folders that the user chose. File contents stay in the main process. The page receives only the place, kind and key of each
 * finding.
 */
export function createLeaks(deps: LeaksDeps): Leaks {
  const { profile, journal, credentials, signIns, wallet, files, parsing, clock, emit, newId, limits = scanLimits } = deps
  const fingerprints = createFingerprints()
  const ids = new WeakMap<FoundSpot, string>()
  let scan: Scan | null = null
  let abort: AbortController | null = null
  let running: Promise<void> = Promise.resolve()

  const folders = (): string[] => journal.records.leakFolders.read({ profile: profile.id }) ?? []
  const keep = (chosen: readonly string[]) => journal.records.leakFolders.write({ profile: profile.id }, [...chosen])
  const tell = () => emit({ type: 'invalidate', queries })

  const places = (): Map<string, SecretPlace> => {
    const stored = [
      ...journal.secretIndex.list(profile.id),
      ...credentials.inMemory().map(({ keyId, wallet: owner }) => ({ keyId, wallet: owner, account: null })),
    ]
    return new Map(stored.map(({ keyId, wallet: owner, account }) => [keyId, { wallet: owner, account }]))
  }

  /** Reads the secrets of all keys stored here, for all wallets. If the keychain fails for one key, skips the remaining keys. */
  const read = async (): Promise<{ stored: SecretForScan[]; unread: Set<string> }> => {
    const stored: SecretForScan[] = []
    const unread = new Set(places().keys())
    for (const [keyId, { wallet: owner }] of places()) {
      const secret = await credentials.secretOf(keyId)
      if (!secret.ok) break
      if (secret.value === null) continue
      stored.push({ keyId, wallet: owner, secret: secret.value })
      unread.delete(keyId)
    }
    // Without the vault's encryption key, the app can read no sign-in. Another check already reports the missing encryption key, so scan without
    // the sign-ins.
    const sessions = await signIns().catch(() => [])
    return { stored: [...stored, ...sessions.map(({ bearer, wallet: owner }) => ({ keyId: null, wallet: owner, secret: bearer }))], unread }
  }

  /** Whether the found secret is still in use: the key or the sign-in still has the secret that it had when the scan started. */
  const isCurrent = ({ keyId, wallet: owner, secret }: Recognised, signedIn: ReadonlySet<string>): boolean => {
    if (keyId === null) return secret === 'current' && signedIn.has(owner)
    const [then, now] = [scan?.places.get(keyId)?.account ?? null, places().get(keyId)?.account]
    return secret === 'current' && (then === null || then === now)
  }

  const wallets = async (): Promise<Set<string>> => {
    const kept = await signIns().catch(() => [])
    return new Set(
      kept
        .filter(({ bearer, expiresAtMs }) => expiresAtMs > clock.now() && fingerprints.recognise(bearer.reveal())?.secret === 'current')
        .map(({ wallet: owner }) => owner),
    )
  }

  const idOf = (spot: FoundSpot): string => {
    const id = ids.get(spot) ?? newId()
    ids.set(spot, id)
    return id
  }

  const shownPath = (path: string): string =>
    redactText(
      path
        .split(sep)
        .map((name) => (scan?.sum.hidden.has(name) ? redacted : name))
        .join(sep),
    )

  const finding = (spot: FoundSpot, shown: string | null, signedIn: ReadonlySet<string>): LeakFinding => {
    const { kind, form, line, column, sure, ignored, recognised, where, object } = spot
    const mine = recognised !== null && recognised.wallet === shown
    const keyId = mine ? recognised.keyId : null
    const facts = keyId === null ? null : credentials.facts(keyId)
    return {
      id: idOf(spot),
      folder: shownPath(spot.folder),
      name: shownPath(relative(spot.folder, spot.path)).split(sep).join('/'),
      path: shownPath(spot.path),
      where,
      object,
      line,
      column,
      kind,
      form,
      owner: keyId !== null ? 'key' : mine ? 'sign_in' : recognised !== null ? 'other_wallet' : 'unknown',
      key: keyId !== null ? { id: keyId, label: facts?.label ?? keyId, status: facts?.status ?? 'unknown' } : null,
      current: recognised !== null && isCurrent(recognised, signedIn),
      sure,
      mask: masks[kind],
      ignored,
    }
  }

  const shownScan = ({ about, sum, state, endedAtMs }: Scan): LeakScan => ({
    ...about,
    folders: about.folders.map(shownPath),
    state,
    endedAtMs,
    files: sum.files,
    bytes: sum.bytes,
    objects: sum.objects,
    at: sum.at === null ? null : shownPath(sum.at),
    found: sum.found.length,
    skipped: sum.skipped,
    unread: sum.unread.map(({ path, why }) => ({ path: shownPath(path), why })),
    unreadTotal: sum.unreadTotal,
  })

  const run = async (current: Scan, { signal }: AbortController): Promise<void> => {
    let toldAt = clock.monotonic()
    const onProgress = () => {
      if (clock.monotonic() - toldAt < tellEveryMs) return
      toldAt = clock.monotonic()
      tell()
    }
    const { sum, about } = current
    try {
      current.state = await runScan({ ...about, fingerprints, platform: process.platform, limits, sum, parsing, signal, onProgress })
    } finally {
      if (current.state === 'running') current.state = 'stopped'
      current.endedAtMs = clock.now()
      tell()
    }
  }

  return {
    stop: () => abort?.abort(),
    settled: () => running.catch(() => undefined),
    handlers: {
      'leaks.state': () => ok<LeakState>({ folders: folders().map(shownPath), scan: scan === null ? null : shownScan(scan), limits: { ...limits } }),
      'leaks.findings': async () => {
        const signedIn = await wallets()
        const whose = wallet.shown()
        const shown = whose.ok ? whose.value : null
        return ok((scan?.sum.found ?? []).toSorted(byPlace).map((spot) => finding(spot, shown, signedIn)))
      },
      'leaks.addFolder': async () => {
        const chosen = await files.chooseFolder(dialogWords('searchFolder'))
        if (chosen === null || folders().includes(chosen)) return ok({ added: false })
        keep([...folders(), chosen])
        return ok({ added: true })
      },
      'leaks.dropFolder': ({ folder }) => {
        keep(folders().filter((one) => shownPath(one) !== folder))
        return ok({})
      },
      'leaks.start': async ({ ignoredToo }) => {
        const chosen = folders()
        if (chosen.length === 0) return fail({ kind: 'not_found', what: 'folder' })
        if (abort !== null) return fail({ kind: 'wrong_state', state: 'running', wanted: 'stopped' })
        const controller = new AbortController()
        abort = controller
        const { stored, unread } = await read().catch((error: unknown) => {
          abort = null
          throw error
        })
        fingerprints.learn(stored, unread)
        const about = {
          folders: chosen,
          ignoredToo,
          startedAtMs: clock.now(),
          keys: { compared: stored.filter(({ keyId }) => keyId !== null).length, missing: unread.size },
        }
        const current: Scan = { about, places: places(), sum: noSum(), state: 'running', endedAtMs: null }
        scan = current
        running = run(current, controller).finally(() => {
          abort = null
        })
        return ok({})
      },
      'leaks.stop': async () => {
        abort?.abort()
        await running.catch(() => undefined)
        return ok({})
      },
      'leaks.showFile': async ({ findingId }) => {
        const spot = scan?.sum.found.find((one) => ids.get(one) === findingId)
        const there = spot !== undefined && (await lstat(spot.path).catch(() => null)) !== null
        if (!there) return fail({ kind: 'not_found', what: 'file' })
        files.showInFolder(spot.path)
        return ok({})
      },
    },
  }
}
