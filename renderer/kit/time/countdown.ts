/** `4:41`, or `1:02:09` from one hour on. Never below zero. */
export function clockText(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60)
  return minutes < 60 ? `${minutes}:${seconds}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`
}

/** The same in words, for screen readers: "4 minutes 41 seconds left". */
export function spokenLeft(leftMs: number): string {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  if (total === 0) return 'Time is over'
  const part = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return `${[...part(Math.floor(total / 3_600), 'hour'), ...part(Math.floor((total % 3_600) / 60), 'minute'), ...part(total % 60, 'second')].join(' ')} left`
}

/** What is announced without being asked for: one minute, half a minute, ten seconds, the end. Null between them. */
export function announcement(leftMs: number): string | null {
  const total = Math.max(0, Math.ceil(leftMs / 1_000))
  if (total === 0) return 'Time is over'
  return total === 60 ? 'One minute left' : total === 30 ? '30 seconds left' : total === 10 ? '10 seconds left' : null
}
