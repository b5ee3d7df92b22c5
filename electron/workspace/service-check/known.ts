import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { AnswerReader } from '../../../shared/api/reader/answer.ts'
import type { FieldMap } from '../../../shared/api/reader/field-places.ts'
import { tokenRole } from '../../../shared/collateral-token.ts'
import { signOf } from '../../../shared/decimal.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { isWaiting } from '../../../shared/positions.ts'

/** What earlier answers of a check tell, that later steps are asked with. All null: nothing was read yet. */
export interface Known {
  readonly market: Market | null
  readonly mark: string | null
  readonly position: Position | null
  /** One with margin of its own. */
  readonly isolated: Position | null
  readonly order: OpenOrder | null
  readonly txHash: string | null
  readonly clientOrderId: string | null
  readonly commandId: string | null
  /** A token of the collateral that may be withdrawn. */
  readonly withdrawable: string | null
}

export type Answers = ReadonlyMap<string, unknown>

const txHashForm = /^0x[0-9a-fA-F]{64}$/

/** Reads what is needed out of the answers of the steps that tell it, by step. */
export function knownOf(answers: Answers, fieldMap: FieldMap | undefined, commandId: string | null): Known {
  const read = <T>(reader: AnswerReader<T>, ...steps: string[]): T | null => {
    for (const step of steps) {
      const reading = answers.has(step) ? reader.read(answers.get(step), { fieldMap }) : null
      if (reading?.ok === true) return reading.value
    }
    return null
  }
  const positions = read(endpoints.getPositions.response, 'getPositions', 'getPublicPositions')?.positions.filter(({ id }) => id !== null) ?? []
  const orders = read(endpoints.getOrders.response, 'getOrders', 'getPublicOrders')?.items ?? []
  const intents = read(endpoints.getTransactions.response, 'getTransactions', 'getPublicTransactions')?.items ?? []
  const balances = read(endpoints.getCollateral.response, 'getCollateral', 'getPublicCollateral')?.balances ?? []
  const markets = read(endpoints.getMarkets.response, 'getMarkets', 'getPublicMarkets')?.markets ?? []
  const marks = read(endpoints.getSummaries.response, 'getSummaries', 'getPublicSummaries')?.summaries ?? []
  const isOpen = ({ status }: Market): boolean => status === null || /open|active|live|trading|enabled/i.test(status)
  const market = markets.find(isOpen) ?? markets[0] ?? null
  const held = balances.find(({ balance, withdrawable }) => signOf(withdrawable ?? balance ?? '0') > 0)
  return {
    market,
    mark: marks.find(({ id }) => id === market?.id)?.mark ?? null,
    position: positions[0] ?? null,
    isolated: positions.find(({ marginMode }) => /isolated/i.test(marginMode ?? '')) ?? null,
    order: orders.find(isWaiting) ?? null,
    txHash: intents.find(({ txHash }) => txHash !== null && txHashForm.test(txHash))?.txHash ?? null,
    clientOrderId:
      intents.find(({ clientOrderId }) => clientOrderId !== null)?.clientOrderId ??
      orders.find(({ clientOrderId }) => clientOrderId !== null)?.clientOrderId ??
      null,
    commandId,
    withdrawable: held === undefined ? null : tokenRole(held.token) === 'USDC' ? 'USDC' : held.token,
  }
}
