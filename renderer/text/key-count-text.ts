import type { KeySummary } from '../../shared/ipc/keys/keys.ts'

interface Counted {
  readonly keys: readonly Pick<KeySummary, 'status'>[]
  /** null: the service told neither a count nor the state of every key. */
  readonly active: number | null
  readonly limit: number
}

/** How many keys of the wallet are active. One whose state is not told may be: it is never counted as if it were not. */
export function keyCountText({ keys, active, limit }: Counted): string {
  if (active !== null) return `${active} of ${limit} active`
  const told = keys.filter(({ status }) => status === 'active').length
  const untold = keys.filter(({ status }) => status === 'unknown').length
  return told === 0 ? `${untold} ${untold === 1 ? 'key' : 'keys'}, state not told` : `${told} active, ${untold} with a state not told`
}
