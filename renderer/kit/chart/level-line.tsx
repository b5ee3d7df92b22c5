import type { PointerEvent } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { Icon } from '../icons/icon.tsx'
import { Amount } from '../number.tsx'
import type { Level } from './levels.ts'

const levelClass: Readonly<Record<Level['kind'], string>> = {
  position: 'lvl-pos',
  take_profit: 'lvl-tp',
  stop_loss: 'lvl-sl',
  order: 'lvl-ord',
  liquidation: 'lvl-liq',
}

interface LevelLineProps {
  readonly level: Level
  readonly market: Market
  /** Where it is being dragged to; null: it is not. */
  readonly draggedTo: string | null
  /** Absent where the line cannot be moved. */
  readonly onGrab?: (event: PointerEvent<HTMLElement>) => void
}

/** A line with its name at the left and its price at the right. Its height is set before each drawing. */
export function LevelLine({ level, market, draggedTo, onGrab }: LevelLineProps) {
  const tone = level.kind === 'position' && level.side !== null ? ` ${level.side}` : ''
  const moved = draggedTo === null ? '' : ' dragged'
  const price = draggedTo ?? level.price
  const gain = draggedTo === null ? level.gain : (level.gainAt?.(draggedTo) ?? null)
  return (
    <div
      className={`lvl ${levelClass[level.kind]}${tone}${moved}${onGrab === undefined ? '' : ' movable'}`}
      data-price={price}
      data-level={level.id}
      title={onGrab === undefined ? undefined : `Drag to change the ${level.kind === 'order' ? 'order' : level.kind.replace('_', ' ')}`}
      onPointerDown={onGrab}
    >
      <span className={gain === null && level.detail === null ? 'lvl-tag alone' : 'lvl-tag'}>
        {level.kind === 'position' && level.side !== null ? <Icon name={level.side === 'long' ? 'arrow-up-right' : 'arrow-down-right'} /> : null}
        {level.label}
      </span>
      {gain !== null ? (
        <span className="lvl-val">
          <b>
            <Amount value={gain} decimals={2} signed />
          </b>
        </span>
      ) : level.detail !== null ? (
        <span className="lvl-val">{level.detail}</span>
      ) : null}
      <span className="lvl-price">{formatDecimal(price, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })}</span>
    </div>
  )
}
