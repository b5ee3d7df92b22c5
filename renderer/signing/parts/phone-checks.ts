import type { ComparisonLine, LineValue } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison, RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { lineName, lineValueText } from '../../../shared/text/comparison-text.ts'
import type { ContractCheck } from './signing-message.ts'

/** A value that the user is asked to find on the phone, under the name the phone shows it by. */
export interface PhoneCheck {
  readonly label: string
  readonly value: string
  readonly unit: string | null
  readonly field: string
  readonly code: boolean
}

/** What an attacker would change first: the amount or what it is done to, the price or who may take it, and the contract that will obey. */
const wanted: readonly (readonly string[])[] = [
  ['orderValue', 'agent', 'amount', 'value', 'size', 'positionId', 'orderId'],
  ['limitPrice', 'triggerPrice', 'expiresAt', 'referencePrice', 'takeProfit', 'stopLoss', 'leverage', 'spender'],
  ['verifyingContract', 'contract', 'router'],
]

const matches = (line: ComparisonLine, name: string): boolean => line.id === name || line.field === name || line.field?.endsWith(`.${name}`) === true

const isCode = (value: string): boolean => /^0x[0-9a-fA-F]/.test(value)

/** A phone shows an address, and no words about whose it is. */
const shownOnPhone = (value: LineValue): string =>
  typeof value !== 'string' && (value.code === 'contract' || value.code === 'vouched') ? value.address : lineValueText(value)

/** Up to three matched lines, in the order in which they matter. */
export function phoneChecks(comparison: Comparison): readonly PhoneCheck[] {
  // The ETH that goes along is none; a phone shows that last, if at all.
  const usable = comparison.lines.filter(
    (line) => line.verdict === 'match' && line.signed !== null && line.field !== null && !(line.id === 'value' && line.group === 'envelope'),
  )
  const chosen = wanted.flatMap((names) => {
    for (const name of names) {
      const line = usable.find((one) => matches(one, name))
      if (line !== undefined) return [line]
    }
    return []
  })
  const rest = usable.filter((line) => line.group === 'order' && !chosen.includes(line))
  return [...chosen, ...rest].slice(0, 3).map((line) => {
    const value = line.signed === null ? '' : shownOnPhone(line.signed)
    return { label: lineName(line), value, unit: line.unit, field: line.field?.split('.').at(-1) ?? line.id, code: isCode(value) }
  })
}

/** `0x` and eight groups of eight: how a hardware wallet's screen is compared. */
export function digestGroups(digest: string): readonly string[] {
  const groups = digest.replace(/^0x/, '').match(/.{1,8}/g) ?? []
  return groups.map((group, index) => (index === 0 ? `0x${group}` : group))
}

/** The contracts that a message names, without those that it does not. */
export const contractChecks = ({
  token = null,
  router,
}: {
  readonly token?: RouterCheck | null
  readonly router: RouterCheck | null
}): readonly ContractCheck[] => [
  ...(token === null ? [] : [{ what: 'collateral token' as const, check: token }]),
  ...(router === null ? [] : [{ what: 'router' as const, check: router }]),
]
