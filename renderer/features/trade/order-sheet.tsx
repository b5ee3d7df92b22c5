import { useDeskCommand } from '../../ipc/use-desk.ts'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { SigningSheet } from '../../signing/sheet/signing-sheet.tsx'
import { useWallet, useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import { orderMessage, priceMoved } from './order-message.ts'
import { hasMore } from './order-steps.ts'
import type { OrderFlow } from './use-order-flow.ts'

const words = {
  signature: { after: ['Signature checked, then relayed', 'Confirmed on Base, 8 blocks'] },
  transaction: { after: ['Broadcast by the wallet', 'Confirmed on Base, 8 blocks'] },
  step: { after: ['Broadcast by the wallet', 'In a block on Base'] },
} as const

interface OrderSheetProps {
  readonly order: OrderFlow
  /** The newest mark of the order's market. */
  readonly mark: string | null
  readonly practice: boolean
}

/** The signing sheet for the order that was reviewed. Draws nothing while there is none. */
export function OrderSheet({ order, mark, practice }: OrderSheetProps) {
  const navigate = useNavigate()
  const showPhone = useDeskCommand('practice.showPhone')
  const openExternal = useDeskCommand('app.openExternal')
  const light = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  const { open } = order
  if (open === null) return null
  const message = orderMessage(open.prepared, open.ticket, open.steps)
  if (message === null) return null
  const { phase } = open.flow
  const { prepared, steps } = open
  const intent = phase.kind === 'followed' ? phase.intent : prepared.intent
  // Only what goes at market takes it.
  const price = mark ?? (open.ticket !== null && 'referencePrice' in open.ticket ? open.ticket.referencePrice : '0')
  return (
    <SigningSheet
      message={{ ...message, moved: priceMoved(open.ticket, mark) }}
      phase={
        phase.kind === 'waiting'
          ? { ...phase, relay: light === 'down' ? 'lost' : 'reached' }
          : phase.kind === 'review'
            ? { ...phase, busy: phase.busy || order.preparing }
            : phase.kind === 'stopped'
              ? { ...phase, busy: order.preparing }
              : phase
      }
      times={open.flow.times}
      words={steps.at === null ? words.signature : hasMore(steps) ? words.step : words.transaction}
      actions={{
        onSend: order.send,
        onSendAgain: order.sendAgain,
        onPrepareAgain: () => void order.reprice(price),
        onCancel: order.cancel,
        onClose: phase.kind === 'followed' ? order.close : order.cancel,
        onOpenActivity: () => {
          order.close()
          navigate(`activity/${intent.ref}`)
        },
        onOpenTransaction: () => openExternal.mutate({ page: 'transaction', id: intent.txHash }),
        onShowPhone: practice ? () => showPhone.mutate({}) : null,
        onSwitchChain: () => void switchChain(),
      }}
    />
  )
}
