import { type Foreign, foreign } from '../../../shared/foreign/foreign.ts'

export interface SseEvent {
  /** The id that the stream gives for this event; `null` if absent or empty. */
  readonly id: string | null
  /** The name of the event; `message` if the stream contains no name for it. */
  readonly type: string
  readonly data: Foreign<string>
}

export interface SseParser {
  /** Parses the next bytes and returns the events that they complete, in order. Throws `SseOverflow` if an event exceeds the limit. */
  push(chunk: Uint8Array): SseEvent[]
}

export class SseOverflow extends Error {}

export const sseEventLimit = 256 * 1_024

/**
 * Parses server-sent events according to the HTML standard. Chunks may end anywhere. Lines end in LF, CR or CRLF, and `:` starts a comment.
 * Several `data` lines are joined with LF.
 * An empty line ends an event. Events without data, and an event that the end of the stream cuts off, are ignored.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8')
  let left = ''
  let endedInCr = false
  let id: string | null = null
  let type = ''
  let data: string[] = []
  let size = 0

  const take = (line: string, events: SseEvent[]) => {
    if (line === '') {
      if (data.length > 0) events.push({ id, type: type === '' ? 'message' : type, data: foreign(data.join('\n')) })
      id = null
      type = ''
      data = []
      size = 0
      return
    }
    size += line.length
    if (size > sseEventLimit) throw new SseOverflow('an event is too large')
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') data.push(value)
    else if (name === 'event') type = value
    // According to the standard, an id that contains NUL must be ignored.
    else if (name === 'id' && !value.includes('\0')) id = value === '' ? null : value
  }

  return {
    push(chunk) {
      const events: SseEvent[] = []
      let text = left + decoder.decode(chunk, { stream: true })
      // The previous chunk ended with CR, which already ended a line. An LF at the start of this chunk belongs to that line end.
      if (text !== '' && endedInCr) {
        if (text.startsWith('\n')) text = text.slice(1)
        endedInCr = false
      }
      let from = 0
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code !== 10 && code !== 13) continue
        take(text.slice(from, at), events)
        if (code === 13 && text.charCodeAt(at + 1) === 10) at += 1
        else if (code === 13 && at === text.length - 1) endedInCr = true
        from = at + 1
      }
      left = text.slice(from)
      if (size + left.length > sseEventLimit) throw new SseOverflow('an event is too large')
      return events
    },
  }
}
