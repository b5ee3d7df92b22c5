import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import type { Level } from '../../kit/chart/levels.ts'
import type { RowDesk } from './rows/row-desk.tsx'
import { changeIssue, changePositionIssue } from './rows/row-subjects.ts'

interface LineFacts {
  readonly rows: RowDesk
  readonly market: Market
  readonly positions: readonly Position[] | undefined
  readonly orders: readonly OpenOrder[] | undefined
}

interface LineMoves {
  readonly movable: (level: Level) => boolean
  readonly onMove: (level: Level, price: string) => void
}

const exitOf = { take_profit: 'takeProfit', stop_loss: 'stopLoss' } as const

/** A line that is dragged opens the form of its row with the new price in it; nothing is asked of anybody before that form is reviewed. */
export function lineMoves({ rows, market, positions, orders }: LineFacts): LineMoves {
  const begin = (level: Level): ((price: string) => void) | null => {
    if (level.kind === 'take_profit' || level.kind === 'stop_loss') {
      const field = exitOf[level.kind]
      const position = positions?.find(({ id }) => id !== null && id === level.positionId)
      if (position === undefined || changePositionIssue(position, market) !== null) return null
      return (price) => rows.onPosition(position, 'exits', { [field]: price })
    }
    const order = orders?.find(({ id }) => id !== '' && id === level.orderId)
    if (level.kind !== 'order' || order === undefined || changeIssue(order, market) !== null) return null
    const field = order.limitPrice !== null ? 'limitPrice' : 'triggerPrice'
    return (price) => rows.onOrder(order, 'replace', { [field]: price })
  }
  return { movable: (level) => begin(level) !== null, onMove: (level, price) => begin(level)?.(price) }
}
