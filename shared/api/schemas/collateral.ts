import { type AnswerOf, answerReader, inspectList, listIn } from '../reader/answer.ts'
import { may, must } from '../reader/field.ts'
import { anything, text, tokens } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { resource } from '../reader/resource.ts'
import { each } from './name-lists.ts'
import { missingOf } from './page.ts'
import { address } from './words.ts'

const lists = ['collateral', 'collaterals', 'balances', 'tokens', 'assets', 'holdings', 'wallets'] as const

export const collateralBalance = resource({
  name: 'collateral_balance',
  words: ['balance', 'collateral'],
  sentence: '/collateral lists the tokens, each by its symbol and contract, with what is held, locked and free to be withdrawn in units of the token.',
  source: 'Resources: bodies of account read resources not shown; Account: answer of /collateral not shown',
  fields: {
    token: must(
      [
        'token',
        'symbol',
        'asset',
        'currency',
        'name',
        'token_symbol',
        'coin',
        'ticker',
        ...each(['token', 'asset', 'coin', 'currency'], ['symbol', 'name', 'ticker', 'code']),
      ],
      text,
    ),
    contract: may(
      [...['address', 'token_address', 'contract', 'contract_address', 'token_contract'], ...each(['onchain', 'chain', 'erc20'], ['address', 'contract'])],
      address,
    ),
    balance: may(
      [
        'balance',
        'amount',
        'total',
        'deposited',
        'total_balance',
        'held',
        'gross',
        'quantity',
        'equity',
        ...each(['wallet', 'token', 'account', 'current'], ['balance', 'amount']),
      ],
      tokens,
    ),
    locked: may(
      [
        'locked',
        'reserved',
        'margin_used',
        'in_use',
        'used',
        'locked_balance',
        'on_hold',
        'frozen',
        'locked_amount',
        'encumbered',
        'hold',
        'blocked',
        'committed',
        'pledged',
      ],
      tokens,
    ),
    withdrawable: may(
      [
        'withdrawable',
        'available',
        'free',
        'available_to_withdraw',
        'available_balance',
        'free_balance',
        'withdrawable_balance',
        'withdrawable_amount',
        'max_withdrawal',
        'max_withdraw',
        'transferable',
        'spendable',
        'redeemable',
        'cashable',
      ],
      tokens,
    ),
  },
  keyed: { key: 'token', value: 'balance' },
})

export const beside = resource({
  name: 'collateral',
  words: ['collateral'],
  sentence: null,
  source: '',
  fields: {
    wallet: may(['wallet', 'wallet_address', 'account', 'owner', 'address', 'user'], text),
    balances: may([...lists, 'items', 'data', 'result', 'response', 'payload'], anything),
  },
})

/** Reads the wallet's token balances. Amounts are in units of each token, as decimal text. */
export const CollateralState = answerReader(
  (json, complain, context) => {
    const list = listIn(collateralBalance, lists, json, complain, context)
    if (list === undefined) return undefined
    const [found] = readRecords(beside, [list.around], context, () => {}).items
    return { wallet: found?.wallet ?? null, balances: list.items, missing: missingOf(list), unknownFields: found?.unknownFields ?? null }
  },
  (json, fieldMap) => [inspectList(collateralBalance, lists, json, fieldMap)],
)
export type CollateralState = AnswerOf<typeof CollateralState>
