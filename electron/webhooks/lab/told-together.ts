/** Tells of changes that come close together once, `ms` after the first of them. */
export function createToldTogether(tell: () => void, ms: number) {
  let timer: NodeJS.Timeout | null = null
  let ended = false
  const now = () => {
    timer = null
    tell()
  }
  return {
    changed(): void {
      if (!ended) timer ??= setTimeout(now, ms)
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
      ended = true
    },
  }
}
