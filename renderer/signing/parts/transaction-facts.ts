import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { SigningFact } from './signing-message.ts'

/** What was found by asking the chain before anything was sent. */
export interface Trial {
  readonly simulation: PreparedTransaction['simulation']
  readonly gas: Pick<NonNullable<PreparedTransaction['gas']>, 'costEth' | 'balanceEth' | 'enough'> | null
}

/** Below this, six decimals would show nothing. */
const smallestEth = '0.000001'
export const ethText = (amount: string): string =>
  compare(amount, smallestEth) < 0 && compare(amount, '0') > 0 ? 'below 0.000001' : formatDecimal(amount, { decimals: 6 })

const tried: Readonly<Record<Trial['simulation']['outcome'], string>> = {
  works: 'Works',
  reverts: 'Would be taken back',
  skipped: 'Could not be tried',
}

/** What it costs, what the wallet has for that, and how it went when it was tried. */
export const transactionFacts = ({ gas, simulation }: Trial): SigningFact[] => [
  { label: 'Network fee, at most', value: gas === null ? '—' : ethText(gas.costEth), unit: gas === null ? null : 'ETH' },
  { label: 'Your wallet has', value: gas === null ? '—' : ethText(gas.balanceEth), unit: gas === null ? null : 'ETH' },
  { label: 'Tried on the chain', value: tried[simulation.outcome], unit: null },
]

/** Why it cannot be sent as it is; null where nothing is in the way. `noun` is what would be prepared again. */
export function transactionObstacle({ simulation, gas }: Trial, noun: string): string | null {
  if (simulation.outcome === 'reverts')
    return `Tried on the chain, it would be taken back${simulation.reason === null ? '' : `: ${simulation.reason.replace(/\.$/, '')}`}. The fee would be lost.`
  if (gas !== null && !gas.enough)
    return `Your wallet has ${ethText(gas.balanceEth)} ETH on Base, and the network fee may be ${ethText(gas.costEth)} ETH. Send it some ETH, then prepare the ${noun} again.`
  return null
}
