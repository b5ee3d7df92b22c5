import { limits } from '../../../shared/api/limits.ts'
import type { ExecutionReport } from '../../../shared/api/schemas/intents.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { WalletTransaction } from '../../../shared/ipc/intents/signing.ts'
import { readFinality } from '../../../shared/signing/prepared-action.ts'
import { minute, second } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { TransactionRow } from '../../store/journal/journal.ts'
import type { Chain } from './chain.ts'
import { type ChainTransactions, type Effects, type Observation, sameTransaction } from './transactions.ts'

/**
 * The shortest lifetime of a WalletConnect request, in ms. Until it is over, the phone may still receive the request, even after the transaction's
 * deadline.
 */
const requestLivesMs = 300 * second
/** A transaction that is broadcast before its deadline reaches a block at most this many blocks after the deadline. Base makes a block every 2 s. */
const blocksAfterDeadline = 8
const blockMs = 2 * second

export type FollowedState = 'submitted' | 'confirming' | 'final' | 'reverted' | 'unknown'

/**
 * A transaction that the app asked a wallet to broadcast, with what the journal stores about it. `deadlineMs`: when the transaction expires, in Unix
 * ms; null if it never does.
 */
export interface FollowedTransaction extends Pick<TransactionRow, 'txHash' | 'confirmations' | 'blockNumber' | 'nonce' | 'deadlineMs'> {
  readonly transaction: WalletTransaction
  readonly state: FollowedState
  /** When the app last asked the wallet, in Unix ms. */
  readonly askedAtMs: number
}

/** What the app found out about a transaction. The caller of `follow` must write this change to the journal. */
export type FollowStep =
  | { readonly kind: 'stays' }
  | { readonly kind: 'confirmations'; readonly confirmations: number | null }
  /** The app found the transaction under a new hash, for example because the wallet raised the fee. */
  | { readonly kind: 'hash'; readonly txHash: string }
  /** The app could not determine the transaction's state; `reason` states why. */
  | { readonly kind: 'note'; readonly reason: IntentReason }
  | {
      readonly kind: 'moves'
      readonly to: FollowedState
      readonly confirmations: number | null
      /** The transaction's new hash. Missing if the hash did not change. */
      readonly txHash?: string | null
      readonly reason: IntentReason | null
      readonly note: StepNote | null
    }
  /** The wallet never sent the transaction, and can no longer send it. */
  | { readonly kind: 'dead'; readonly reason: IntentReason; readonly note: StepNote }

interface Deps {
  readonly transactions: Pick<ChainTransactions, 'look' | 'find' | 'effects'>
  readonly chain: Pick<Chain, 'hasCode'>
  readonly clock: ServiceClock
  /** The trusted tokens. A transfer event proves that a call was executed only if one of these tokens emitted it. */
  readonly tokens: () => readonly string[]
  /** The reason that is stored in the journal if the transaction reverts. */
  readonly reverted: IntentReason
}

/** The reason stored in the journal when a reorganisation removed a transaction from its block or undid its finality. */
export const takenBack = { code: 'taken_back' } as const satisfies IntentReason

const stillUnknown = (code: PlainReason): FollowStep => ({ kind: 'note', reason: { code } })
const notOnChain = (upToBlock: number): StepNote => ({ code: 'not_on_chain', upToBlock })

const stays: FollowStep = { kind: 'stays' }
const settled = (state: FollowedState): boolean => state === 'final' || state === 'reverted'

/** What the chain shows about a contract wallet's call when the app does not know the transaction hash. */
export interface ContractEvidence extends Effects {
  /**
   * True once the phone can no longer broadcast the transaction because every request for it has expired. The contract wallet itself may still
   * execute the call.
   */
  readonly over: boolean
}

/** Returns the transaction hash that the service lists; null if the service lists none. */
type Listed = () => Promise<string | null>

/**
 * Follows one wallet transaction on the chain until its eighth confirmation, and notices reorganisations. If the RPC doesn't answer, relies on the
 * service's answer (FLOW-06).
 * If the hash is unknown, searches the chain for a transaction with the same content. Sends nothing and writes nothing.
 */
