import { second } from '../../../shared/time.ts'
import type { Sleep } from '../../kernel/deadline.ts'
import type { Attempted, Notes } from './driver.ts'
import type { ReadEffects } from './effects.ts'
import { failed, isRedirect, type Judged, passed, unknown } from './judge.ts'

/** Judged over everything valid that was sent (HOOK-08). */
export function judgeTime(valid: readonly Attempted[]): Judged {
  const late = valid.filter(({ answer }) => answer.outcome === 'late')
  if (late.length > 0) return failed(`${late.length} of ${valid.length} valid deliveries had no answer within 4 s`)
  const answered = valid.flatMap(({ answer }) => (answer.outcome === 'answered' ? [answer.ms] : []))
  return answered.length === 0 ? unknown('nothing was answered') : passed(`the slowest of ${answered.length} answers took ${Math.max(...answered)} ms`)
}

export function judgeRedirects(valid: readonly Attempted[]): Judged {
  const redirects = valid.filter(isRedirect)
  const [first] = redirects
  if (first?.answer.outcome === 'answered')
    return failed(
      `${redirects.length} of ${valid.length} valid deliveries were answered ${first.answer.status}: no redirect is followed, so each counts as failed`,
    )
  return valid.some(({ answer }) => answer.outcome === 'answered') ? passed('no valid delivery was answered by a redirect') : unknown('nothing was answered')
}

export interface EffectParts {
  readonly notes: Notes
  /** null: the receiver does not tell. */
  readonly read: ReadEffects | null
  readonly sleep: Sleep
  readonly signal: AbortSignal
}

const looks = 5

/** HOOK-07: what came twice, and what had to be refused, leaves no second and no first effect. */
export async function judgeEffects({ notes, read, sleep, signal }: EffectParts): Promise<{ readonly doubled: Judged; readonly forged: Judged }> {
  const both = (judged: Judged) => ({ doubled: judged, forged: judged })
  if (read === null) return both(unknown('cannot be seen from outside; a receiver that tells its effects can be checked'))
  let acted: readonly string[] = []
  // It may act a moment after it has answered.
  for (let look = 0; look < looks; look += 1) {
    await sleep(second, signal)
    const told = await read(signal)
    if (!told.ok) return both(unknown(told.failure))
    const isSettled = acted.length === told.value.length && [...notes.doubled].every((id) => told.value.includes(id))
    acted = told.value
    if (isSettled || signal.aborted) break
  }
  const times = (id: string) => acted.filter((one) => one === id).length
  const twice = [...notes.doubled].filter((id) => times(id) > 1)
  const forged = [...notes.forged].filter((id) => times(id) > 0)
  const isOurs = notes.valid.some(({ event }) => times(event.id) > 0)
  if (!isOurs) return both(unknown('its effects name no event of this test'))
  return {
    doubled:
      twice.length === 0 ? passed(`${notes.doubled.size} events came twice; none had two effects`) : failed(`acted more than once on ${twice.join(', ')}`),
    forged:
      forged.length === 0 ? passed(`none of ${notes.forged.size} forged deliveries had an effect`) : failed(`acted on ${forged.length} forged deliveries`),
  }
}
