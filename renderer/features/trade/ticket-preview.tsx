import type { ReactNode } from 'react'
import type { AccountSummary } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import type { TicketSummary } from '../../../shared/ticket/summarise-ticket.ts'
import { Icon } from '../../ui/icon.tsx'
import { Amount } from '../../ui/number.tsx'
import { Row, Rows } from '../../ui/panel.tsx'
import { type BeforeAfter, freeMargin, marginUsed, simulationRows } from './ticket-model.ts'

function Change({ change, decimals, unit }: { readonly change: BeforeAfter; readonly decimals: number; readonly unit?: string }) {
  const shared = { decimals, ...(unit === undefined ? {} : { unit }) }
  if (change.after === null) return <Amount value={change.before} {...shared} />
  return (
    <>
      <span className="was">
        <Amount value={change.before} {...shared} />
      </span>
      <Icon name="arrow-right" size={14} className="dim" />
      <span className="sr"> becomes </span>
      <Amount value={change.after} {...shared} />
    </>
  )
}

interface PreviewProps {
  readonly market: Market
  readonly mark: string | null
  readonly account: AccountSummary | undefined
  readonly summary: TicketSummary | null
  /** What the service said of the last preparation of this very order, row by row. */
  readonly simulation: readonly { readonly label: string; readonly value: string }[]
  readonly costs: ReactNode
}

/** What the order does to the account: computed here before it is prepared, the service's own simulation after. */
export function TicketPreview({ market, mark, account, summary, simulation, costs }: PreviewProps) {
  const margin = summary?.margin ?? null
  const price = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  return (
    <div className="risk">
      <Rows>
        {simulation.length > 0 ? (
          simulationRows(simulation).map((row) => (
            <Row key={row.label} name={row.label}>
              {row.before === null ? null : (
                <>
                  <span className="was">
                    {row.before}
                    {row.unit === '%' ? ' %' : ''}
                  </span>
                  <Icon name="arrow-right" size={14} className="dim" />
                  <span className="sr"> becomes </span>
                </>
              )}
              {row.value} {row.unit === null ? null : <span className="unit-after">{row.unit}</span>}
            </Row>
          ))
        ) : (
          <>
            <Row name="Entry, about">
              <Amount value={summary === null ? null : mark} {...price} />
            </Row>
            <Row name="Worst price">
              <Amount value={summary?.worstPrice ?? null} {...price} />
            </Row>
            <Row name="Margin">
              <Amount value={margin} decimals={2} unit="USDC" />
            </Row>
            <Row name="Free margin">
              <Change change={freeMargin(account, margin)} decimals={2} />
            </Row>
            <Row name="Margin used">
              <Change change={marginUsed(account, margin)} decimals={1} unit="%" />
            </Row>
            <Row name="Health">
              <Amount value={account?.healthFactor ?? null} decimals={2} />
            </Row>
          </>
        )}
        {costs}
      </Rows>
    </div>
  )
}
