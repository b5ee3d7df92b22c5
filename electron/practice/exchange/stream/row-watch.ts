import type { Address } from 'viem'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Ledger } from '../positions/ledger.ts'
import type { LedgerRow } from '../state/changes.ts'
import type { Store } from '../state/store.ts'
import { type LifecycleEvent, lifecycleOf, reorganisation } from './lifecycle.ts'

/** Reports what happens in the ledger of one wallet after the watch was created. */
export interface RowWatch {
  /** Returns the account events since the last call, and whether the ledger has changed. A ledger change may cause no event. */
  look(): { readonly hasChanged: boolean; readonly events: readonly LifecycleEvent[] }
}

export function createRowWatch({ store, ledger, clock }: { store: Store; ledger: Ledger; clock: Clock }, wallet: Address): RowWatch {
  const { state } = store
  const known = () => {
    const rows = state.ledger.filter((row) => row.wallet === wallet)
    return { sequence: state.sequence, count: state.ledger.length, rows, sequences: new Set(rows.map(({ sequence }) => sequence)), book: ledger.book(wallet) }
  }
  /**
   * Returns the account events that a ledger row causes. Uses only this row and earlier rows, so the result stays the same if the row is undone
   * later. A correction can therefore refer to the same events.
   */
  const eventsOf = ({ rows, book }: ReturnType<typeof known>, row: LedgerRow): readonly LifecycleEvent[] =>
    lifecycleOf(
      row,
      book,
      rows.filter(({ sequence }) => sequence <= row.sequence),
    )
  let before = known()
  return {
    look: () => {
      if (before.sequence === state.sequence && before.count === state.ledger.length) return { hasChanged: false, events: [] }
      const [was, is] = [before, known()]
      before = is
      const atSeconds = Math.floor(clock.now() / second)
      const gone = was.rows.filter(({ sequence }) => !is.sequences.has(sequence))
      const fresh = is.rows.filter(({ sequence }) => !was.sequences.has(sequence))
      const events = [
        ...gone.flatMap((row) => eventsOf(was, row).map((event) => reorganisation(event, atSeconds, { rows: [row.sequence] }))),
        ...fresh.flatMap((row) => eventsOf(is, row)),
      ]
      return { hasChanged: gone.length + fresh.length > 0, events }
    },
  }
}
