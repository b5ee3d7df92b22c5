import { useId, useState } from 'react'
import { decimalsOf, signOf } from '../../../../shared/decimal.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { numberIssue, typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCall, useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/use-naming.ts'
import { PaymentList } from './payment-list.tsx'
import { PaymentSigning } from './payment-signing.tsx'
import { usePaymentFlow } from './use-payment-flow.ts'

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
  const wrongAmount = failure?.kind === 'bad_input' && failure.field === 'amountUsdc' ? failure.issue : null
  return (
    <Sheet
      title={`Pay for execution with ${entry.label}`}
      lead="The service prepares it, your wallet sends it."
      icon="coins"
      onClose={onClose}
      className="narrow"
    >
      <form
        className="sheet-body"
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
