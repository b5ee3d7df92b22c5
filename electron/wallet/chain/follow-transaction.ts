import { limits } from '../../../shared/api/limits.ts'
import type { ExecutionReport } from '../../../shared/api/schemas/intents.ts'
import type { SendingEvidence } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote, sameReason } from '../../../shared/ipc/intents/reasons.ts'
import type { WalletTransaction } from '../../../shared/ipc/intents/signing.ts'
import { readFinality } from '../../../shared/signing/prepared-action.ts'
import { minute, second } from '../../../shared/time.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { TransactionChange, TransactionRow } from '../../store/journal/journal.ts'
import type { Chain } from './chain.ts'
import { type ChainTransactions, type Observation, sameTransaction } from './transactions.ts'

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
export interface FollowedTransaction
  extends Pick<TransactionRow, 'txHash' | 'confirmations' | 'blockNumber' | 'nonce' | 'deadlineMs' | 'reason'>,
    WalletTransaction {
  readonly state: FollowedState
  /** When the app last asked the wallet, in Unix ms. */
  readonly askedAtMs: number
  /** The trusted tokens. A transfer event proves that a call was executed only if one of these tokens emitted it. */
  readonly tokens: readonly string[]
  /** The reason that is stored in the journal if the transaction reverts. */
  readonly reverted: IntentReason
}

/**
 * What the app found out about a transaction. The caller of `follow` must write `change` to the journal. State `cancelled`: the wallet never sent the
 * transaction, and can no longer send it.
 */
export interface FollowStep {
  readonly change: Pick<TransactionChange, 'txHash' | 'confirmations' | 'reason'> & { readonly state?: FollowedState | 'cancelled' }
  readonly note?: StepNote
}

interface Deps {
  readonly transactions: Pick<ChainTransactions, 'look' | 'find' | 'effects'>
  readonly chain: Pick<Chain, 'hasCode'>
  readonly clock: ServiceClock
}

/** The reason stored in the journal when a reorganisation removed a transaction from its block or undid its finality. */
export const takenBack = { code: 'taken_back' } as const satisfies IntentReason

/** The app could not determine the transaction's state, for this reason. */
const stillUnknown = (followed: FollowedTransaction, code: PlainReason): FollowStep | null =>
  sameReason(followed.reason, { code }) ? null : { change: { reason: { code } } }
const movedTo = (state: FollowedState | 'cancelled', txHash: string | null, reason: IntentReason | null, note: StepNote): FollowStep => ({
  ...{ change: { state, txHash, confirmations: null, reason }, note },
})
const ended = (code: PlainReason, upToBlock: number): FollowStep => ({ change: { state: 'cancelled', reason: { code } }, note: notOnChain(upToBlock) })
const notOnChain = (upToBlock: number): StepNote => ({ code: 'not_on_chain', upToBlock })

const settled = (state: FollowedState): boolean => state === 'final' || state === 'reverted'

/** Returns the transaction hash that the service lists; null if the service lists none. */
type Listed = () => Promise<string | null>

/**
 * Follows one wallet transaction on the chain until its eighth confirmation, and notices reorganisations. If the RPC doesn't answer, relies on the
 * service's answer (FLOW-06).
 * If the hash is unknown, searches the chain for a transaction with the same content. Sends nothing and writes nothing.
 */
