import type { RadarItem } from '../../../shared/ipc/keys/radar.ts'
import { durationText } from '../../../shared/signing/wording.ts'
import { radarStops, radarTitle } from '../../../shared/text/radar-text.ts'
import { day, hour } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import { severalEnds } from '../../kernel/notice-words.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'
import { noticeDays } from './radar-items.ts'

export interface RadarNotices {
  /** Tells, once each, of the marks that were passed since the last look. On disk before it is said: a restart repeats nothing. */
  look(items: readonly RadarItem[], nowMs: number): void
}

interface Due {
  readonly item: RadarItem
  readonly endsAtMs: number
  readonly days: number
}

const namesShown = 3

/** The smallest mark that is passed; null: none is. A mark that the whole life lies within is none: who chose 30 days need not hear of them. */
const markOf = (leftMs: number, lifeMs: number | null): number | null =>
  noticeDays.findLast((days) => leftMs <= days * day && (lifeMs === null || lifeMs > days * day + hour)) ?? null

function noticeOf(due: readonly Due[], nowMs: number): { severity: 'warn' | 'danger'; title: string; text: string; to: string } {
  const severity = due.some(({ days }) => days <= 1) ? 'danger' : 'warn'
  const [first] = due
  if (due.length === 1 && first !== undefined) {
    const { item, endsAtMs } = first
    const left = endsAtMs - nowMs
    const title = left <= 0 ? `${radarTitle(item)} has ended` : `${radarTitle(item)} ends in ${durationText(left)}`
    return { severity, title, text: radarStops[item.kind], to: item.action?.to ?? '/keys' }
  }
  const names = due.slice(0, namesShown).map(({ item }) => radarTitle(item))
  const over = due.filter(({ endsAtMs }) => endsAtMs <= nowMs).length
  return {
    severity,
    ...severalEnds(due.length, over === due.length, names),
    to: '/keys/radar',
  }
}

export function createRadarNotices({
  profile,
  records,
  emit,
}: {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly emit: Emit
}): RadarNotices {
  const { endNotices } = records
  const keyOf = (id: string) => ({ profile: profile.id, id })
  const toldOf = (id: string) => endNotices.read(keyOf(id))

  return {
    look: (items, nowMs) => {
      const due = items.flatMap((item): Due[] => {
        const { id, madeAtMs, endsAtMs, sure, kind } = item
        // The sign-in has its own watch; an end that is only known by the key's is the key's notice.
        if (endsAtMs === null || sure !== 'exact' || kind === 'sign_in') return []
        const days = markOf(endsAtMs - nowMs, madeAtMs === null ? null : endsAtMs - madeAtMs)
        const told = toldOf(id)
        if (days === null || (told?.endsAtMs === endsAtMs && told.days <= days)) return []
        return [{ item, endsAtMs, days }]
      })
      if (due.length === 0) return
      // What was over long before anybody looked is no news.
      const news = due.filter(({ item, endsAtMs }) => nowMs - endsAtMs < day || toldOf(item.id)?.endsAtMs === endsAtMs)
      for (const { item, endsAtMs, days } of due) endNotices.write(keyOf(item.id), { endsAtMs, days })
      if (news.length > 0) emit({ type: 'notice', ...noticeOf(news, nowMs) })
      emit({ type: 'invalidate', queries: ['radar.list', 'app.attention'] })
    },
  }
}
