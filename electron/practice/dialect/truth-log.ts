import type { Speaker } from './speaker.ts'
import type { Truth } from './truth.ts'
import type { Row } from './write-record.ts'

/** A response in a dialect, together with the values that the exchange meant. The response and the values describe the same moment. */
export interface LoggedTruth {
  readonly requestId: string
  /** Method and path as in the API document, with the full prefix. */
  readonly route: string
  readonly seed: number
  readonly fields: readonly Truth[]
  /** The exchange's own response, before conversion to the dialect. */
  readonly body: Row
}

export interface TruthLog {
  add(speaker: Speaker, requestId: string, route: string, body: Row): void
  /** Finds logged responses, newest first. Selects them by request id or by route; without either, returns all responses. */
  find(asked: { readonly requestId?: string; readonly route?: string }): readonly LoggedTruth[]
}

const kept = 200

export function createTruthLog(): TruthLog {
  const told: { readonly speaker: Speaker; readonly requestId: string; readonly route: string; readonly body: Row }[] = []
  return {
    add: (speaker, requestId, route, body) => {
      told.unshift({ speaker, requestId, route, body })
      if (told.length > kept) told.pop()
    },
    find: ({ requestId, route }) =>
      told
        .filter((each) => (requestId === undefined || each.requestId === requestId) && (route === undefined || each.route === route))
        .map(({ requestId: id, route: name, speaker, body }) => ({
          ...{ requestId: id, route: name, seed: speaker.dialect.seed, body },
          fields: speaker.truth(name, body),
        })),
  }
}
