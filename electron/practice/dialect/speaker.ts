import { type Dialect, drawDialect } from './draw.ts'
import { createRequestReader, type RequestReader } from './requests.ts'
import { type Truth, truthOf } from './truth.ts'
import { createAnswerWriter, type WriteAnswer } from './write-answer.ts'
import { type Refused, type WrittenError, writeError } from './write-error.ts'
import { createRecordWriter, type RecordWriter, type Row } from './write-record.ts'

/**
 * Converts between the exchange's own format and one dialect. The exchange sends all responses in the dialect, and expects all requests in the
 * dialect.
 */
export interface Speaker {
  readonly dialect: Dialect
  readonly writer: RecordWriter
  readonly requests: RequestReader
  readonly answer: WriteAnswer
  error(refused: Refused, requestId: string): WrittenError
  truth(route: string, body: Row): readonly Truth[]
}

export function createSpeaker(seed: number): Speaker {
  const dialect = drawDialect(seed)
  const writer = createRecordWriter(dialect)
  const requests = createRequestReader(dialect)
  return {
    dialect,
    writer,
    requests,
    answer: createAnswerWriter(writer, requests),
    error: (refused, requestId) => writeError(dialect, refused, requestId),
    truth: (route, body) => truthOf(writer, route, body),
  }
}

/**
 * Returns a function that creates the `Speaker`, the converter, for a dialect's seed. If the seed is the same as in the previous call, the function
 * reuses that `Speaker`. The seed null means the exchange's own format; the function then returns null.
 */
export function createSpeakers(): (seed: number | null) => Speaker | null {
  let last: Speaker | null = null
  return (seed) => {
    if (seed === null) return null
    if (last?.dialect.seed !== seed) last = createSpeaker(seed)
    return last
  }
}
