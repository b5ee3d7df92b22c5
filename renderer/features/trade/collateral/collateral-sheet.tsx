import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { formatDecimal, isZero } from '../../../../shared/decimal.ts'
import type { TokenSymbol } from '../../../../shared/ipc/intents/tickets.ts'
import type { CollateralBalance } from '../../../../shared/ipc/reads/account.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { isBlank } from '../../../../shared/ticket/typed-number.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Amount, ShownAmounts } from '../../../kit/number.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { keptFromKey } from '../../../parts/account-source.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { MoreFields } from '../../../parts/more-fields.tsx'
import signingStyles from '../../../signing/parts/signing.module.css'
import { useConnectedWallet } from '../../../signing/wallet/wallet-provider.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import { OrderSheet } from '../order-sheet.tsx'
import { TicketOutcome } from '../ticket/ticket-outcome.tsx'
import type { Direction } from '../trade-sheet-place.ts'
import { useOrderFlow } from '../use-order-flow.ts'
import styles from './collateral.module.css'
import { availableOf, balanceOf, byPermit, collateralFacts, collateralFigures, readCollateral, walletEthText } from './collateral-model.ts'

interface CollateralSheetProps {
  readonly direction: Direction
  readonly token: TokenSymbol
  readonly onDirection: (direction: Direction) => void
  readonly onClose: () => void
}

const words = {
  deposit: { title: tradeText.depositCollateral, lead: tradeText.depositLead, review: tradeText.reviewDeposit, from: tradeText.inYourWallet },
  withdraw: { title: tradeText.withdrawCollateral, lead: tradeText.withdrawLead, review: tradeText.reviewWithdrawal, from: tradeText.availableToWithdraw },
} as const

/** Deposits and withdraws collateral: by one signature if the exchange offers it, else by transactions of the wallet. */
export function CollateralSheet({ direction, token: first, onDirection, onClose }: CollateralSheetProps) {
  const id = useId()
  const navigate = useNavigate()
  const wallet = useConnectedWallet()
  const order = useOrderFlow()
  const [token, setToken] = useState<TokenSymbol>(first)
  const [amount, setAmount] = useState('')
  const [wantsPermit, setWantsPermit] = useState<boolean | null>(null)
  const [pressed, setPressed] = useState(false)
  const isOpen = order.open !== null
  const read = useIpcQuery('account.collateral', { watch: null }, { every: isOpen ? false : 5 * second })
  const wasFollowed = useRef(false)
  const isFollowed = order.open?.flow.phase.kind === 'followed'
  // Close this sheet once the transfer is sent. If the user closes the signing sheet without sending, show the form again.
  useEffect(() => {
    if (isOpen) wasFollowed.current = isFollowed
    else if (wasFollowed.current) onClose()
  }, [isFollowed, isOpen, onClose])
  if (isOpen) return <OrderSheet order={order} mark={null} />

  const collateral = read.data
  // If the balances were read without a key, the user can only view them: a deposit or withdrawal needs a key.
  const unread = read.error === null ? keptFromKey(collateral?.source) : failureOf(read.error)
  const balance = balanceOf(collateral, token)
  const facts = collateralFacts(collateral, token, direction)
  const permit = byPermit(direction, token, collateral, wantsPermit)
  const { errors, ticket } = readCollateral(direction, { token, amount, permit }, facts)
  const error = errors.find(({ field, untouched }) => field === 'amount' && (pressed || !untouched))
  const issue = error === undefined ? undefined : formIssueText(error.issue)
  const available = availableOf(balance, direction)
  const { title, lead, review, from } = words[direction]
  const edit = (change: () => void) => {
    order.clearOutcome()
    setPressed(false)
    change()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setPressed(true)
    if (order.preparing || wallet === null) return
    if (ticket !== null) void order.review(ticket)
    else document.getElementById(`${id}-amount`)?.focus()
  }
  return (
    <ShownAmounts>
      <Sheet title={title} lead={lead} icon="coins" onClose={onClose} className={styles.collateralSheet}>
        <form className={overlayStyles.sheetBody} id={`${id}-form`} onSubmit={submit} noValidate>
          <div className={styles.collateralChoices}>
            <Segments
              label={tradeText.direction}
              size="md"
              block
              choices={[
                { value: 'deposit', label: tradeText.deposit },
                { value: 'withdraw', label: tradeText.withdraw },
              ]}
              value={direction}
              onChange={(next) => edit(() => onDirection(next))}
            />
            <Segments
              label={tradeText.token}
              size="md"
              block
              choices={[...new Set([...(collateral?.tokens ?? ['USDC']), token])].map((value) => ({ value, label: value }))}
              value={token}
              onChange={(next) => edit(() => setToken(next))}
            />
          </div>
          <Field
            id={`${id}-amount`}
            label={tradeText.amount}
            end={available === null ? tradeText.placeUnknown(from) : `${from} ${formatDecimal(available, { decimals: 2 })} ${token}`}
            error={issue}
          >
            <Input
              id={`${id}-amount`}
              value={amount}
              onChange={(typed) => edit(() => setAmount(typed))}
              large
              inputMode="decimal"
              placeholder="0.00"
              invalid={issue !== undefined}
              autoFocus
              unit={
                <>
                  {token}
                  <Button size="xs" disabled={available === null} onClick={() => available !== null && edit(() => setAmount(available))}>
                    {tradeText.max}
                  </Button>
                </>
              }
            />
          </Field>
          <CollateralWay
            direction={direction}
            token={token}
            offered={facts.permitOffered}
            permit={permit}
            walletEth={collateral?.walletEth}
            contractWallet={collateral?.contractWallet === true}
            onPermit={(wanted) => edit(() => setWantsPermit(wanted))}
          />
          <CollateralFigures balance={balance} direction={direction} typed={isBlank(amount) || issue !== undefined ? '' : amount} />
          <MoreFields of={tradeText.theCollateral} fields={collateral?.unknownFields ?? null} />
          {wallet === null ? (
            <Note
              tone="accent"
              icon="phone"
              title={tradeText.connectYourWallet}
              end={
                <Button size="xs" onClick={() => navigate('connect')}>
                  {tradeText.connect}
                </Button>
              }
            >
              {tradeText.collateralNeedsSignature}
            </Note>
          ) : unread !== null && order.outcome === null ? (
            <FailureNote failure={unread} />
          ) : (
            <TicketOutcome order={order} market={null} mark={null} />
          )}
        </form>
        <SheetFoot verdict={<p className={cx(signingStyles.signingVerdict, textStyles.muted)}>{tradeText.nothingIsSentYet}</p>}>
          <Button variant="ghost" kbd={[tradeText.esc]} onClick={onClose}>
            {tradeText.close}
          </Button>
          <Button type="submit" form={`${id}-form`} variant="primary" busy={order.preparing} disabled={wallet === null}>
            {review}
          </Button>
        </SheetFoot>
      </Sheet>
    </ShownAmounts>
  )
}

