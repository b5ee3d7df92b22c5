/** When each step of a signing was reached, Unix milliseconds; null while it lies ahead. */
export interface SigningTimes {
  readonly preparedAtMs: number
  readonly askedAtMs: number | null
  readonly signedAtMs: number | null
  /** One for each of the steps after the signature. */
  readonly afterMs: readonly (number | null)[]
}

export interface ProgressStep {
  readonly label: string
  readonly state: 'done' | 'now' | 'next' | 'failed'
  readonly atMs: number | null
}

interface ProgressWords {
  /** What the message was compared with. */
  readonly source: 'ticket' | 'request'
  /** What follows the signature, for example "Signature checked, then relayed". */
  readonly after: readonly string[]
}

/** The steps from preparing to the end: those with a time are done, the next one is under way or failed. */
export function progressSteps(words: ProgressWords, times: SigningTimes, stopped: boolean): readonly ProgressStep[] {
  const reached: readonly (readonly [string, number | null])[] = [
    ['Prepared by the service', times.preparedAtMs],
    [words.source === 'ticket' ? 'Matched with your ticket' : 'Matched with your request', times.preparedAtMs],
    ['Sent to the wallet', times.askedAtMs],
    [times.signedAtMs === null ? 'Waiting for your approval' : 'Approved on the phone', times.signedAtMs],
    ...words.after.map((label, index) => [label, times.afterMs[index] ?? null] as const),
  ]
  const current = reached.findIndex(([, atMs]) => atMs === null)
  return reached.map(([label, atMs], index) => ({
    label,
    atMs,
    state: current < 0 || index < current ? 'done' : index > current ? 'next' : stopped ? 'failed' : 'now',
  }))
}
