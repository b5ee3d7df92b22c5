import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import type { ContractCheck, NamedContract } from './signing-message.ts'

export interface RouterFinding {
  readonly verdict: 'for' | 'against' | 'open'
  readonly words: string
  /** An address that must be read whole. */
  readonly address: string | null
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const places = { config: { within: 'its configuration', itself: 'Its configuration' }, meta: { within: '/meta', itself: '/meta' } } as const

function published(place: keyof typeof places, address: string | null, { candidate, unread }: RouterCheck, what: string): RouterFinding {
  const { within, itself } = places[place]
  if (unread.includes(place)) return { verdict: 'open', words: `${itself} was not read`, address: null }
  if (address === null) return { verdict: 'open', words: `The service names no ${what} in ${within}`, address: null }
  return same(address, candidate)
    ? { verdict: 'for', words: `The service publishes it in ${within}`, address: null }
    : { verdict: 'against', words: `The service publishes another in ${within}`, address }
}

function code({ hasCode, rpcHost }: RouterCheck): RouterFinding {
  const asked = rpcHost ?? 'The RPC'
  if (hasCode === null) return { verdict: 'open', words: `${asked} could not say whether a contract stands there`, address: null }
  return hasCode
    ? { verdict: 'for', words: `${asked} finds a contract there`, address: null }
    : { verdict: 'against', words: `${asked} finds no contract there`, address: null }
}

/** What was found on a contract that is not pinned: what is pinned instead, what the service publishes, what stands on the chain (FLOW-01). */
export const routerFindings = (router: RouterCheck, what: NamedContract = 'router'): readonly RouterFinding[] => [
  router.pinned === null
    ? { verdict: 'open', words: `No ${what} is pinned in this profile yet`, address: null }
    : { verdict: 'against', words: 'Pinned until now', address: router.pinned },
  published('config', router.publishedByConfig, router, what),
  published('meta', router.publishedByMeta, router, what),
  code(router),
]

/** Whether anything speaks against a contract. About a pinned one nothing was asked. */
export const speaksAgainst = ({ check, what }: ContractCheck): boolean =>
  check.state !== 'pinned' && routerFindings(check, what).some(({ verdict }) => verdict === 'against')
