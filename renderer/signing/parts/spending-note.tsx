import { formatDecimal } from '../../../shared/decimal.ts'
import type { Spending } from '../../../shared/ipc/intents/signing.ts'
import { Note } from '../../kit/layout/note.tsx'
import { AddressText } from '../../parts/line-value.tsx'

/** The right to take tokens that comes with it, in words. Draws nothing where it gives none. */
export function SpendingNote({ spending, sends }: { readonly spending: Spending | null; readonly sends: boolean }) {
  if (spending === null) return null
  const { amount, token, sentence } = spending
  return (
    <div className="sign-spending">
      <Note
        tone={amount === null ? 'danger' : 'neutral'}
        icon="coins"
        title={
          amount === null ? `It gives a right to all your ${token}.` : `It gives a right to ${formatDecimal(amount, { minDecimals: 2 })} ${token}, and no more.`
        }
      >
        <AddressText
          text={`${sentence}${amount === null ? '' : ` The deposit uses all of it${sends ? ', and nothing is left of it then' : ''}.`}`}
          picture={false}
        />
      </Note>
    </div>
  )
}
