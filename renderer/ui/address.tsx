import { CopyButton } from './copy-button.tsx'
import { Identicon } from './identicon.tsx'
import { shorten } from './short.ts'

interface AddressProps {
  readonly address: string
  /** All 40 digits instead of the first and last four. */
  readonly full?: boolean
  readonly picture?: boolean
  readonly copy?: boolean
}

/** An address: short, with the whole of it in its tooltip. */
export function Address({ address, full = false, picture = false, copy = true }: AddressProps) {
  return (
    <span className="address">
      {picture ? <Identicon address={address} /> : null}
      <code title={full ? undefined : address}>{full ? address : shorten(address)}</code>
      {copy ? <CopyButton text={address} what="address" /> : null}
    </span>
  )
}
