import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { OrderTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { RiskPreview } from '../../../../shared/ipc/reads/account.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { useVisible } from '../../../kit/time/use-visible.ts'

export interface PreviewState {
  /** Of the ticket, or of the one before it while the new one is on its way; null: none. */
  readonly preview: RiskPreview | null
  /** What is shown is of other terms than those in the form. */
  readonly old: boolean
  readonly failure: Failure | null
  readonly retry: () => void
}

const settleMs = 300
/** The account moves with the market. */
const every = 10 * second

/** Terms without the price of the moment: a new mark makes no other order. */
const termsOf = (ticket: OrderTicket | null): string =>
  JSON.stringify(ticket !== null && 'referencePrice' in ticket ? { ...ticket, referencePrice: '' } : ticket)

/** Stands for no ticket at all: it is never asked about. */
const noTicket: OrderTicket = {
  pairId: 0,
  side: 'long',
  orderType: 'limit',
  marginMode: 'cross',
  leverage: 1,
  orderValueUsdc: '0',
  limitPrice: '0',
  timeInForce: 'gtc',
  postOnly: false,
  takeProfit: null,
  stopLoss: null,
}

/** What the service says an order, or a change of what there is, would do to the account (`/risk/preview`), asked once the ticket stood still for a moment. */
export function useRiskPreview(ticket: OrderTicket | null, allowed: boolean): PreviewState {
  const visible = useVisible()
  const [settled, setSettled] = useState(ticket)
  const text = JSON.stringify(ticket)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as OrderTicket | null), settleMs) // what `ticket` was written as
    return () => clearTimeout(timer)
  }, [text])

  const query = useDeskQuery(
    'account.riskPreview',
    { ticket: settled ?? noTicket },
    { enabled: allowed && settled !== null && ticket !== null, keepPrevious: true, every: visible ? every : false },
  )
  const terms = termsOf(settled)
  const [shown, setShown] = useState(terms)
  const fresh = query.data !== undefined && !query.isPlaceholderData
  useEffect(() => {
    if (fresh) setShown(terms)
  }, [fresh, terms])

  const has = allowed && ticket !== null
  return {
    preview: has ? (query.data ?? null) : null,
    old: shown !== termsOf(ticket),
    failure: has && query.error !== null ? failureOf(query.error) : null,
    retry: () => void query.refetch(),
  }
}
