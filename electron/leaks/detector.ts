import { anchorPattern, behind, type Candidate, candidateAt, reach } from './candidates.ts'
import type { Fingerprints } from './fingerprints.ts'

/** A candidate and where it begins. Both counted from 1; columns in characters of UTF-8. */
export interface Spot extends Candidate {
  readonly line: number
  readonly column: number
}

/** Looks through a text that comes in pieces, wherever they are cut. Holds little more than `reach` characters beside the piece itself. */
export interface Detector {
  /** Bytes as Latin-1. */
  push(piece: string): void
  end(): void
}

const isContinuation = (code: number): boolean => (code & 0xc0) === 0x80

export function createDetector(fingerprints: Fingerprints, onSpot: (spot: Spot) => void): Detector {
  let held = ''
  /** In `held`: up to where anchors were decided, and where line and column are. */
  let [decided, counted] = [0, 0]
  let [line, column] = [1, 1]

  /** Moves line and column over a stretch of the window. */
  const pass = (window: string, from: number, to: number): void => {
    let start = from
    for (let end = window.indexOf('\n', start); end >= 0 && end < to; end = window.indexOf('\n', start)) {
      line += 1
      column = 1
      start = end + 1
    }
    for (let at = start; at < to; at += 1) if (!isContinuation(window.charCodeAt(at))) column += 1
  }

  const look = (window: string, upTo: number): void => {
    let [next, passed] = [decided, counted]
    anchorPattern.lastIndex = decided
    for (let match = anchorPattern.exec(window); match !== null && match.index < upTo; match = anchorPattern.exec(window)) {
      const [found] = match
      const candidate = candidateAt(fingerprints, found, window, match.index)
      next = match.index + (candidate?.length ?? 1)
      anchorPattern.lastIndex = next
      if (candidate === null) continue
      pass(window, passed, match.index)
      passed = match.index
      onSpot({ ...candidate, line, column })
    }
    next = Math.max(next, upTo)
    const kept = Math.max(0, next - behind)
    if (kept > passed) pass(window, passed, kept)
    held = window.slice(kept)
    decided = next - kept
    counted = Math.max(passed, kept) - kept
  }

  return {
    push: (piece) => {
      const window = held + piece
      if (window.length - reach > decided) look(window, window.length - reach)
      else held = window
    },
    end: () => look(held, held.length),
  }
}
