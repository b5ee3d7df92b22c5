import type { z } from 'zod'
import { assumed } from '../assumptions.ts'
import { decimal, listUnder, may, must, objectReader, schemaOf, text } from '../loose.ts'

const fields = assumed.collateralState.fields

const balance = objectReader({
  token: must(fields.token, text),
  contract: may(fields.contract, text),
  balance: may(fields.balance, decimal),
  locked: may(fields.locked, decimal),
  withdrawable: may(fields.withdrawable, decimal),
})

const beside = objectReader({ wallet: may(fields.wallet, text), balances: may(fields.balances, (value) => value) })

/** Amounts in units of each token, as decimals. */
export const CollateralState = schemaOf((value, complain) => {
  const balances = listUnder(fields.balances, balance)(value, complain)
  if (balances === undefined) return undefined
  const found = beside(value, () => {})
  return { wallet: found?.wallet ?? null, balances, unknownFields: found?.unknownFields ?? null }
})
export type CollateralState = z.output<typeof CollateralState>