export function createFollowTransaction({ transactions, chain, clock, tokens, reverted }: Deps) {
  const moved = ({ state, ...before }: FollowedTransaction, to: FollowedState, confirmations: number | null): FollowStep => {
    if (to === state) return settled(to) || confirmations === before.confirmations ? stays : { kind: 'confirmations', confirmations }
    const back = settled(state) || (state === 'confirming' && to === 'submitted')
    const reason = to === 'reverted' ? reverted : back && to !== 'final' ? takenBack : null
    return { kind: 'moves', to, confirmations, reason, note: reason === null ? null : noteOf(reason) }
  }

  const search = ({ transaction, nonce, blockNumber }: FollowedTransaction) =>
    nonce === null || blockNumber === null ? Promise.resolve(null) : transactions.find(transaction, { nonce, fromBlock: blockNumber })

  /** Returns whether the transaction can no longer reach a block, because its deadline and every request to the phone have passed. */
  const isOver = ({ deadlineMs, askedAtMs, blockNumber }: FollowedTransaction, head: number): boolean => {
    const lastAnswer = Math.max(deadlineMs ?? 0, askedAtMs + requestLivesMs)
    // If the chain has stopped making blocks, a missing transaction may still appear. Therefore also require that the chain has grown since the
    // app asked the wallet.
    const moved = blockNumber !== null && head >= blockNumber + blocksAfterDeadline
    return moved && clock.known() && clock.now() > lastAnswer + blocksAfterDeadline * blockMs + minute
  }

  /**
   * Whether the transaction with the reported hash is the one that the app asked for. For a contract wallet, the sender differs, because another
   * account sends its calls to the chain.
   */
  const isOurs = async ({ transaction }: FollowedTransaction, seen: WalletTransaction): Promise<boolean> => {
    if (sameTransaction(seen, transaction)) return true
    return seen.from.toLowerCase() !== transaction.from.toLowerCase() && (await chain.hasCode(transaction.from)) === true
  }

  /**
   * Looks for proof on the chain that a contract wallet executed the call. Returns null if the wallet is not a contract, the app never asked it for
   * the transaction, or the RPC didn't answer.
   */
  const evidence = async (followed: FollowedTransaction): Promise<ContractEvidence | null> => {
    const { transaction, blockNumber } = followed
    if (blockNumber === null || (await chain.hasCode(transaction.from)) !== true) return null
    const effects = await transactions.effects(transaction, { fromBlock: blockNumber, tokens: tokens() })
    return effects === null ? null : { ...effects, over: isOver(followed, effects.head) }
  }

  /**
   * Looks up a contract wallet's call by its effect on the chain, or else by the hash that the service lists, if that transaction contains the call.
   * If both fail, the outcome is unknown and the user must decide.
   */
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

  /** Whether a mined transaction contains exactly this call. The transaction may be addressed to an ERC-4337 entry point or to the wallet itself. */
  const carries = async (hash: string, { data }: WalletTransaction): Promise<boolean> => {
    const observation = await transactions.look(hash)
    return observation?.state === 'mined' && observation.transaction?.data.toLowerCase().includes(data.slice(2).toLowerCase()) === true
  }

  /**
   * Handles a hash that the chain does not know. The transaction may be dropped, replaced with a higher fee, removed by a reorganisation, or not
   * broadcast yet.
   */
  const unseen = async (followed: FollowedTransaction): Promise<FollowStep> => {
    const found = await search(followed)
    if (found?.state === 'found') return { kind: 'hash', txHash: found.hash }
    if (followed.state === 'confirming' || settled(followed.state)) return moved(followed, 'submitted', 0)
    // A contract wallet may answer with an ID of its own instead of a transaction hash. In that case, look for the effect of the call.
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
    if (observation.state === 'pending') return moved(followed, 'submitted', 0)
    const { succeeded, confirmations } = observation
    if (!succeeded) return moved(followed, 'reverted', confirmations)
    return moved(followed, confirmations >= limits.finalityConfirmations ? 'final' : 'confirming', confirmations)
  }

  const byService = (followed: FollowedTransaction, report: ExecutionReport | null): FollowStep => {
    if (report === null) return stays
    const { finality: said, confirmations } = readFinality(report)
    return said === 'other' ? stays : moved(followed, said === 'pending' ? 'submitted' : said, confirmations)
  }

  /**
   * Looks up a transaction whose hash is unknown: searches the chain for its content. Returns `dead` once nothing can broadcast the transaction any
   * more.
   */
  const lookUp = async (followed: FollowedTransaction, listed: Listed): Promise<FollowStep> => {
    const found = await search(followed)
    if (found === null) return stillUnknown('chain_silent')
    if (found.state === 'found')
      return { kind: 'moves', to: 'submitted', txHash: found.hash, confirmations: null, reason: null, note: { code: 'found_on_chain' } }
    if (found.wallet === 'pending') return stillUnknown('transaction_pending')
    if ((await chain.hasCode(followed.transaction.from)) === true) return lookUpContract(followed, listed)
    return isOver(followed, found.head) ? { kind: 'dead', reason: { code: 'never_sent' }, note: notOnChain(found.head) } : stillUnknown('transaction_awaited')
  }

  /**
   * Determines the next state of a transaction from the chain. If the RPC doesn't answer, calls `finality` to ask the service about the hash.
   * `finality` returns null if the service can't be asked or doesn't answer.
   */
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
