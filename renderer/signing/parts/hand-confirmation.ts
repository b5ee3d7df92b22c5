import type { Asks } from '../../../shared/ipc/intents/signing.ts'
import { isPhrase, phraseOf } from '../../../shared/signing/confirmation-phrase.ts'
import type { ContractCheck, HandConfirmation, SigningMessage } from './signing-message.ts'

/** What has been typed and ticked so far. */
export interface HandDraft {
  readonly phrase: string
  /** By address: "yes" once it is ticked, or what was typed. */
  readonly contracts: Readonly<Record<string, string>>
}

export const emptyHand: HandDraft = { phrase: '', contracts: {} }

export interface HandQuestions {
  /** What main asks about the message itself; null: nothing. */
  readonly asks: Asks | null
  /** The phrase that accepts a layout never seen, or what a transaction does; null where nothing must be said. A tick says it where all is recognised. */
  readonly phrase: string | null
  /** Those that are not pinned. new: one tick. changed: the full address typed. */
  readonly contracts: readonly ContractCheck[]
}

export const handQuestions = ({ comparison, contracts, transaction }: Pick<SigningMessage, 'comparison' | 'contracts' | 'transaction'>): HandQuestions => ({
  asks: comparison.asks,
  phrase: comparison.verdict === 'confirm' ? (transaction?.word?.phrase ?? (comparison.asks === null ? null : phraseOf(comparison.asks))) : null,
  contracts: contracts.filter(({ check }) => check.state !== 'pinned'),
})

const sameAddress = (a: string, b: string): boolean => a.trim().toLowerCase() === b.toLowerCase()

/** Whether "Send to wallet" may be pressed: every question is answered. */
export function mayAsk(questions: HandQuestions, draft: HandDraft): boolean {
  if (questions.phrase !== null && !isPhrase(draft.phrase, questions.phrase)) return false
  return questions.contracts.every(({ check: { state, candidate } }) => {
    const said = draft.contracts[candidate] ?? ''
    return state === 'new' ? said === 'yes' : sameAddress(said, candidate)
  })
}

/** A click says "yes" to a new contract; a changed one needs its address, and beside it the new one is named by its own. */
export function handConfirmation(questions: HandQuestions, draft: HandDraft): HandConfirmation {
  const changed = questions.contracts.some(({ check }) => check.state === 'changed')
  const words = questions.contracts.map(({ check: { state, candidate } }) =>
    state === 'changed' ? (draft.contracts[candidate] ?? '').trim() : changed ? candidate : 'yes',
  )
  return {
    typedPhrase: questions.phrase === null ? null : draft.phrase.trim(),
    typedRouter: words.length === 0 ? null : [...new Set(words)].join(' '),
  }
}
