import type { ComparisonLine, LineValue } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison, RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { lineName, lineValueText } from '../../../shared/text/comparison-text.ts'
import type { ContractCheck } from './signing-message.ts'

/** A value that the user is asked to find on the phone, with the name the phone uses for it. */
export interface PhoneCheck {
  readonly label: string
  readonly value: string
  readonly unit: string | null
  readonly field: string
  readonly code: boolean
}

/**
 * Names of comparison lines to check on the phone: of each group, the first name that occurs. They are what an attacker would change first: the
 * amount or target, the side, the price or the spender, the exits, and the contract that executes the call. The most important group is first.
 */
const wanted: readonly (readonly string[])[] = [
  ['orderValue', 'agent', 'amount', 'value', 'size', 'positionId', 'orderId'],
  ['side'],
  ['limitPrice', 'triggerPrice', 'expiresAt', 'referencePrice', 'leverage', 'spender'],
  ['takeProfit'],
  ['stopLoss'],
  ['verifyingContract', 'contract', 'router'],
]

/** A longer list would not be read to its end. */
const mostChecks = 5
/** If a message has fewer of the wanted values, other values of the request fill the list up to this number. */
const fewestChecks = 3

const matches = (line: ComparisonLine, name: string): boolean => line.id === name || line.field === name || line.field?.endsWith(`.${name}`) === true

const isCode = (value: string): boolean => /^0x[0-9a-fA-F]/.test(value)

/** The value as a phone shows it: a contract's bare address, without words about what it is. */
const shownOnPhone = (value: LineValue): string =>
  typeof value !== 'string' && (value.code === 'contract' || value.code === 'vouched') ? value.address : lineValueText(value)

/** Whether the message contains an empty value, so that there is nothing to find on the phone. */
const isNone = ({ signed }: ComparisonLine): boolean => signed !== null && typeof signed !== 'string' && signed.code === 'none'

/** The values that the user should find on the phone: up to five matching lines of the comparison, most important first. */
export function phoneChecks(comparison: Comparison): readonly PhoneCheck[] {
  // Leaves out the ETH value, which is zero: a phone shows it last, if at all.
  const usable = comparison.lines.filter(
    (line) => line.verdict === 'match' && line.signed !== null && line.field !== null && !(line.id === 'value' && line.group === 'envelope'),
  )
  const chosen = wanted.flatMap((names) => {
    for (const name of names) {
      const line = usable.find((one) => matches(one, name) && !isNone(one))
      if (line !== undefined) return [line]
    }
    return []
  })
  const rest = usable.filter((line) => line.group === 'order' && !chosen.includes(line))
  const count = Math.min(Math.max(chosen.length, fewestChecks), mostChecks)
  return [...chosen, ...rest].slice(0, count).map((line) => {
    const value = line.signed === null ? '' : shownOnPhone(line.signed)
    return { label: lineName(line), value, unit: line.unit, field: line.field?.split('.').at(-1) ?? line.id, code: isCode(value) }
  })
}

/** `0x` and eight groups of eight digits, for comparison with a hardware wallet's screen. */
export function digestGroups(digest: string): readonly string[] {
  const groups = digest.replace(/^0x/, '').match(/.{1,8}/g) ?? []
  return groups.map((group, index) => (index === 0 ? `0x${group}` : group))
}

/** The contracts that a message names, with the findings about each. */
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
