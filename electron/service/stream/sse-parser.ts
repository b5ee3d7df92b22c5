import { createParser } from 'eventsource-parser'
import { type Foreign, foreign } from '../../../shared/foreign/foreign.ts'

/** One event of `text/event-stream`. */
export interface SseEvent {
  /** The id that the event itself gives; null: none, or an empty one. */
  readonly id: string | null
  /** `message` where the stream names none. */
  readonly type: string
  readonly data: Foreign<string>
}

export interface SseParser {
  /** Events that the bytes complete, in order. Throws `SseOverflow` when one event is larger than anything that is read here. */
  push(chunk: Uint8Array): SseEvent[]
}

export class SseOverflow extends Error {}

/** Characters of one event. */
export const sseEventLimit = 256 * 1_024

/**
 * Reads server-sent events as the HTML standard writes them, wherever the chunks are cut. The package keeps at most `sseEventLimit` characters of
 * an unfinished line and of data; an event that ends within one chunk is measured when it is complete.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8')
  let events: SseEvent[] = []
  const overflow = () => {
    throw new SseOverflow('an event is too large')
  }
  const parser = createParser({
    maxBufferSize: sseEventLimit,
    onEvent: ({ id = '', event = 'message', data }) => {
      if (id.length + event.length + data.length > sseEventLimit) overflow()
      events.push({ id: id === '' ? null : id, type: event, data: foreign(data) })
    },
    // The standard leaves unknown fields and a wrong `retry` aside.
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') overflow()
    },
  })
  return {
    push(chunk) {
      events = []
      parser.feed(decoder.decode(chunk, { stream: true }))
      return events
    },
  }
}
