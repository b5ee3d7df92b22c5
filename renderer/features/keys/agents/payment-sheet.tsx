import { useId, useState } from 'react'
import { formatDecimal } from '../../../../shared/decimal.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { FormIssue } from '../../../../shared/ipc/form-issue.ts'
import type { ComparisonLine } from '../../../../shared/ipc/intents/comparison-lines.ts'
import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import type { Title } from '../../../../shared/ipc/intents/titles.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { reasonText } from '../../../../shared/text/reason-text.ts'
import { paymentCallText } from '../../../../shared/text/signing-text.ts'
import { titleText } from '../../../../shared/text/title-text.ts'
import { amountIssue } from '../../../../shared/ticket/market-rules.ts'
import { numberIssue, typedDecimal } from '../../../../shared/ticket/typed-number.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCall, useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { IntentState } from '../../../kit/layout/state.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { transactionFacts, transactionObstacle } from '../../../signing/parts/router-evidence.tsx'
import { noComparison, noExtras, type SigningMessage, type TransactionPart } from '../../../signing/parts/signing-message.ts'
import { SigningSheet } from '../../../signing/sheet/signing-sheet.tsx'
import { useIntentSigning } from '../../../signing/sheet/use-signing.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

/** The problem with the typed amount; `null` if the amount is valid. */
function issueOf(typed: string): FormIssue | null {
  const amount = typedDecimal(typed)
  return amount === null ? numberIssue(typed, ['typeAmount', 'USDC']) : amountIssue(amount)
}

/** No other transaction follows the one of a payment (FLOW-03, FLOW-06). */
const goesOn = (_: { readonly prepared: PreparedPayment }): boolean => false

/** Pays for delegated execution with a key: the service prepares one transaction, and the wallet sends it. */
export function PaymentSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const call = useIpcCall()
  const payments = useIpcQuery('agents.payments', { keyId: entry.id })
  const prepare = useIpcCommand('agents.preparePayment')
  const payment = useIntentSigning(goesOn)
  const start = (prepared: PreparedPayment) => payment.start({ prepared })
  const [amount, setAmount] = useState('10')
  const [pressed, setPressed] = useState(false)
  const [opening, setOpening] = useState(false)
  const [notOpened, setNotOpened] = useState<Failure | null>(null)
  const issue = issueOf(amount)

  const press = () => {
    setPressed(true)
    const wanted = typedDecimal(amount)
    if (issue !== null || wanted === null) return
    prepare.mutate({ keyId: entry.id, amountUsdc: wanted }, { onSuccess: start })
  }
  const naming = useNaming(press)
  const goOn = async (ref: string) => {
    setOpening(true)
    const read = await call('agents.payment', { ref })
    setOpening(false)
    setNotOpened(read.ok ? null : read.failure)
    if (read.ok) start(read.value)
  }
  if (payment.open !== null) {
    const { subject, flow } = payment.open
    const { intent, keyId, amountUsdc } = subject.prepared
    return (
      <SigningSheet
        message={paymentMessage(subject.prepared)}
        flow={flow}
        words={words}
        signing={payment}
        intentRef={intent.ref}
        preparing={prepare.isPending}
        onPrepareAgain={() => prepare.mutate({ keyId, amountUsdc }, { onSuccess: start, onError: payment.close })}
      />
    )
  }
  const failure = prepare.error === null ? notOpened : failureOf(prepare.error)
  const wrongAmount = failure?.kind === 'bad_input' && failure.field === 'amountUsdc' ? inputIssueText(failure.issue) : null
  return (
    <Sheet title={keysText.payForExecutionWith(entry.label)} lead={keysText.paymentLead} icon="coins" onClose={onClose} className={overlayStyles.narrow}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <Field id={`${id}-amount`} label={keysText.amount} error={(pressed && issue !== null ? formIssueText(issue) : wrongAmount) ?? undefined}>
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
        <Note tone="neutral">{keysText.preparingSendsNothing}</Note>
        {failure === null || wrongAmount !== null ? null : <FailureNote failure={failure} naming={naming} />}
        <PaymentList payments={payments.data ?? []} onGoOn={(ref) => void goOn(ref)} opening={opening} />
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.close}
        </Button>
        <Button variant="primary" icon="coins" busy={prepare.isPending} onClick={press}>
          {keysText.preparePayment}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** Returns only the amount from a title such as "Execution payment of 25.50 USDC for bot", because other words are equal in every row. */
