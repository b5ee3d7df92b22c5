import { formatDecimal } from '../../../../shared/decimal.ts'
import type { CollateralBalance } from '../../../../shared/ipc/reads/account.ts'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Amount } from '../../../kit/number.tsx'
import type { Direction } from '../trade-sheet-place.ts'
import { collateralFigures } from './collateral-model.ts'

interface FiguresProps {
  readonly balance: CollateralBalance | undefined
  readonly direction: Direction
  readonly typed: string
}

/** What lies where now, and after the transfer. */
export function CollateralFigures({ balance, direction, typed }: FiguresProps) {
  return (
    <Rows className="col-figures">
      {collateralFigures(balance, direction, typed).map(({ label, before, after }) => (
        <Row key={label} name={label}>
          {after === null ? null : (
            <>
              <span className="muted">
                <Amount value={before} decimals={2} />
              </span>
              <span className="muted" aria-hidden="true">
                →
              </span>
              <span className="sr">then</span>
            </>
          )}
          {after === null ? <Amount value={before} decimals={2} /> : <b>{formatDecimal(after, { decimals: 2 })}</b>}
        </Row>
      ))}
    </Rows>
  )
}
