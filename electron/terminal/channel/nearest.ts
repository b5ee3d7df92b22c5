/** How many letters have to be put in, taken out or exchanged. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length] ?? 0
}

const mostWrong = 2

/** What was meant, as a question to put after a sentence: the word with the fewest slips, or one that this one begins with. Empty: nothing like it. */
export function meant(typed: string, words: readonly string[], shown: (word: string) => string = (word) => word): string {
  const ranked = words
    .map((word) => ({ word, wrong: typed.startsWith(`${word}-`) ? 1 : distance(typed.toLowerCase(), word) }))
    .filter(({ word, wrong }) => wrong <= mostWrong && wrong < word.length / 2)
    .sort((a, b) => a.wrong - b.wrong)
  const [best] = ranked
  return best === undefined ? '' : ` Did you mean ${shown(best.word)}?`
}
