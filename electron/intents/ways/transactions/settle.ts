import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Intent, SendingEvidence } from '../../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf } from '../../../../shared/ipc/intents/reasons.ts'
import { notSentPhrase } from '../../../../shared/phrases.ts'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { isPhrase } from '../../../../shared/signing/confirmation-phrase.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { SendingBook } from '../../engine/sending-book.ts'
import type { SendingFollow } from './sending-follow.ts'

interface Deps {
  readonly book: IntentBook
  readonly sendings: SendingBook
  readonly following: SendingFollow
}

/** The end of what a contract wallet was asked to send and nobody can tell of: the chain is shown, and the user says it by a word. */
export function createSettle({ book, sendings, following }: Deps) {
  return {
    evidence: async (row: IntentRow): Promise<SendingEvidence | null> => {
      const found = await following.evidence(row)
      if (found === null) return null
      const { hashes, fromBlock, upTo, over } = found.shown
      return { hashes: [...hashes], fromBlock, upTo, over }
    },
    /** Ends an intent whose lost transaction no request can bring any more. What the chain shows by then counts more than the word. */
    notSent: async (row: IntentRow, typed: string): Promise<Result<Intent, Failure>> => {
      if (!isPhrase(typed, notSentPhrase)) return fail({ kind: 'bad_input', field: 'typed', issue: `type ${notSentPhrase}` })
      const fresh = await following.lookUp(row)
      const found = await following.evidence(fresh)
      if (found === null || !found.shown.over) return fail({ kind: 'wrong_state', state: fresh.state, wanted: 'UNKNOWN' })
      const { upTo, hashes } = found.shown
      const reason: IntentReason = { code: 'user_not_sent', upToBlock: upTo, alike: hashes.length }
      return ok(book.view(await sendings.end(fresh, found.position, { state: 'cancelled', reason }, 'EXPIRED', reason, noteOf(reason))))
    },
  }
}
