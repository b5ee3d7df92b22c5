import type { Check } from '../../../shared/ipc/intents/signing.ts'

/** One displayed part of the sign-in message. `hidden`: an invisible character, or one that changes the text direction. */
export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'hidden'; readonly text: string }
  | { readonly type: 'mark'; readonly number: number; readonly verdict: Check['verdict']; readonly inside: readonly Piece[] }

/**
 * Ranges (first, last) of characters that a user cannot see: control characters except the line feed, zero-width characters such as joiners, and
 * characters that change the text direction.
 */
const invisible: readonly (readonly [number, number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffc],
  [0xe0000, 0xe0fff],
]

const hides = (point: number): boolean => invisible.some(([first, last]) => point >= first && point <= last)

function plain(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let run = ''
  const close = () => {
    if (run !== '') pieces.push({ type: 'text', text: run })
    run = ''
  }
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (hides(point)) {
      close()
      pieces.push({ type: 'hidden', text: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` })
    } else run += character
  }
  close()
  return pieces
}

/**
 * Splits the message at the places to which the checks refer. Joined together, the pieces are the whole message.
 * If a check's place is outside the message or overlaps another, the message gets no mark for it, but the list still shows the check.
 */
export function messagePieces(message: string, checks: readonly Check[]): readonly Piece[] {
  const places = checks
    .flatMap((check, index) =>
      check.at === null ? [] : [{ number: index + 1, verdict: check.verdict, start: check.at.start, end: check.at.start + check.at.length }],
    )
    .filter(({ start, end }) => start >= 0 && end > start && end <= message.length)
    .sort((a, b) => a.start - b.start || a.number - b.number)
  const pieces: Piece[] = []
  let from = 0
  for (const { number, verdict, start, end } of places) {
    if (start < from) continue
    pieces.push(...plain(message.slice(from, start)), { type: 'mark', number, verdict, inside: plain(message.slice(start, end)) })
    from = end
  }
  return [...pieces, ...plain(message.slice(from))]
}
