import { limits } from '../../../shared/api/limits.ts'
import type { ExecutionReport } from '../../../shared/api/schemas/intents.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote } from '../../../shared/ipc/intents/reasons.ts'
import { readFinality } from '../../../shared/signing/prepared-action.ts'
import { minute, second } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Chain } from './chain.ts'
import { type ChainTransactions, type Effects, type Observation, sameTransaction, type WalletTransaction } from './transactions.ts'

/** WalletConnect keeps a request at least this long, whatever deadline it was given. */
const requestLivesMs = 300 * second
/** Base makes a block every 2 s. A transaction that was broadcast in time is in one of so many. */
const blocksAfterDeadline = 8
const blockMs = 2 * second

export type FollowedState = 'submitted' | 'confirming' | 'final' | 'reverted' | 'unknown'

/** A transaction that a wallet was asked to broadcast, as its owner has it in the journal. */
export interface FollowedTransaction {
  readonly transaction: WalletTransaction
  readonly state: FollowedState
  readonly txHash: string | null
  readonly confirmations: number | null
  /** The head, and how many transactions of the wallet stood on the chain, when it was first asked; null: it was not. */
  readonly blockNumber: number | null
  readonly nonce: number | null
  /** Unix ms: until when it may be sent, and when the wallet was last asked. */
  readonly deadlineMs: number | null
  readonly askedAtMs: number
}

/** What is to be written down of it now. */
export type FollowStep =
  | { readonly kind: 'stays' }
  | { readonly kind: 'confirmations'; readonly confirmations: number | null }
  /** The same transaction under another hash. */
  | { readonly kind: 'hash'; readonly txHash: string }
  /** Still unknown, and why. */
  | { readonly kind: 'note'; readonly reason: IntentReason }
  | {
      readonly kind: 'moves'
      readonly to: FollowedState
      readonly confirmations: number | null
      /** Absent: as it is. */
      readonly txHash?: string | null
      readonly reason: IntentReason | null
      readonly note: StepNote | null
    }
  /** It was never sent, and can no longer be. */
  | { readonly kind: 'dead'; readonly reason: IntentReason; readonly note: StepNote }

interface Deps {
  readonly transactions: Pick<ChainTransactions, 'look' | 'find' | 'effects'>
  readonly chain: Pick<Chain, 'hasCode'>
  readonly clock: ServiceClock
  /** The pinned tokens, whose word about transfers counts. */
  readonly tokens: () => readonly string[]
  /** What a revert means. */
  readonly reverted: IntentReason
}

/** Said of a transaction that a reorganisation took out of its block, or back below finality. In the journal's timelines. */
export const takenBack = { code: 'taken_back' } as const satisfies IntentReason

const stillUnknown = (code: PlainReason): FollowStep => ({ kind: 'note', reason: { code } })
const notOnChain = (upToBlock: number): StepNote => ({ code: 'not_on_chain', upToBlock })

const stays: FollowStep = { kind: 'stays' }
const settled = (state: FollowedState): boolean => state === 'final' || state === 'reverted'

/** What the chain shows of a transaction of a contract wallet that has no hash. */
export interface ContractEvidence extends Effects {
  /** No request to the phone can bring it any more; the contract still might. */
  readonly over: boolean
}

/** Gives the hash that the service lists for it; null: none. */
type Listed = () => Promise<string | null>

/**
 * Follows one transaction of a wallet on the chain itself, and by the service's word where the RPC is silent (FLOW-06): from its hash to its
 * eighth confirmation, back when a reorganisation took its block, and without a hash by what it is. Sends and writes nothing.
 */
