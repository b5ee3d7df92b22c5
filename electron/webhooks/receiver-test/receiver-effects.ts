import { Agent, fetch } from 'undici'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { judgedLookup } from '../subscriptions/post.ts'
import { type LookUp, systemLookUp } from '../subscriptions/webhook-parts.ts'

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
