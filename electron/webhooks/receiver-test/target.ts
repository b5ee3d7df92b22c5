import { randomBytes } from 'node:crypto'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import type { InputIssue } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { readCallbackUrl } from '../../../shared/webhooks/public-address.ts'
import { Secret } from '../../kernel/secret.ts'
import { hostIssue, type LookUp } from '../subscriptions/webhook-parts.ts'

/** An endpoint that sample events may be sent to. */
export interface Target {
  readonly url: string
  /** Host and port as they are typed to confirm them; null on this computer, where nobody has to. */
  readonly confirm: string | null
}

/** Where the service could send to, or an address of this computer. */
export async function readTarget(typed: string, lookUp: LookUp): Promise<Result<Target, InputIssue>> {
  const read = readCallbackUrl(typed, { practice: true })
  if (!read.ok) return fail<InputIssue>(`form ${read.failure}`)
  const { url, loopback, lookUp: name } = read.value
  const issue = name === null ? null : await hostIssue(name, lookUp)
  if (issue !== null) return fail(issue)
  return ok({ url, confirm: loopback ? null : new URL(url).host })
}

/** Real bots act on events: whoever sends some to a public host types its name. */
export const isConfirmed = ({ confirm }: Target, typed: string | null): boolean => confirm === null || typed?.trim().toLowerCase() === confirm

/** What the host was confirmed for holds for the address at which it tells its effects, too. */
export function isOnHostOf(effectsUrl: string, url: string): boolean {
  const effects = URL.parse(effectsUrl)
  return effects !== null && /^https?:$/.test(effects.protocol) && effects.host === URL.parse(url)?.host
}

/** For reports: what stands in the query may be secret. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

/** Made for one test, of the form of the service's signing secrets; no webhook has it. */
export const throwawaySecret = (): Secret => new Secret(`${secretPrefixes.webhook}${randomBytes(32).toString('hex')}`)
