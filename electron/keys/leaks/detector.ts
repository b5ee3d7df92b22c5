import { anchorAcross, anchorPattern, behind, type Candidate, candidateAt, longestAnchor, reach } from './candidates.ts'
import type { Fingerprints } from './scan-job.ts'

/** A possible secret and its position in the text. Lines and columns start at 1; columns count UTF-8 characters. */
export interface Spot extends Candidate {
  readonly line: number
  readonly column: number
}

/**
 * Searches for secrets in a text that arrives in pieces of any size. Between two pieces, keeps only about the last `reach` characters of the text.
 */
export interface Detector {
  /** Adds the next piece of the text. Each character of the piece is one byte (Latin-1). */
  push(piece: string): void
  end(): void
}

const isContinuation = (code: number): boolean => (code & 0xc0) === 0x80

interface Hit {
  readonly found: string
  readonly index: number
}

function anchorFrom(window: string, from: number): Hit | null {
  anchorPattern.lastIndex = from
  const match = anchorPattern.exec(window)
  return match === null ? null : { found: match[0], index: match.index }
}

function cutAnchorFrom(window: string, from: number, to: number): Hit | null {
  for (let at = window.indexOf('\n', from); at >= 0; at = window.indexOf('\n', at + 1)) {
    const hit = anchorAcross(window, at)
    if (hit !== null && hit.index >= from) return hit.index < to ? hit : null
    if (at >= to + longestAnchor) return null
  }
  return null
}

export function createDetector(fingerprints: Pick<Fingerprints, 'recognise'>, onSpot: (spot: Spot) => void): Detector {
  let held = ''
  /**
   * Two positions in `held`, the part of the text in memory. `decided`: the search is finished with every possible secret that starts before this
   * position. `counted`: lines and columns are counted up to this position.
   */
  let [decided, counted] = [0, 0]
  let [line, column] = [1, 1]

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
    let whole = anchorFrom(window, next)
    let cut = cutAnchorFrom(window, next, upTo)
    for (;;) {
      const hit = whole !== null && (cut === null || whole.index <= cut.index) ? whole : cut
      if (hit === null || hit.index >= upTo) break
      const candidate = candidateAt(fingerprints, hit.found, window, hit.index)
      next = hit.index + (candidate?.length ?? 1)
      if (whole !== null && whole.index < next) whole = anchorFrom(window, next)
      if (cut !== null && cut.index < next) cut = cutAnchorFrom(window, next, upTo)
      if (candidate === null) continue
      pass(window, passed, hit.index)
      passed = hit.index
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
