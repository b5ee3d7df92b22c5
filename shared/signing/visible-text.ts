/**
 * Characters that change how text looks without being seen themselves: controls but for line breaks and tabs, format
 * characters (bidi, zero width, tags), line and paragraph separators, letters that draw nothing, lone surrogates, private
 * use and unassigned ones.
 */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}/gu

export interface VisiblePart {
  /** The text itself, or for a hidden character its name, for example `U+202E`. */
  readonly text: string
  readonly hidden: boolean
  /** Offset in the original, in UTF-16 code units. */
  readonly start: number
  readonly length: number
}

const nameOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Splits text so that a view can show hidden characters as marks. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = []
  let end = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hidden: false, start: end, length: match.index - end })
    parts.push({ text: nameOf(match[0]), hidden: true, start: match.index, length: match[0].length })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), hidden: false, start: end, length: text.length - end })
  return parts
}

/** The same as one string: `a‹U+202E›b`. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => (part.hidden ? `‹${part.text}›` : part.text))
    .join('')

/** The first hidden character, or null. */
export const firstHidden = (text: string): VisiblePart | null => visibleParts(text).find((part) => part.hidden) ?? null