interface FiguresProps {
  readonly balance: CollateralBalance | undefined
  readonly direction: Direction
  readonly typed: string
}

function CollateralFigures({ balance, direction, typed }: FiguresProps) {
  return (
    <Rows className={styles.collateralFigures}>
      {collateralFigures(balance, direction, typed).map(({ label, before, after }) => (
        <Row key={label} name={label}>
          {after === null ? null : (
            <>
              <span className={textStyles.muted}>
                <Amount value={before} decimals={2} />
              </span>
              <span className={textStyles.muted} aria-hidden="true">
                →
              </span>
              <span className={textStyles.screenReaderOnly}>{tradeText.becomes}</span>
            </>
          )}
          {after === null ? <Amount value={before} decimals={2} /> : <b>{formatDecimal(after, { decimals: 2 })}</b>}
        </Row>
      ))}
    </Rows>
  )
}

interface WayProps {
  readonly direction: Direction
  readonly token: TokenSymbol
  readonly offered: boolean
  readonly permit: boolean
  readonly walletEth: string | null | undefined
  /** True if the wallet is a contract. Its permits work only with tokens that verify contract signatures. */
  readonly contractWallet: boolean
  readonly onPermit: (wanted: boolean) => void
}

/** How the transfer is executed, what the phone will ask, and whether that needs ETH (Flow rules 3 and 4). */
function CollateralWay({ direction, token, offered, permit, walletEth, contractWallet, onPermit }: WayProps) {
  const choosable = direction === 'deposit' && token === 'USDC' && offered
  const poor = walletEth != null && isZero(walletEth)
  return (
    <div className={styles.collateralWay}>
      {choosable ? (
        <Segments
          label={tradeText.signWith}
          block
          choices={[
            { value: 'permit', label: tradeText.oneSignature },
            { value: 'transactions', label: tradeText.transactions },
          ]}
          value={permit ? 'permit' : 'transactions'}
          onChange={(way) => onPermit(way === 'permit')}
        />
      ) : null}
      {choosable && contractWallet ? (
        <p className={permit ? textStyles.warn : undefined}>
          <Icon name={permit ? 'warn' : 'shield'} size={14} />
          {permit ? tradeText.contractWalletPermit : tradeText.contractWalletTransactions}
        </p>
      ) : null}
      {permit ? (
        <p>
          <Icon name="pen" size={14} />
          {tradeText.permitDepositHelp}
        </p>
      ) : (
        <p className={poor ? textStyles.warn : undefined}>
          <Icon name={poor ? 'warn' : 'send'} size={14} />
          <span>
            {direction === 'deposit' ? tradeText.approvalDepositHelp : tradeText.withdrawalHelp} {walletEthText(walletEth)}
          </span>
        </p>
      )}
    </div>
  )
}
