import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding, LeakScan, LeakState } from '../../../../shared/ipc/keys/leaks.ts'
import { unreachable } from '../../../../shared/result.ts'
import { second } from '../../../../shared/time.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { fineDurationText } from '../../../kit/time/time.tsx'

const kib = 1_024
const mib = 1_024 * kib

export const numberText = (count: number): string => count.toLocaleString('en-US')

/** `512 bytes`, `3.4 KiB`, `1,234.5 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes < kib) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [size, unit] = bytes < mib ? [bytes / kib, 'KiB'] : [bytes / mib, 'MiB']
  return `${size.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`
}

const many = (count: number, one: string, more: string): string => `${numberText(count)} ${count === 1 ? one : more}`

export const readText = ({ files, bytes, objects }: Pick<LeakScan, 'files' | 'bytes' | 'objects'>): string =>
  [many(files, 'file', 'files'), ...(objects === 0 ? [] : [`${many(objects, 'object', 'objects')} of git`]), bytesText(bytes)].join(', ')

export const lengthText = (ms: number): string => (ms < second ? 'less than a second' : fineDurationText(ms))

/** What was passed over on purpose, in words; null: nothing. */
export function skippedText({ skipped, ignoredToo }: Pick<LeakScan, 'skipped' | 'ignoredToo'>): string | null {
  const parts = [
    { count: skipped.binary, text: many(skipped.binary, 'binary file', 'binary files') },
    { count: ignoredToo ? 0 : skipped.ignored, text: many(skipped.ignored, 'name that git ignores', 'names that git ignores') },
    { count: skipped.link, text: many(skipped.link, 'link', 'links') },
    { count: skipped.git, text: many(skipped.git, '.git without a history', '.git without a history') },
    { count: skipped.special, text: many(skipped.special, 'device or socket', 'devices or sockets') },
  ].filter(({ count }) => count > 0)
  return parts.length === 0 ? null : parts.map(({ text }) => text).join(', ')
}

export function unreadWord(why: LeakScan['unread'][number]['why'], limits: LeakState['limits']): string {
  switch (why) {
    case 'in_part':
      return `Only its first ${bytesText(limits.fileBytes)} were read`
    case 'history_in_part':
      return 'Only a part of its history was read'
    case 'history_unread':
      return 'Its history was not read'
    case 'tracked_unknown':
      return 'It does not say which files git tracks, so those that it ignores were read, too'
    case 'not_allowed':
      return 'You may not read it'
    case 'changed':
      return 'It is gone, or changed meanwhile'
    case 'failed':
      return 'Reading it failed'
    case 'gave_up':
      return 'Reading it took too long or too much memory, so the rest of it was left out'
    default:
      return unreachable(why)
  }
}

const kindWords: Readonly<Record<LeakFinding['kind'], string>> = { api_key: 'API key', sign_in: 'Sign-in', webhook: 'Webhook secret' }
const formWords: Readonly<Record<LeakFinding['form'], string>> = { plain: '', base64: ', in base64', hex: ', in hexadecimal', url: ', URL-encoded' }

export const kindText = ({ kind, form }: Pick<LeakFinding, 'kind' | 'form'>): string => `${kindWords[kind]}${formWords[form]}`

export const sureWords: Readonly<Record<LeakFinding['sure'], { readonly word: string; readonly why: string }>> = {
  certain: { word: 'Certain', why: 'The same fingerprint' },
  high: { word: 'Very likely', why: 'A prefix of this service alone' },
  medium: { word: 'Likely', why: 'Its prefix, and it looks random' },
}

export interface FindingState {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
  /** Revoking the key would end it. */
  readonly live: boolean
}

/** What a found secret is worth now. `entry`: its key as it was listed last, which is newer than what the scan saw. */
export function findingState(finding: LeakFinding, entry: KeySummary | undefined): FindingState {
  const ended = (word: string): FindingState => ({ tone: 'off', icon: 'check', word, live: false })
  const status = entry?.status ?? finding.key?.status
  if (finding.owner === 'sign_in') return finding.current ? { tone: 'danger', icon: 'warn', word: 'It works until it expires', live: false } : ended('Over')
  if (finding.owner === 'other_wallet') return { tone: 'warn', icon: 'account', word: 'Of another wallet', live: false }
  if (status === undefined) return { tone: 'warn', icon: 'unknown', word: 'Not known', live: false }
  switch (status) {
    case 'revoked':
      return ended('Revoked')
    case 'expired':
      return ended('Expired')
    case 'active':
    case 'unknown':
      return finding.current ? { tone: 'danger', icon: 'warn', word: status === 'active' ? 'It works' : 'It may work', live: true } : ended('Replaced')
    default:
      return unreachable(status)
  }
}

/** What a scan that ended comes down to. */
export function outcomeText({ state, found }: Pick<LeakScan, 'state' | 'found'>, limits: LeakState['limits']): string {
  const places = found === 0 ? 'nothing was found' : `${many(found, 'place was', 'places were')} found`
  switch (state) {
    case 'running':
      return `Scanning: ${places} so far`
    case 'done':
      return found === 0 ? 'No key was found' : found === 1 ? 'A key was found in 1 place' : `Keys were found in ${numberText(found)} places`
    case 'stopped':
      return `Stopped: ${places} until then`
    case 'too_many_found':
      return `Stopped at ${numberText(limits.found)} places: there may be more`
    case 'too_many_files':
      return `Stopped at ${numberText(limits.files)} files: ${places} until then`
    default:
      return unreachable(state)
  }
}
