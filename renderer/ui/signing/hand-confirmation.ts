import { confirmationPhrase, isConfirmed } from '../../../shared/signing/confirmation-phrase.ts'
import type { HandConfirmation, SigningMessage } from './signing-message.ts'

/** What has been typed and ticked so far. */
export interface HandDraft {
  readonly phrase: string
  readonly router: string
  readonly routerSeen: boolean
}

export const emptyHand: HandDraft = { phrase: '', router: '', routerSeen: false }

export interface HandQuestions {
  /** The phrase that accepts a layout never seen; null where the layout is known. */
  readonly phrase: string | null
  /** new: one tick. changed: the full address typed. */
  readonly router: 'none' | 'new' | 'changed'
}

export function handQuestions(message: Pick<SigningMessage, 'comparison' | 'router'>): HandQuestions {
  const state = message.router?.state ?? 'pinned'
  return { phrase: message.comparison.verdict === 'confirm' ? confirmationPhrase : null, router: state === 'pinned' ? 'none' : state }
}

const sameAddress = (a: string, b: string): boolean => a.trim().toLowerCase() === b.toLowerCase()

/** Whether "Send to wallet" may be pressed: every question is answered. */
export function mayAsk(questions: HandQuestions, draft: HandDraft, candidate: string | null): boolean {
  if (questions.phrase !== null && !isConfirmed(draft.phrase)) return false
  if (questions.router === 'new') return draft.routerSeen
  return questions.router === 'none' || (candidate !== null && sameAddress(draft.router, candidate))
}

/** A click says "yes" to a new router; a changed one needs its address. */
export function handConfirmation(questions: HandQuestions, draft: HandDraft): HandConfirmation {
  return {
    typedPhrase: questions.phrase === null ? null : draft.phrase.trim(),
    typedRouter: questions.router === 'none' ? null : questions.router === 'new' ? 'yes' : draft.router.trim(),
  }
}
