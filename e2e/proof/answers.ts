import { asJson, jsonText } from '../../electron/practice/dialect/json.ts'
import { answers, routeName } from '../../electron/practice/dialect/resources.ts'
import { createSpeaker, type Speaker } from '../../electron/practice/dialect/speaker.ts'
import type { LoggedTruth } from '../../electron/practice/dialect/truth-log.ts'
import type { Exchange } from '../../electron/practice/exchange/exchange.ts'
import type { Answered } from './judge.ts'

/** The exchange’s latest responses in one API dialect, by route. */
export interface Answers {
  /**
   * The latest response of a route since `forget`; null if there is none. `pages`: the name of a list that is split over several responses, whose
   * rows are combined.
   */
  last(route: string, pages?: string): Answered | null
  /** Discards all responses of a route that arrived so far. */
  forget(route: string): void
}

export function createAnswers(exchange: Pick<Exchange, 'truth'>, seed: number): Answers {
  const speaker = createSpeaker(seed)
  const seen = new Set<string>()
  const fresh = (route: string) => routesOf(route).flatMap((each) => exchange.truth({ route: each }).filter(({ requestId }) => !seen.has(requestId)))
  return {
    last: (route, pages) => {
      const found = fresh(route)
      const [newest] = found
      if (newest === undefined) return null
      const rows = found.flatMap(({ body }) => (pages !== undefined && Array.isArray(body[pages]) ? (body[pages] as unknown[]) : []))
      return answered(pages === undefined ? newest : { ...newest, body: { ...newest.body, [pages]: rows } }, speaker)
    },
    forget: (route) => {
      for (const { requestId } of fresh(route)) seen.add(requestId)
    },
  }
}

/** One common name for a versioned route and its public counterpart. The versioned route contains `{id}` where the public one has `{pair_id}`. */
const oneName = (route: string): string => routeName(route).replace('{id}', '{pair_id}')
const routesOf = (name: string): readonly string[] =>
  name.includes(' /api/') ? [name] : [name.replace(' /', ' /api/dex/v1/'), name.replace(' /', ' /api/dex/').replace('{pair_id}', '{id}')]

function answered({ route, body, fields, requestId }: LoggedTruth, speaker: Speaker): Answered {
  const shape = answers[routeName(route)]
  const prefix = [shape?.main ?? '', shape?.as === 'page' ? 'items' : '']
  const of = (standing: LoggedTruth['fields'][number]['standing']) =>
    new Set(fields.filter((each) => each.standing === standing).map(({ field }) => [...prefix, field].filter(Boolean).join('.')))
  return {
    route: oneName(route),
    told: body,
    sent: jsonText(asJson(speaker.answer(route, body, { requestId, nowMs: 0, action: null }))),
    open: of('open'),
    leftOut: of('left_out'),
    derived: of('derived'),
  }
}
