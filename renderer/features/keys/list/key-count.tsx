import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { ActiveCount } from '../../../parts/active-count.tsx'
import { keyCountText } from '../../../text/key-count-text.ts'

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
