/** Which events of a stream came, by the number at the end of their ids. */
export interface EventTrack {
  /**
   * known: it came before. new: it has not, in whatever order it comes now. another: a numbering of its own begins, and what was known
   * of the one before counts no more. plain: its id has no number, and it has not come lately.
   */
  take(id: string): 'known' | 'new' | 'another' | 'plain'
  /** Whether an event between those that came is missing. */
  hasGap(): boolean
  /** What is missing is known by other means now. */
  closeGap(): void
  /** The id to resume after: everything up to it came. null: no event came. */
  resumeAfter(): string | null
}

/** Ids that are remembered behind the newest. A service sends an event again soon or never. */
const remembered = 512

export function createEventTrack(): EventTrack {
  let prefix: string | null = null
  /** Everything from the first number on and up to here came. */
  let whole = 0
  let newest = 0
  let came = new Map<number, string>()
  let plain: string[] = []
  let after: string | null = null

  const begin = (of: string, number: number, id: string) => {
    prefix = of
    whole = number
    newest = number
    came = new Map([[number, id]])
    after = id
  }

  const advance = () => {
    for (let id = came.get(whole + 1); id !== undefined; id = came.get(whole + 1)) {
      whole += 1
      after = id
    }
    for (const number of came.keys()) if (number < newest - remembered) came.delete(number)
    if (newest - whole > remembered) whole = newest - remembered
  }

  return {
    take(id) {
      const [, of, digits] = /^(.*?)(\d{1,15})$/s.exec(id) ?? []
      if (of === undefined || digits === undefined) {
        if (plain.includes(id)) return 'known'
        plain = [...plain, id].slice(-remembered)
        after = id
        return 'plain'
      }
      const number = Number(digits)
      if (prefix !== of) {
        const first = prefix === null
        begin(of, number, id)
        return first ? 'new' : 'another'
      }
      if (came.has(number) || number < newest - remembered) return 'known'
      came.set(number, id)
      newest = Math.max(newest, number)
      advance()
      return 'new'
    },
    hasGap: () => newest > whole,
    closeGap() {
      whole = newest
      after = came.get(newest) ?? after
    },
    resumeAfter: () => after,
  }
}
