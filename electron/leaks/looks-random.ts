/** Bits a character. Random text of one alphabet of 16 has more from a dozen characters on, but for chance; repetitions have less. */
const leastEntropy = 2.8
/** Words for each letter or digit: those of random text are two or three characters long, those of names and dates four and more. */
const mostWordLength = 4
/** Of all neighbours, the share that follow each other in the alphabet or repeat: `abcdef`, `0123`, `xxxx`. */
const mostSteps = 0.35

/** What people write where a secret goes. None is likely to come about by chance in the length of a key. */
const placeholder = /x{4}|your|example|placeholder|change.?me|redacted|dummy|sample|insert|replace|goes.?here/i

/** The name of an environment variable. */
const variable = /^_?[A-Z0-9]+(?:_[A-Z0-9]+)+$/

/** As a reader sees them: `OrderHandlerV2` is Order, Handler, V and 2. */
const words = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g

/** Shannon's, over the characters of the text itself. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return -[...counts.values()].reduce((sum, count) => sum + (count / text.length) * Math.log2(count / text.length), 0)
}

/** The share of neighbours that are at most one apart. */
function stepsOf(text: string): number {
  let steps = 0
  for (let at = 1; at < text.length; at += 1) if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1
  return steps / (text.length - 1)
}

/**
 * Whether the part of a secret behind its prefix may have come from a random generator, in hexadecimal, base62 or base64url. Placeholders,
 * names, dates and sequences have not. Secrets that are held here never go through this: they are recognised by fingerprint.
 */
export function looksRandom(body: string): boolean {
  const found = body.match(words) ?? []
  return (
    !placeholder.test(body) &&
    !variable.test(body) &&
    found.join('').length < mostWordLength * found.length &&
    entropyOf(body) >= leastEntropy &&
    stepsOf(body) <= mostSteps
  )
}
