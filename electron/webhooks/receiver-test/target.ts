import { randomBytes } from 'node:crypto'
import { Agent, fetch } from 'undici'
import { z } from 'zod'
import { secretPrefixes } from '../../../shared/api/redact.ts'
import type { InputIssue } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { readCallbackUrl } from '../../../shared/webhooks/public-address.ts'
import { Secret } from '../../kernel/secret.ts'
import { judgedLookup } from '../subscriptions/post.ts'
import { hostIssue, type LookUp, systemLookUp } from '../subscriptions/webhook-parts.ts'

/** An endpoint to which the app may send sample events. */
export interface Target {
  readonly url: string
  /** The host and port that the user must type to confirm a public target. `null` for this computer, which needs no confirmation. */
  readonly confirm: string | null
}

/** Accepts an address to which the service could send, or an address of this computer. */
export async function readTarget(typed: string, lookUp: LookUp): Promise<Result<Target, InputIssue>> {
  const read = readCallbackUrl(typed, { practice: true })
  if (!read.ok) return read
  const { url, loopback, lookUp: name } = read.value
  const issue = name === null ? null : await hostIssue(name, lookUp)
  if (issue !== null) return fail(issue)
  return ok({ url, confirm: loopback ? null : new URL(url).host })
}

/** Whether the user typed the host of a public target. Required because real bots act on events. */
export const isConfirmed = ({ confirm }: Target, typed: string | null): boolean => confirm === null || typed?.trim().toLowerCase() === confirm

/** Whether the URL for reading effects has the same host as the target, so that the user's confirmation of the host covers both. */
export function isOnHostOf(effectsUrl: string, url: string): boolean {
  const effects = URL.parse(effectsUrl)
  return effects !== null && /^https?:$/.test(effects.protocol) && effects.host === URL.parse(url)?.host
}

/** Hides the query of a URL, which may be secret, so that a report can contain the URL. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

export const throwawaySecret = (): Secret => new Secret(`${secretPrefixes.webhook}${randomBytes(32).toString('hex')}`)

/** Reads the ids of the events on which the receiver acted. An id appears once per action. */
export type ReadEffects = (signal: AbortSignal) => Promise<Result<readonly string[], 'effects_too_long' | 'effects_malformed' | 'effects_unread'>>

const effects = z.object({ events: z.array(z.string().max(200)).max(10_000) })
const patienceMs = 4_000
const longest = 1_000_000

/** Reads the effects from a URL of the receiver, which answers `{"events": [ids]}`. The URL must pass the same checks as the target. */
export const effectsAt =
  (url: string, lookUp: LookUp = systemLookUp): ReadEffects =>
  async (signal) => {
    const dispatcher = new Agent({ connect: { lookup: judgedLookup(lookUp) } })
    try {
      const answer = await fetch(url, { dispatcher, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (text.length > longest) return fail('effects_too_long')
      }
      const read = effects.safeParse(JSON.parse(text))
      return read.success ? ok(read.data.events) : fail('effects_malformed')
    } catch {
      return fail('effects_unread')
    } finally {
      await dispatcher.destroy()
    }
  }
