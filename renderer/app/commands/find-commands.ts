import type { Command } from '../../kit/layout/commands.tsx'

export interface Found {
  readonly command: Command
  /** Where the words were found in the label: start and end of each piece. */
  readonly marks: readonly (readonly [number, number])[]
}

/** How well a label fits: every word of what was typed has to begin a word of the label, or stand somewhere in it. Null when one is missing. */
function scoreOf(label: string, words: readonly string[]): { readonly score: number; readonly marks: readonly (readonly [number, number])[] } | null {
  const text = label.toLowerCase()
  let score = 0
  const marks: (readonly [number, number])[] = []
  for (const word of words) {
    const starts = text.startsWith(word) ? 0 : text.indexOf(` ${word}`) + 1
    const at = text.startsWith(word) || starts > 0 ? starts : text.indexOf(word)
    if (at < 0) return null
    score += at === 0 ? 3 : starts > 0 ? 2 : 1
    marks.push([at, at + word.length])
  }
  return { score, marks: marks.sort((a, b) => a[0] - b[0]) }
}

/** The commands that fit what was typed, best first, then in their own order. All of them when nothing was. */
export function findCommands(commands: readonly Command[], typed: string): readonly Found[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.map((command) => ({ command, marks: [] }))
  return commands
    .map((command) => ({ command, fitting: scoreOf(command.label, words) ?? scoreOf(`${command.group} ${command.label}`, words) }))
    .flatMap(({ command, fitting }) => (fitting === null ? [] : [{ command, score: fitting.score, marks: scoreOf(command.label, words)?.marks ?? [] }]))
    .sort((a, b) => b.score - a.score)
    .map(({ command, marks }) => ({ command, marks }))
}
