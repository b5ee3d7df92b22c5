import type { Chain } from '../../chain/practice-chain.ts'
import type { WireTypedData } from '../../chain/wire-typed-data.ts'
import { type Alteration, alterTransactions, alterTypedData } from '../../dialect/alter.ts'
import { callLayouts, layOutTransaction } from '../../dialect/call-layout.ts'
import { createSpeakers } from '../../dialect/speaker.ts'
import { layOut } from '../../dialect/typed-layout.ts'
import type { IntentRow, WireTransaction } from '../state/state.ts'

/** The typed data or the transactions of an intent, in the format in which the wallet receives them, which may be that of a dialect. */
export interface SpokenForm {
  readonly typedData: WireTypedData | null
  readonly transactions: readonly WireTransaction[]
}

type Kept = Pick<IntentRow, 'typedData' | 'transactions' | 'dialect' | 'mode'>

/**
 * Converts typed data and transactions from the exchange's own format to the format of a dialect. The result depends only on the intent and the
 * dialect's seed.
 */
export interface SpokenForms {
  of(row: Kept): SpokenForm
  /**
   * Returns the altered data for the wallet to sign or send, to test whether the app detects the alteration. Returns `null` if the alteration does
   * not apply to this intent.
   */
  altered(row: Kept, alteration: Alteration): SpokenForm | null
  typedData(seed: number | null, own: WireTypedData): WireTypedData
  /** Registers the call formats of a dialect with the router. Resolves when the router accepts calls in these formats. */
  teach(seed: number): Promise<void>
}

export function createSpokenForms({ chain }: { readonly chain: Pick<Chain, 'router' | 'usdc' | 'teach'> }): SpokenForms {
  const speakers = createSpeakers()
  const typedData: SpokenForms['typedData'] = (seed, own) => {
    const speaker = speakers(seed)
    return speaker === null ? own : layOut(speaker.dialect, own)
  }
  const layoutsOf = ({ dialect, mode }: Kept) => {
    const seed = dialect ?? null
    const speaker = speakers(seed)
    return {
      // EIP-2612 defines the format of a permit, so a permit looks the same in every dialect.
      intent: (own: WireTypedData) => (mode === 'permit_deposit' ? own : typedData(seed, own)),
      transaction: (own: WireTransaction) => (speaker === null ? own : layOutTransaction(speaker.dialect, chain.router, own)),
    }
  }
  return {
    typedData,
    of: (row) => {
      if (row.dialect === undefined) return row
      const layouts = layoutsOf(row)
      return { typedData: row.typedData === null ? null : layouts.intent(row.typedData), transactions: row.transactions.map(layouts.transaction) }
    },
    altered: (row, alteration) => {
      const layouts = layoutsOf(row)
      if (row.typedData !== null) {
        const altered = alterTypedData(row.typedData, alteration, layouts.intent)
        return altered === null ? null : { typedData: altered, transactions: [] }
      }
      const altered = alterTransactions(row.transactions, alteration, { layOut: layouts.transaction, router: chain.router, usdc: chain.usdc })
      return altered === null ? null : { typedData: null, transactions: altered }
    },
    teach: async (seed) => {
      const speaker = speakers(seed)
      if (speaker !== null) await chain.teach(callLayouts(speaker.dialect))
    },
  }
}