export function createFollowTransaction({ transactions, chain, clock }: Deps) {
  const moved = ({ state, reverted, ...before }: FollowedTransaction, to: FollowedState, confirmations: number | null): FollowStep | null => {
    if (to === state) return settled(to) || confirmations === before.confirmations ? null : { change: { confirmations } }
    const back = settled(state) || (state === 'confirming' && to === 'submitted')
    const reason = to === 'reverted' ? reverted : back && to !== 'final' ? takenBack : null
    return { change: { state: to, confirmations, reason }, ...(reason !== null && { note: noteOf(reason) }) }
  }

  const search = ({ nonce, blockNumber, ...transaction }: FollowedTransaction) =>
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
  const isOurs = async (transaction: WalletTransaction, seen: WalletTransaction): Promise<boolean> => {
    if (sameTransaction(seen, transaction)) return true
    return seen.from.toLowerCase() !== transaction.from.toLowerCase() && (await chain.hasCode(transaction.from)) === true
  }

  /**
   * Looks for proof on the chain that a contract wallet executed the call. Returns null if the wallet is not a contract, the app never asked it for
   * the transaction, or the RPC didn't answer.
   */
  const evidence = async (followed: FollowedTransaction): Promise<SendingEvidence | null> => {
    const { from, blockNumber, tokens } = followed
    if (blockNumber === null || (await chain.hasCode(from)) !== true) return null
    const effects = await transactions.effects(followed, { fromBlock: blockNumber, tokens })
    if (effects === null) return null
    const { head, ...shown } = effects
    return { ...shown, over: isOver(followed, head) }
  }

  /**
   * Looks up a contract wallet's call by its effect on the chain, or else by the hash that the service lists, if that transaction contains the call.
   * If both fail, the outcome is unknown and the user must decide.
   */
  const lookUpContract = async (followed: FollowedTransaction, listed: Listed): Promise<FollowStep | null> => {
    const shown = await evidence(followed)
    if (shown === null) return stillUnknown(followed, 'chain_silent')
    const [hash, ...more] = shown.hashes
    if (more.length > 0) return stillUnknown(followed, 'several_alike')
    const found = hash ?? (await listed())
    const holds = hash !== undefined || (found !== null && (await carries(found, followed)))
    if (found !== null && holds) return movedTo('submitted', found, null, { code: hash === undefined ? 'named_by_service' : 'found_by_effect' })
    return stillUnknown(followed, shown.over ? 'contract_undecided' : 'contract_awaited')
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
  const unseen = async (followed: FollowedTransaction): Promise<FollowStep | null> => {
    const found = await search(followed)
    if (found?.state === 'found') return { change: { txHash: found.hash, reason: null } }
    if (followed.state === 'confirming' || settled(followed.state)) return moved(followed, 'submitted', 0)
    // A contract wallet may answer with an ID of its own instead of a transaction hash. In that case, look for the effect of the call.
    const shown = await evidence(followed)
    const [hash, ...more] = shown?.hashes ?? []
    if (hash !== undefined && more.length === 0) return { change: { txHash: hash, reason: null } }
    if (shown?.over === true) return movedTo('unknown', null, { code: 'contract_undecided' }, notOnChain(shown.upTo))
    const isGone = found !== null && found.wallet !== 'pending' && isOver(followed, found.head) && (await chain.hasCode(followed.from)) === false
    return isGone ? ended('dropped', found.head) : null
  }

  const byObservation = async (followed: FollowedTransaction, observation: Observation): Promise<FollowStep | null> => {
    if (observation.state === 'unseen') return unseen(followed)
    if (observation.transaction !== null && !(await isOurs(followed, observation.transaction)))
      return followed.state === 'unknown' ? null : movedTo('unknown', null, { code: 'other_transaction' }, { code: 'other_transaction' })
    if (observation.state === 'pending') return moved(followed, 'submitted', 0)
    const { succeeded, confirmations } = observation
    if (!succeeded) return moved(followed, 'reverted', confirmations)
    return moved(followed, confirmations >= limits.finalityConfirmations ? 'final' : 'confirming', confirmations)
  }

  const byService = (followed: FollowedTransaction, report: ExecutionReport | null): FollowStep | null => {
    if (report === null) return null
    const { finality, confirmations } = readFinality(report)
    return finality === 'other' ? null : moved(followed, finality, confirmations)
  }

  /**
   * Looks up a transaction whose hash is unknown: searches the chain for its content. Cancels the transaction once nothing can
   * broadcast it any more.
   */
  const lookUp = async (followed: FollowedTransaction, listed: Listed): Promise<FollowStep | null> => {
    const found = await search(followed)
    if (found === null) return stillUnknown(followed, 'chain_silent')
    if (found.state === 'found') return movedTo('submitted', found.hash, null, { code: 'found_on_chain' })
    if (found.wallet === 'pending') return stillUnknown(followed, 'transaction_pending')
    if ((await chain.hasCode(followed.from)) === true) return lookUpContract(followed, listed)
    return isOver(followed, found.head) ? ended('never_sent', found.head) : stillUnknown(followed, 'transaction_awaited')
  }

  /**
   * Determines the next state of a transaction from the chain. If the RPC doesn't answer, calls `finality` to ask the service about the hash.
   * `finality` returns null if the service can't be asked or doesn't answer.
   */
  const follow = async (
    followed: FollowedTransaction,
    finality: (txHash: string) => Promise<ExecutionReport | null>,
    listed: Listed,
  ): Promise<FollowStep | null> => {
    if (followed.txHash === null) return followed.state === 'unknown' ? lookUp(followed, listed) : null
    const observation = await transactions.look(followed.txHash)
    return observation === null ? byService(followed, await finality(followed.txHash)) : byObservation(followed, observation)
  }
  return Object.assign(follow, { evidence })
}
