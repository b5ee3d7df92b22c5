import { limits } from '../../api/limits.ts'
import type { ComparisonLine, LineCode } from '../../ipc/intents/signing.ts'
import { leftOver } from '../comparison.ts'
import { type LayoutPin, sameAddress } from '../pins.ts'
import { fieldAt, isEmptyValue, keepsRule, ruleOf } from './signing-format.ts'
import type { TypedLeaf } from './typed-data.ts'

interface Known {
  readonly wallet: string
  /** Contracts that may stand in a message. */
  readonly trusted: readonly string[]
  readonly nowMs: number
  readonly isExit: boolean
  /** The kind of order. */
  readonly variant: string
  /** The format by which the message is judged; null: none. */
  readonly reference: LayoutPin | null
}

type Harmless = 'own_wallet' | 'trusted_contract' | 'as_agreed' | 'chain_id' | 'empty' | 'time_of_now' | 'by_chance'

const isAddress = ({ type, value }: TypedLeaf): boolean => type === 'address' && !isEmptyValue(value)

/** A value that nobody asked for: agreed to before, harmless, or to be asked about by its name. */
export function leftOverLine(leaf: TypedLeaf, { wallet, trusted, nowMs, isExit, variant, reference }: Known): ComparisonLine {
  const line = leftOver(leaf)
  const settled = (code: Harmless): ComparisonLine => ({ ...line, verdict: 'absent', remark: { code }, code: 'agreed' })
  const open = (code: LineCode): ComparisonLine => ({ ...line, code })
  const written = String(leaf.value)
  if (isAddress(leaf)) {
    if (sameAddress(written, wallet)) return settled('own_wallet')
    if (trusted.some((address) => sameAddress(address, written))) return settled('trusted_contract')
  }
  const pinned = fieldAt(reference?.format, leaf)
  if (pinned !== null && keepsRule(pinned, leaf, { nowMs, variant })) return settled('as_agreed')
  // An exit gives nothing to anybody.
  if (isAddress(leaf)) return isExit ? { ...line, verdict: 'differ', code: 'foreign_address' } : open('foreign_address')
  if (leaf.value === BigInt(limits.chainId)) return settled('chain_id')
  const harmless = ruleOf(leaf, nowMs)
  if (reference?.format != null) return harmless === 'empty' && pinned !== null && pinned.rule !== 'fixed' ? settled('empty') : open('new_field')
  if (harmless === 'empty') return open('unasked_empty')
  return harmless === 'fixed' ? open('unasked') : settled(harmless === 'time' ? 'time_of_now' : 'by_chance')
}
