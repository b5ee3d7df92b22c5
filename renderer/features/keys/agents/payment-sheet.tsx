import { useId, useState } from 'react'
import { decimalsOf, signOf } from '../../../../shared/decimal.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { Profile } from '../../../../shared/ipc/host/profiles.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { reasonText } from '../../../../shared/text/intent-text.ts'
import { numberIssue, typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCall, useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { IntentState } from '../../../kit/layout/state.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { SigningSheet } from '../../../signing/sheet/signing-sheet.tsx'
import { useWallet, useWalletActions } from '../../../signing/wallet/wallet-provider.tsx'
import styles from '../keys.module.css'
import { paymentMessage } from './payment-message.ts'
import { type PaymentFlow, usePaymentFlow } from './use-payment-flow.ts'

/** USDC counts in millionths. */
const usdcDecimals = 6

/** What is wrong with an amount as typed; null where nothing is. */
function amountIssue(typed: string): string | null {
  const amount = typedDecimal(typed)
  if (amount === null) return numberIssue(typed, 'An amount in USDC, for example 25 or 12.50.')
  if (signOf(amount) <= 0) return 'It has to be above zero.'
  return decimalsOf(amount) > usdcDecimals ? `USDC has ${usdcDecimals} decimals.` : null
}

/** Pays for delegated execution with a key: the service prepares one transaction, the wallet sends it. */
export function PaymentSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const call = useDeskCall()
  const profiles = useDeskQuery('profiles.list', {})
  const payments = useDeskQuery('agents.payments', { keyId: entry.id })
  const prepare = useDeskCommand('agents.preparePayment')
  const payment = usePaymentFlow(entry.id)
  const [amount, setAmount] = useState('10')
  const [pressed, setPressed] = useState(false)
  const [opening, setOpening] = useState(false)
  const [notOpened, setNotOpened] = useState<Failure | null>(null)
  const issue = amountIssue(amount)
  const profile = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)

  const press = () => {
    setPressed(true)
    const wanted = typedDecimal(amount)
    if (issue !== null || wanted === null) return
    prepare.mutate({ keyId: entry.id, amountUsdc: wanted }, { onSuccess: payment.start })
  }
  const naming = useNaming(press)
  const goOn = async (ref: string) => {
    setOpening(true)
    const read = await call('agents.payment', { ref })
    setOpening(false)
    setNotOpened(read.ok ? null : read.failure)
    if (read.ok) payment.start(read.value)
  }
  if (payment.open !== null) {
    const { keyId, amountUsdc } = payment.open.prepared
    return (
      <PaymentSigning
        payment={payment}
        profile={profile}
        preparing={prepare.isPending}
        onPrepareAgain={() => prepare.mutate({ keyId, amountUsdc }, { onSuccess: payment.start, onError: payment.close })}
      />
    )
  }
  const failure = prepare.error === null ? notOpened : failureOf(prepare.error)
  const wrongAmount = failure?.kind === 'bad_input' && failure.field === 'amountUsdc' ? inputIssueText(failure.issue) : null
  return (
    <Sheet
      title={`Pay for execution with ${entry.label}`}
      lead="The service prepares it, your wallet sends it."
      icon="coins"
      onClose={onClose}
      className={overlayStyles.narrow}
    >
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <Field id={`${id}-amount`} label="Amount" error={(pressed ? issue : null) ?? wrongAmount ?? undefined}>
          <Input
            id={`${id}-amount`}
            value={amount}
            onChange={(typed) => {
              setAmount(typed)
              prepare.reset()
            }}
            numeric
            large
            unit="USDC"
            invalid={pressed && issue !== null}
            autoFocus
          />
        </Field>
        <Note tone="neutral">
          Preparing sends nothing. You see the transaction line by line, what it allows and what it costs, before your wallet is asked.
        </Note>
        {failure === null || wrongAmount !== null ? null : <FailureNote failure={failure} naming={naming} />}
        <PaymentList payments={payments.data ?? []} onGoOn={(ref) => void goOn(ref)} opening={opening} />
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={['Esc']}>
          Close
        </Button>
        <Button variant="primary" icon="coins" busy={prepare.isPending} onClick={press}>
          Prepare the payment
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** "Execution payment of 25.50 USDC for bot" without what every row has in common. */
const amountOf = (title: string): string => /[\d,.]+ USDC/.exec(title)?.[0] ?? title

interface PaymentListProps {
  readonly payments: readonly Intent[]
  /** Takes up one that is prepared and was not sent. */
  readonly onGoOn: (ref: string) => void
  readonly opening: boolean
}

/** What was paid for the execution of a key, newest first. */
function PaymentList({ payments, onGoOn, opening }: PaymentListProps) {
  const lookUp = useDeskCommand('intents.lookUp')
  if (payments.length === 0) return null
  return (
    <section aria-label="Earlier payments">
      <h3>Earlier payments</h3>
      <ul className={styles.payments}>
        {payments.map((intent) => (
          <li key={intent.ref}>
            <span>
              <Link to={`activity/${intent.ref}`}>{amountOf(intent.title)}</Link>
              <span className={textStyles.muted}>
                <Time ms={intent.createdAtMs} />
              </span>
            </span>
            <IntentState state={intent.state} confirmations={intent.confirmations} />
            {intent.state === 'UNKNOWN' ? (
              <Button size="xs" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
                Look it up
              </Button>
            ) : intent.state === 'PREPARED' ? (
              <Button size="xs" busy={opening} onClick={() => onGoOn(intent.ref)}>
                Go on
              </Button>
            ) : null}
            {intent.reason === null || intent.state === 'FINAL' ? null : <p className={textStyles.muted}>{reasonText(intent.reason)}</p>}
          </li>
        ))}
      </ul>
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </section>
  )
}

const words = { after: ['Broadcast by the wallet', 'Confirmed on Base, 8 blocks'] } as const

interface PaymentSigningProps {
  readonly payment: PaymentFlow
  readonly profile: Profile | undefined
  /** A new one is being prepared in the place of this one. */
  readonly preparing: boolean
  readonly onPrepareAgain: () => void
}

/** The signing sheet for a payment: compared, sent by the wallet, followed to its end. Draws nothing while there is none. */
function PaymentSigning({ payment, profile, preparing, onPrepareAgain }: PaymentSigningProps) {
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
