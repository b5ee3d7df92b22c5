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

/** Pairs of letters that words are mostly made of. Random text has them by chance: about one pair in six. */
const pairs = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur ca el
  ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os
  iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab ty op sa ay ex ke oo ag ap gr od bo sp rd do uc bu rr ui`.split(/\s+/),
)
const shortestWord = 4
/** A date, with or without a time. */
const date = /^(?:19|20)\d{6,12}$/
/** Of all letters and digits, the share that stands in words and numbers. */
const mostInWords = 0.45

function isWord(run: string): boolean {
  if (date.test(run)) return true
  if (run.length < shortestWord || /\d/.test(run)) return false
  const lower = run.toLowerCase()
  let known = 0
  for (let at = 1; at < lower.length; at += 1) if (pairs.has(lower.slice(at - 1, at + 1))) known += 1
  return known / (lower.length - 1) >= 0.5
}

/** Digits in so many places stand in no name. */
const fewestDigitRuns = 3

/**
 * Whether the part of a secret behind its prefix may have come from a random generator, in hexadecimal, base32, base62 or base64url. Placeholders,
 * names, dates and sequences have not. Secrets that are held here never go through this: they are recognised by fingerprint.
 */
export function looksRandom(body: string): boolean {
  if (placeholder.test(body) || variable.test(body)) return false
  const found = body.match(words) ?? []
  const length = found.join('').length
  const inWords = found.filter(isWord).join('').length
  const isMixed = length < mostWordLength * found.length || (body.match(/\d+/g) ?? []).length >= fewestDigitRuns
  return isMixed && inWords < mostInWords * length && entropyOf(body) >= leastEntropy && stepsOf(body) <= mostSteps
}