export function createFollowTransaction({ transactions, chain, clock, tokens, reverted }: Deps) {
  const standing = ({ state, ...before }: FollowedTransaction, to: FollowedState, confirmations: number | null): FollowStep => {
    if (to === state) return settled(to) || confirmations === before.confirmations ? stays : { kind: 'confirmations', confirmations }
    const back = settled(state) || (state === 'confirming' && to === 'submitted')
    const reason = to === 'reverted' ? reverted : back && to !== 'final' ? takenBack : null
    return { kind: 'moves', to, confirmations, reason, note: reason === null ? null : noteOf(reason) }
  }

  const search = ({ transaction, nonce, blockNumber }: FollowedTransaction) =>
    nonce === null || blockNumber === null ? Promise.resolve(null) : transactions.find(transaction, { nonce, fromBlock: blockNumber })

  /** Whether nothing can bring it to a block any more. */
  const isOver = ({ deadlineMs, askedAtMs, blockNumber }: FollowedTransaction, head: number): boolean => {
    const lastAnswer = Math.max(deadlineMs ?? 0, askedAtMs + requestLivesMs)
    // A chain that stands still tells nothing about what was sent meanwhile.
    const moved = blockNumber !== null && head >= blockNumber + blocksAfterDeadline
    return moved && clock.known() && clock.now() > lastAnswer + blocksAfterDeadline * blockMs + minute
  }

  /** Whether a transaction under the wallet's hash is the one that was asked for. A contract wallet's is sent by another account. */
  const isOurs = async ({ transaction }: FollowedTransaction, seen: WalletTransaction): Promise<boolean> => {
    if (sameTransaction(seen, transaction)) return true
    return seen.from.toLowerCase() !== transaction.from.toLowerCase() && (await chain.hasCode(transaction.from)) === true
  }

  /** null: it is no contract, it was never asked for, or the RPC did not answer. */
  const evidence = async (followed: FollowedTransaction): Promise<ContractEvidence | null> => {
    const { transaction, blockNumber } = followed
    if (blockNumber === null || (await chain.hasCode(transaction.from)) !== true) return null
    const effects = await transactions.effects(transaction, { fromBlock: blockNumber, tokens: tokens() })
    return effects === null ? null : { ...effects, over: isOver(followed, effects.head) }
  }

  /** Of a contract wallet: found by what it did, by the service's word where its data holds the call, or left to the user. */
  const lookUpContract = async (followed: FollowedTransaction, listed: Listed): Promise<FollowStep> => {
    const shown = await evidence(followed)
    if (shown === null) return stillUnknown('chain_silent')
    const [hash, ...more] = shown.hashes
    if (more.length > 0) return stillUnknown('several_alike')
    const found = hash ?? (await listed())
    const holds = hash !== undefined || (found !== null && (await carries(found, followed.transaction)))
    if (found !== null && holds) {
      const note: StepNote = { code: hash === undefined ? 'named_by_service' : 'found_by_effect' }
      return { kind: 'moves', to: 'submitted', txHash: found, confirmations: null, reason: null, note }
    }
    return stillUnknown(shown.over ? 'contract_undecided' : 'contract_awaited')
  }

  /** The call stands word for word in a transaction of an entry point or of the wallet's own. */
  const carries = async (hash: string, { data }: WalletTransaction): Promise<boolean> => {
    const observation = await transactions.look(hash)
    return observation?.state === 'mined' && observation.transaction?.data.toLowerCase().includes(data.slice(2).toLowerCase()) === true
  }

  /** The hash is not on the chain: dropped, replaced by the same at a higher fee, taken back, or not arrived yet. */
  const unseen = async (followed: FollowedTransaction): Promise<FollowStep> => {
    const found = await search(followed)
    if (found?.state === 'found') return { kind: 'hash', txHash: found.hash }
    if (followed.state === 'confirming' || settled(followed.state)) return standing(followed, 'submitted', 0)
    // What a contract wallet answered may be its own name for it, and no hash of the chain.
    const shown = await evidence(followed)
    const [hash, ...more] = shown?.hashes ?? []
    if (hash !== undefined && more.length === 0) return { kind: 'hash', txHash: hash }
    if (shown?.over === true)
      return { kind: 'moves', to: 'unknown', txHash: null, confirmations: null, reason: { code: 'contract_undecided' }, note: notOnChain(shown.upTo) }
    const isGone = found !== null && found.wallet !== 'pending' && isOver(followed, found.head) && (await chain.hasCode(followed.transaction.from)) === false
    return isGone ? { kind: 'dead', reason: { code: 'dropped' }, note: notOnChain(found.head) } : stays
  }

  const byObservation = async (followed: FollowedTransaction, observation: Observation): Promise<FollowStep> => {
    if (observation.state === 'unseen') return unseen(followed)
    if (observation.transaction !== null && !(await isOurs(followed, observation.transaction)))
      return followed.state === 'unknown'
        ? stays
        : { kind: 'moves', to: 'unknown', txHash: null, confirmations: null, reason: { code: 'other_transaction' }, note: { code: 'other_transaction' } }
    if (observation.state === 'pending') return standing(followed, 'submitted', 0)
    const { succeeded, confirmations } = observation
    if (!succeeded) return standing(followed, 'reverted', confirmations)
    return standing(followed, confirmations >= limits.finalityConfirmations ? 'final' : 'confirming', confirmations)
  }

  const byService = (followed: FollowedTransaction, report: ExecutionReport | null): FollowStep => {
    if (report === null) return stays
    const { finality: said, confirmations } = readFinality(report)
    return said === 'other' ? stays : standing(followed, said === 'pending' ? 'submitted' : said, confirmations)
  }

  /** Unknown: found by what it is, or dead beyond everything that could still bring it. */
  const lookUp = async (followed: FollowedTransaction, listed: Listed): Promise<FollowStep> => {
    const found = await search(followed)
    if (found === null) return stillUnknown('chain_silent')
    if (found.state === 'found')
      return { kind: 'moves', to: 'submitted', txHash: found.hash, confirmations: null, reason: null, note: { code: 'found_on_chain' } }
    if (found.wallet === 'pending') return stillUnknown('transaction_pending')
    if ((await chain.hasCode(followed.transaction.from)) === true) return lookUpContract(followed, listed)
    return isOver(followed, found.head) ? { kind: 'dead', reason: { code: 'never_sent' }, note: notOnChain(found.head) } : stillUnknown('transaction_awaited')
  }

  /** `finality` is what the service says of it; null: nobody can ask, or it did not answer. */
  const follow = async (
    followed: FollowedTransaction,
    finality: (txHash: string) => Promise<ExecutionReport | null>,
    listed: Listed = async () => null,
  ): Promise<FollowStep> => {
    if (followed.txHash === null) return followed.state === 'unknown' ? lookUp(followed, listed) : stays
    const observation = await transactions.look(followed.txHash)
    return observation === null ? byService(followed, await finality(followed.txHash)) : byObservation(followed, observation)
  }
  return Object.assign(follow, { evidence })
}

export type FollowTransaction = ReturnType<typeof createFollowTransaction>
