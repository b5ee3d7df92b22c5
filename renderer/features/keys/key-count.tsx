import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { ActiveCount } from '../../ui/active-count.tsx'
import { keyCountText } from '../../ui/key-count-text.ts'

interface CountProps {
  readonly keys: readonly KeySummary[]
  readonly active: number | null
  readonly limit: number
}

/** How many keys are active, beside the title of the page. */
export function KeyCount({ keys, active, limit }: CountProps) {
  return active === null ? (
    <span className="active-count">{keyCountText({ keys, active, limit })}</span>
  ) : (
    <ActiveCount active={active} limit={limit} what="keys" />
  )
}
