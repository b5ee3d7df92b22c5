import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { SigningSheet } from '../../../signing/sheet/signing-sheet.tsx'
import { useWallet, useWalletActions } from '../../../signing/wallet/wallet-provider.tsx'
import { paymentMessage } from './payment-message.ts'
import type { PaymentFlow } from './use-payment-flow.ts'

const words = { after: ['Broadcast by the wallet', 'Confirmed on Base, 8 blocks'] } as const

interface PaymentSigningProps {
  readonly payment: PaymentFlow
  readonly profile: Profile | undefined
  /** A new one is being prepared in the place of this one. */
  readonly preparing: boolean
  readonly onPrepareAgain: () => void
}

/** The signing sheet for a payment: compared, sent by the wallet, followed to its end. Draws nothing while there is none. */
export function PaymentSigning({ payment, profile, preparing, onPrepareAgain }: PaymentSigningProps) {
  const navigate = useNavigate()
  const showPhone = useDeskCommand('practice.showPhone')
  const openExternal = useDeskCommand('app.openExternal')
  const light = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  if (payment.open === null) return null
  const { prepared, flow } = payment.open
  const { phase } = flow
  const intent = phase.kind === 'followed' ? phase.intent : prepared.intent
  return (
    <SigningSheet
      message={paymentMessage(prepared)}
      phase={
        phase.kind === 'waiting'
          ? { ...phase, relay: light === 'down' ? 'lost' : 'reached' }
          : phase.kind === 'review'
            ? { ...phase, busy: phase.busy || preparing }
            : phase.kind === 'stopped'
              ? { ...phase, busy: preparing }
              : phase
      }
      times={flow.times}
      words={words}
      actions={{
        onSend: payment.send,
        onSendAgain: payment.sendAgain,
        onPrepareAgain,
        onCancel: payment.close,
        onClose: payment.close,
        onOpenActivity: () => {
          payment.close()
          navigate(`activity/${intent.ref}`)
        },
        onOpenTransaction: () => openExternal.mutate({ page: 'transaction', id: intent.txHash }),
        onShowPhone: profile?.kind === 'practice' ? () => showPhone.mutate({}) : null,
        onSwitchChain: () => void switchChain(),
      }}
    />
  )
}
