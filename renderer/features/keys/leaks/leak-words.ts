import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { unreachable } from '../../../../shared/result.ts'
import { second } from '../../../../shared/time.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { fineDurationText } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'

const kib = 1_024
const mib = 1_024 * kib

/** Formats a number of bytes: `512 bytes`, `3.4 KiB`, `1,234.5 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < kib) return keysText.byteCount(bytes)
  const size = (one: number) => (bytes / one).toLocaleString('en-US', { maximumFractionDigits: 1 })
  return bytes < mib ? keysText.kib(size(kib)) : keysText.mib(size(mib))
}

export const readText = ({ files, bytes, objects }: Pick<LeakScan, 'files' | 'bytes' | 'objects'>): string =>
  kitText.listed([keysText.fileCount(files), ...(objects === 0 ? [] : [keysText.gitObjectCount(objects)]), bytesText(bytes)])

export const lengthText = (ms: number): string => (ms < second ? keysText.lessThanASecond : fineDurationText(ms))

/** Names the kinds of files that the scan skipped on purpose, with counts; `null` if it skipped none. */
export function skippedText({ skipped, ignoredToo }: Pick<LeakScan, 'skipped' | 'ignoredToo'>): string | null {
  const parts = [
    { count: skipped.binary, text: keysText.binaryFileCount(skipped.binary) },
    { count: ignoredToo ? 0 : skipped.ignored, text: keysText.ignoredNameCount(skipped.ignored) },
    { count: skipped.link, text: keysText.linkCount(skipped.link) },
    { count: skipped.git, text: keysText.emptyGitCount(skipped.git) },
    { count: skipped.special, text: keysText.deviceCount(skipped.special) },
  ].filter(({ count }) => count > 0)
  return parts.length === 0 ? null : kitText.listed(parts.map(({ text }) => text))
}

export function unreadWord(why: LeakScan['unread'][number]['why'], limits: LeakState['limits']): string {
  switch (why) {
    case 'in_part':
      return keysText.readFirstPart(bytesText(limits.fileBytes))
    case 'history_in_part':
      return keysText.historyReadInPart
    case 'history_unread':
      return keysText.historyNotRead
    case 'tracked_unknown':
      return keysText.trackedUnknown
    case 'not_allowed':
      return keysText.noPermission
    case 'changed':
      return keysText.changedDuringScan
    case 'failed':
      return keysText.couldNotBeRead
    case 'gave_up':
      return keysText.tooSlowOrLarge
    default:
      return unreachable(why)
  }
}

const kindWords: Readonly<Record<LeakFinding['kind'], string>> = { api_key: keysText.apiKey, sign_in: keysText.signInNoun, webhook: keysText.webhookSecret }
const formWords: Readonly<Record<LeakFinding['form'], (kind: string) => string>> = {
  plain: (kind) => kind,
  base64: keysText.inBase64,
  hex: keysText.inHexadecimal,
  url: keysText.urlEncoded,
}

export const kindText = ({ kind, form }: Pick<LeakFinding, 'kind' | 'form'>): string => formWords[form](kindWords[kind])

export const sureWords: Readonly<Record<LeakFinding['sure'], { readonly word: string; readonly why: string }>> = {
  certain: { word: keysText.certain, why: keysText.sameFingerprint },
  high: { word: keysText.veryLikely, why: keysText.uniquePrefix },
  medium: { word: keysText.likely, why: keysText.prefixAndRandom },
}

export interface FindingState {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
  /** True if the found secret works, or may work, until its key is revoked. */
  readonly live: boolean
}

/** What a thief can still do with a found secret. `entry`: the secret's key in the key list, whose status is newer than the scan's. */
export function findingState(finding: LeakFinding, entry: KeySummary | undefined): FindingState {
  const ended = (word: string): FindingState => ({ tone: 'off', icon: 'check', word, live: false })
  const status = entry?.status ?? finding.key?.status
  if (finding.owner === 'sign_in')
    return finding.current ? { tone: 'danger', icon: 'warn', word: keysText.worksUntilExpiry, live: false } : ended(keysText.expired)
  if (finding.owner === 'other_wallet') return { tone: 'warn', icon: 'account', word: keysText.otherWallets, live: false }
  if (status === undefined) return { tone: 'warn', icon: 'unknown', word: keysText.notKnown, live: false }
  switch (status) {
    case 'revoked':
      return ended(keysText.revoked)
    case 'expired':
      return ended(keysText.expired)
    case 'active':
    case 'unknown':
      return finding.current
        ? { tone: 'danger', icon: 'warn', word: status === 'active' ? keysText.works : keysText.mayWork, live: true }
        : ended(keysText.replaced)
    default:
      return unreachable(status)
  }
}

/** The text about the outcome of a finished scan. */
export function outcomeText({ state, found }: Pick<LeakScan, 'state' | 'found'>, limits: LeakState['limits']): string {
  switch (state) {
    case 'running':
      return keysText.scanningFound(found)
    case 'done':
      return keysText.keysFound(found)
    case 'stopped':
      return keysText.stoppedFound(found)
    case 'too_many_found':
      return keysText.stoppedAtPlaces(limits.found)
    case 'too_many_files':
      return keysText.stoppedAtFiles(limits.files, found)
    default:
      return unreachable(state)
  }
}
