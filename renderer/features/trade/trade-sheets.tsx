import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { sameId } from '../../../shared/same-id.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { tradeText } from '../../text/en/trade.en.tsx'
import { CollateralSheet } from './collateral/collateral-sheet.tsx'
import { useSummaries } from './market/feed.tsx'
import { OrderSheet } from './order-sheet.tsx'
import type { RowForms } from './rows/row-forms.tsx'
import { underwayAt } from './rows/row-subjects.ts'
import { TicketOutcome } from './ticket/ticket-outcome.tsx'
import { tradeSheetOf, underTradeSheet } from './trade-sheet-place.ts'
import { useOrderFlow } from './use-order-flow.ts'

/** The sheet that the address names, over the trade page. Draws nothing if the address names no sheet. */
export function TradeSheets() {
  const navigate = useNavigate()
  const place = usePlace()
  const sheet = tradeSheetOf(place)
  const under = sheet === null ? 'trade' : underTradeSheet(sheet, place.query)
  const close = useCallback(() => navigate(under), [navigate, under])
  if (sheet === null || sheet.kind === 'position' || sheet.kind === 'order') return null
  if (sheet.kind === 'continue') return <ContinueSheet key={sheet.ref} reference={sheet.ref} onClose={close} />
  const over = under === 'trade' ? '' : `?over=${under}`
  return (
    <CollateralSheet
      direction={sheet.direction}
      token={sheet.token}
      onDirection={(direction) => navigate(`trade/collateral/${direction}${over}`)}
      onClose={close}
    />
  )
}

interface ContinueSheetProps {
  readonly reference: string
  readonly onClose: () => void
}

/** Continues an intent with its next signature or transaction. */
function ContinueSheet({ reference, onClose }: ContinueSheetProps) {
  const order = useOrderFlow()
  const summaries = useSummaries()
  const { resume } = order
  const wasOpen = useRef(false)
  useEffect(() => void resume(reference), [reference, resume])
  const isOpen = order.open !== null
  const isIdle = !isOpen && !order.preparing && order.outcome === null
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    else if (isIdle && wasOpen.current) onClose()
  }, [isIdle, isOpen, onClose])
  const pairId = order.open?.prepared.intent.pairId ?? null
  const mark = summaries.data?.summaries.find(({ id }) => id === pairId)?.mark ?? null
  if (isOpen) return <OrderSheet order={order} mark={mark} />
  return (
    <Sheet title={tradeText.continue} lead={tradeText.checkingAgainLead} icon="shield" onClose={onClose} className={overlayStyles.narrow}>
      <div className={overlayStyles.sheetBody}>
        {order.outcome === null ? (
          <Loading label={tradeText.checkingAgain}>
            <Skeleton width="80%" />
          </Loading>
        ) : (
          <TicketOutcome order={order} market={null} mark={null} />
        )}
      </div>
      <SheetFoot>
        <Button kbd={[tradeText.esc]} onClick={onClose}>
          {tradeText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

interface AskedRowParts {
  readonly rows: RowForms
  /** True while the order ticket's own order is open. */
  readonly busy: boolean
  /** The open positions; `undefined` until the app has read them. */
  readonly positions: readonly Position[] | undefined
  readonly orders: readonly OpenOrder[] | undefined
}

/** Opens the form of the row that the address names, once the rows are read and no other form is open. */
export function useAskedRow({ rows, busy, positions, orders }: AskedRowParts): void {
  const navigate = useNavigate()
  const toast = useToast()
  const place = usePlace()
  const asked = useMemo(() => tradeSheetOf(place), [place])
  // The function that opens the form. The page calls it after its address has changed, because a change of the address stops a review that the form
  // starts at once.
  const [opening, setOpening] = useState<(() => void) | null>(null)
  const waits = busy || opening !== null || rows.choice !== null || rows.order.open !== null
  const { underway, onPosition, onOrder } = rows
  useEffect(() => {
    if (waits || asked === null) return
    const open = (gone: string, goneLead: string, at: Parameters<typeof underwayAt>[1], form: (() => void) | null) => {
      const running = underwayAt(underway, at)
      navigate(running?.left === true ? `activity/${running.ref}` : 'trade')
      if (running?.left !== true) setOpening(() => form ?? (() => toast({ tone: 'info', title: gone, text: goneLead, action: null })))
    }
    if (asked.kind === 'position' && positions !== undefined) {
      const position = positions.find(({ id }) => sameId(id, asked.id))
      const form = position === undefined ? null : () => onPosition(position, asked.action)
      open(tradeText.positionGone, tradeText.positionGoneLead, { positionId: asked.id }, form)
    } else if (asked.kind === 'order' && orders !== undefined) {
      const order = orders.find(({ id }) => sameId(id, asked.id))
      open(tradeText.orderGone, tradeText.orderGoneLead, { orderId: asked.id }, order === undefined ? null : () => onOrder(order, asked.action))
    }
  }, [asked, waits, underway, positions, orders, navigate, toast, onPosition, onOrder])
  useEffect(() => {
    if (opening === null || asked !== null) return
    setOpening(null)
    opening()
  }, [opening, asked])
}
