import type { ComparisonLine, LineValue } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison, RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { lineName, lineValueText } from '../../../shared/text/comparison-text.ts'
import type { ContractCheck } from './signing-message.ts'

/** A value that the user should find on the phone, with the label that the phone shows for that value. */
export interface PhoneCheck {
  readonly label: string
  readonly value: string
  readonly unit: string | null
  readonly field: string
  readonly code: boolean
}

/**
 * Names of comparison lines to check on the phone, most important group first. The app checks the first name of each group that occurs in the
 * message. An attacker would change these values first: the amount or target, the side, the price or the spender, TP/SL, and the contract that
 * executes the call.
 */
const wanted: readonly (readonly string[])[] = [
  ['orderValue', 'agent', 'amount', 'value', 'size', 'positionId', 'orderId'],
  ['side'],
  ['limitPrice', 'triggerPrice', 'expiresAt', 'referencePrice', 'leverage', 'spender'],
  ['takeProfit'],
  ['stopLoss'],
  ['verifyingContract', 'contract', 'router'],
]

/** The most values that the user is asked to check on the phone. Users would not read a longer list to its end. */
const mostChecks = 5
/** The fewest values to check on the phone. If the message contains fewer of the wanted values, other requested values are added. */
const fewestChecks = 3

const matches = (line: ComparisonLine, name: string): boolean => line.id === name || line.field === name || line.field?.endsWith(`.${name}`) === true

const isCode = (value: string): boolean => /^0x[0-9a-fA-F]/.test(value)

/** The value as a phone shows it. For a contract, this is the address alone, without a description. */
const shownOnPhone = (value: LineValue): string =>
  typeof value !== 'string' && (value.code === 'contract' || value.code === 'vouched') ? value.address : lineValueText(value)

/** Whether the message leaves this value empty, so that the phone shows nothing to check. */
const isNone = ({ signed }: ComparisonLine): boolean => signed !== null && typeof signed !== 'string' && signed.code === 'none'

/** Returns the values that the user should find on the phone: up to five lines of the comparison that match, most important first. */
export function phoneChecks(comparison: Comparison): readonly PhoneCheck[] {
  // Leaves out the transaction's ETH value. It is always zero, and a phone shows it last or not at all.
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

/** Returns the contracts that a message names, each with the result of the app's check. */
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