const amountOf = (title: Title): string => (title.code === 'payment' ? keysText.usdc(formatDecimal(title.amountUsdc, { minDecimals: 2 })) : titleText(title))

interface PaymentListProps {
  readonly payments: readonly Intent[]
  /** Continues a prepared payment that was not sent. */
  readonly onGoOn: (ref: string) => void
  readonly opening: boolean
}

function PaymentList({ payments, onGoOn, opening }: PaymentListProps) {
  const lookUp = useIpcCommand('intents.lookUp')
  if (payments.length === 0) return null
  return (
    <section aria-label={keysText.earlierPayments}>
      <h3>{keysText.earlierPayments}</h3>
      <ul className={styles.payments}>
        {payments.map((intent) => (
          <li key={intent.ref}>
            <span>
              <Link to={`activity/${intent.ref}`}>{amountOf(intent.title)}</Link>
              <span className={textStyles.muted}>
                <Time ms={intent.createdAtMs} />
              </span>
            </span>
            <IntentState intent={intent} />
            {intent.state === 'UNKNOWN' ? (
              <Button size="xs" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
                {keysText.lookUp}
              </Button>
            ) : intent.state === 'PREPARED' ? (
              <Button size="xs" busy={opening} onClick={() => onGoOn(intent.ref)}>
                {keysText.continue}
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

const words = { after: [keysText.broadcastByWallet, keysText.confirmedOnBase] } as const

const usdc = (amount: string): string => keysText.usdc(formatDecimal(amount, { minDecimals: 2 }))

function wordOf(prepared: PreparedPayment): TransactionPart['word'] {
  const { expectedPhrase, spending } = prepared
  if (expectedPhrase === null) return null
  const text = paymentCallText(prepared)
  if (text === null) return { title: keysText.transactionUnreadable, text: keysText.unknownCalldata, phrase: expectedPhrase }
  return { title: spending === null ? keysText.transactionMovesUsdc : keysText.transactionApprovesUsdc, text, phrase: expectedPhrase }
}

/** Labels a comparison line with the name that the phone shows for the argument. */
function withArgument(line: ComparisonLine, call: PreparedPayment['call']): ComparisonLine {
  const type = line.id === 'amount' ? 'uint256' : line.id === 'spender' ? 'address' : null
  const argument = call?.arguments.find((one) => one.type === type)
  return argument === undefined ? line : { ...line, field: argument.name }
}

/** The signing sheet's content for a prepared payment: each line of the transaction, the spending right it grants, and its network fee. */
export function paymentMessage(prepared: PreparedPayment): SigningMessage {
  const { call, lines, target, label, amountUsdc } = prepared
  const counted = lines.filter(({ verdict }) => verdict !== 'absent')
  const title = keysText.payForExecutionWith(label)
  return {
    ...noExtras,
    ...{ thing: 'transaction', subject: 'payment', preparedAgain: 'new_deadline', title },
    lead: keysText.paymentSigningLead,
    summary: keysText.paymentSummary(usdc(amountUsdc), label),
    comparison: {
      ...noComparison,
      compares: 'transaction',
      primaryType: call?.signature ?? keysText.unreadableCalldata,
      lines: lines.map((line) => withArgument(line, call)),
      matched: counted.filter(({ verdict }) => verdict === 'match').length,
      total: counted.length,
      verdict: prepared.verdict,
      blocked: prepared.blocked,
      formatKnown: true,
      raw: prepared.raw,
    },
    facts: transactionFacts(prepared),
    contracts: [
      ...(target.check === null ? [] : [{ what: target.role === 'router' ? ('router' as const) : ('collateral token' as const), check: target.check }]),
      ...(prepared.spender === null ? [] : [{ what: 'router' as const, check: prepared.spender }]),
    ],
    preparedAtMs: prepared.preparedAtMs,
    deadlineMs: prepared.deadlineMs,
    requestId: prepared.requestId,
    transaction: { word: wordOf(prepared), obstacle: transactionObstacle(prepared, 'payment'), steps: [], more: false },
  }
}
