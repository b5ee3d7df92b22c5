/** What a price did within a time: where it began, how far it went, where it ended. */
export interface Span {
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
}

/** The parts of a span, one after the other. */
export interface Spans {
  at(index: number): Span
}

/** In [-1, 1): kind 0 for a step of the way, 1 and 2 for how far a part goes above and below its ends. */
type Chance = (kind: 0 | 1 | 2, part: number) => number

/** Of the room that the span leaves above and below its ends, how much the ends of its parts use. */
const used = 0.94

/** Divides a span: the parts join, the highest reaches exactly its high, the lowest exactly its low, and none goes beyond. */
export function divided({ o, h, l, c }: Span, count: number, chance: Chance): Spans {
  const points = wayOf({ o, h, l, c }, count, chance)
  const wick = (h - l) / Math.sqrt(count)
  const highs = new Float64Array(count)
  const lows = new Float64Array(count)
  let [highest, lowest] = [0, 0]
  for (let part = 0; part < count; part += 1) {
    const [from, to] = [points[part] ?? o, points[part + 1] ?? c]
    highs[part] = Math.min(h, Math.max(from, to) + wick * (0.2 + 0.1 * chance(1, part)))
    lows[part] = Math.max(l, Math.min(from, to) - wick * (0.2 + 0.1 * chance(2, part)))
    if ((highs[part] ?? h) > (highs[highest] ?? h)) highest = part
    if ((lows[part] ?? l) < (lows[lowest] ?? l)) lowest = part
  }
  highs[highest] = h
  lows[lowest] = l
  return { at: (index) => ({ o: points[index] ?? o, h: highs[index] ?? h, l: lows[index] ?? l, c: points[index + 1] ?? c }) }
}

/** A walk from the span's beginning to its end, bent so that it stays within it. */
function wayOf({ o, h, l, c }: Span, count: number, chance: Chance): Float64Array {
  const points = new Float64Array(count + 1)
  for (let part = 1; part <= count; part += 1) points[part] = (points[part - 1] ?? 0) + chance(0, part)
  const drift = (points[count] ?? 0) / count
  const step = (0.8 * (h - l)) / Math.sqrt(count)
  for (let part = 0; part <= count; part += 1) points[part] = o + ((c - o) * part) / count + ((points[part] ?? 0) - drift * part) * step
  const [upper, lower] = [Math.max(o, c), Math.min(o, c)]
  const above = Math.max(...points) - upper
  const below = lower - Math.min(...points)
  const up = above > 0 ? Math.min(3, (used * (h - upper)) / above) : 1
  const down = below > 0 ? Math.min(3, (used * (lower - l)) / below) : 1
  for (let part = 1; part < count; part += 1) {
    const point = points[part] ?? o
    points[part] = point > upper ? upper + (point - upper) * up : point < lower ? lower - (lower - point) * down : point
  }
  points[0] = o
  points[count] = c
  return points
}
