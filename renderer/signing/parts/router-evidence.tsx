import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { State } from '../../kit/layout/state.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import styles from './signing.module.css'
import type { ContractCheck, NamedContract, SigningFact, SigningMessage } from './signing-message.ts'

const looks = {
  for: { tone: 'ok', icon: 'check' },
  against: { tone: 'danger', icon: 'x' },
  open: { tone: 'off', icon: 'unknown' },
} as const satisfies Record<RouterFinding['verdict'], unknown>

/** Shows a contract that the message names, and what the app found out about it. */
export function RouterEvidence({ router, what = 'router' }: { readonly router: RouterCheck; readonly what?: NamedContract }) {
  return (
    <ul className={styles.evidence} aria-label={signingText.contractEvidence(what)}>
      <li className={styles.whole}>
        <span>{signingText.inTheMessage}</span>
        <code>{router.candidate}</code>
      </li>
      {routerFindings(router, what).map(({ verdict, words, address }) => (
        <li key={words} className={address === null ? undefined : styles.whole}>
          <State {...looks[verdict]}>{words}</State>
          {address === null ? null : <code className={address === router.pinned ? styles.old : undefined}>{address}</code>}
        </li>
      ))}
    </ul>
  )
}

interface RouterFinding {
  readonly verdict: 'for' | 'against' | 'open'
  readonly words: string
  /** The full address, so that the user can compare every character; `null` if the finding mentions no address. */
  readonly address: string | null
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const places = {
  config: {
    notRead: signingText.configNotRead,
    namesNone: signingText.configNamesNone,
    publishesIt: signingText.configPublishesIt,
    publishesAnother: signingText.configPublishesAnother,
  },
  meta: {
    notRead: signingText.metaNotRead,
    namesNone: signingText.metaNamesNone,
    publishesIt: signingText.metaPublishesIt,
    publishesAnother: signingText.metaPublishesAnother,
  },
} as const

function published(place: keyof typeof places, address: string | null, { candidate, unread }: RouterCheck, what: NamedContract): RouterFinding {
  const words = places[place]
  if (unread.includes(place)) return { verdict: 'open', words: words.notRead, address: null }
  if (address === null) return { verdict: 'open', words: words.namesNone(what), address: null }
  return same(address, candidate) ? { verdict: 'for', words: words.publishesIt, address: null } : { verdict: 'against', words: words.publishesAnother, address }
}

function code({ hasCode, rpcHost }: RouterCheck): RouterFinding {
  if (hasCode === null) return { verdict: 'open', words: signingText.codeUnknown(rpcHost), address: null }
  return hasCode
    ? { verdict: 'for', words: signingText.codeFound(rpcHost), address: null }
    : { verdict: 'against', words: signingText.codeMissing(rpcHost), address: null }
}

/**
 * Lists what the app found out about an untrusted contract: whether the user trusts a different contract for this purpose, which contract the
 * service publishes, and whether the chain has code at the address (FLOW-01).
 */
export const routerFindings = (router: RouterCheck, what: NamedContract = 'router'): readonly RouterFinding[] => [
  router.pinned === null
    ? { verdict: 'open', words: signingText.noneTrusted(what), address: null }
    : { verdict: 'against', words: signingText.trustedUntilNow, address: router.pinned },
  published('config', router.publishedByConfig, router, what),
  published('meta', router.publishedByMeta, router, what),
  code(router),
]

/** Whether any finding is a reason not to trust the contract. Always false for a trusted contract, because the app does not check it further. */
export const speaksAgainst = ({ check, what }: ContractCheck): boolean =>
  check.state !== 'pinned' && routerFindings(check, what).some(({ verdict }) => verdict === 'against')

/** The simulation and the gas estimate of a transaction that the app has not sent yet. */
interface Trial {
  readonly simulation: PreparedTransaction['simulation']
  readonly gas: Pick<NonNullable<PreparedTransaction['gas']>, 'costEth' | 'balanceEth' | 'enough'> | null
}

/** ETH amounts are shown with six decimals; amounts below this one are shown as "less than", because they would round to zero. */
const smallestEth = '0.000001'
export const ethText = (amount: string): string =>
  compare(amount, smallestEth) < 0 && compare(amount, '0') > 0 ? signingText.amountBelow(smallestEth) : formatDecimal(amount, { decimals: 6 })

const tried: Readonly<Record<Trial['simulation']['outcome'], string>> = {
  works: signingText.simulationWorks,
  reverts: signingText.simulationReverts,
  skipped: signingText.simulationSkipped,
}

/** Returns the gas cost of the transaction, the wallet's ETH balance for it, and the simulation result. */
export const transactionFacts = ({ gas, simulation }: Trial): SigningFact[] => [
  { label: signingText.maxNetworkFee, value: gas === null ? '—' : ethText(gas.costEth), unit: gas === null ? null : 'ETH' },
  { label: signingText.inYourWallet, value: gas === null ? '—' : ethText(gas.balanceEth), unit: gas === null ? null : 'ETH' },
  { label: signingText.simulation, value: tried[simulation.outcome], unit: null },
]

/**
 * Why the transaction cannot be sent: its simulation reverts, or the wallet has too little ETH. `null` if nothing prevents it. The text uses
 * `subject` as the name of what the user would prepare again.
 */
export function transactionObstacle({ simulation, gas }: Trial, subject: SigningMessage['subject']): string | null {
  if (simulation.outcome === 'reverts') return signingText.wouldRevert(simulation.reason?.replace(/\.$/, '') ?? null)
  if (gas !== null && !gas.enough) return signingText.tooLittleEth(ethText(gas.balanceEth), ethText(gas.costEth), subject)
  return null
}
