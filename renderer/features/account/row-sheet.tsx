import { type ReactNode, useState } from 'react'
import { formatCount } from '../../../shared/decimal.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import { knownReason } from '../../../shared/text/reason-text.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Field, Input } from '../../kit/input.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount } from '../../kit/number.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { ScrollPart, Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { exactTime } from '../../kit/time/time.tsx'
import { serviceWord, VisibleText } from '../../kit/visible-text.tsx'
import { wantsKey } from '../../parts/account-source.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import partsStyles from '../../parts/parts.module.css'
import { accountText } from '../../text/en/account.en.tsx'
import { kitText } from '../../text/en/kit.en.tsx'
import styles from './account.module.css'

const ends: ReadonlySet<string> = new Set(['FINAL', 'REVERTED'])
const words: Readonly<Record<string, string>> = {
  PENDING: accountText.notInBlock,
  PENDING_FINALITY: accountText.fewConfirmations,
  REVERTED: accountText.reverted,
  FINAL: accountText.final,
}

function Finality({ txHash, tradeId }: { readonly txHash: string; readonly tradeId: string | null }) {
  const asked = { txHash, ...(tradeId === null ? {} : { tradeId }) }
  const known = useIpcQuery('account.finality', asked)
  const ended = ends.has(known.data?.finality ?? '')
  useIpcQuery('account.finality', asked, { every: ended || known.error !== null ? false : 3 * second })
  if (known.data === undefined)
    return known.error === null ? <Skeleton width={160} /> : <FailureNote failure={failureOf(known.error)} onRetry={() => void known.refetch()} />
  const { finality, confirmations, blockNumber } = known.data
  return (
    <span className={styles.finality} aria-live="polite">
      <span className={cx(marksStyles.dot, finality === 'FINAL' ? marksStyles.ok : finality === 'REVERTED' ? marksStyles.bad : marksStyles.warn)} />{' '}
      {finality === null ? '—' : (words[finality] ?? finality)}
      <span className={textStyles.muted}>
        {' '}
        {kitText.listed(
          [
            blockNumber === null ? null : accountText.inBlock(formatCount(blockNumber)),
            confirmations === null ? null : accountText.confirmations(formatCount(confirmations), confirmations),
          ].filter((part) => part !== null),
        )}
      </span>
    </span>
  )
}

const Id = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <span className={styles.id}>
    <code>
      <VisibleText text={text.slice(0, 200)} />
    </code>
    <CopyButton text={text} what={what} />
  </span>
)

interface RowSheetProps {
  readonly row: HistoryRow
  readonly title: string
  /** True if the wallet is only watched. The sheet then shows neither the transaction's finality nor a link to the activity page. */
  readonly watched: boolean
  readonly onClose: () => void
}

/** The facts of one history row, and the finality of its transaction. Leaves out the finality for a watch-only wallet. */
export function RowFacts({ row, watched }: Pick<RowSheetProps, 'row' | 'watched'>) {
  const fact = (name: string, value: string | null, show: (value: string) => ReactNode = (text) => <VisibleText text={text.slice(0, 300)} />) =>
    value === null ? null : <Row name={name}>{show(value)}</Row>
  const amount =
    (unit?: string, signed = false) =>
    (value: string) => <Amount value={value} signed={signed} {...(unit === undefined ? {} : { unit })} />
  const price = (value: string) => <Amount isShown value={value} />
  return (
    <>
      <Rows ruled>
        {row.atMs === null ? null : <Row name={accountText.time}>{exactTime(row.atMs)}</Row>}
        {fact(accountText.state, row.state)}
        {fact(accountText.why, row.reason, (raw) => (
          <VisibleText text={knownReason(raw) === null ? raw.slice(0, 300) : `${knownReason(raw)} (${raw})`} />
        ))}
        {fact(accountText.size, row.size, amount())}
        {fact(accountText.filled, row.filledSize, amount())}
        {fact(accountText.entryPrice, row.entryPrice, price)}
        {fact(accountText.price, row.price, price)}
        {fact(accountText.value, row.valueUsdc, amount('USDC'))}
        {fact(accountText.fee, row.feeUsdc, amount('USDC'))}
        {fact(accountText.realised, row.realisedPnlUsdc, amount('USDC', true))}
        {fact(accountText.funding, row.fundingUsdc, amount('USDC', true))}
        {fact(accountText.role, row.role)}
        {fact(accountText.requestedByKey, row.keyLabel)}
        {fact(accountText.trade, row.tradeId, (text) => (
          <Id text={text} what={accountText.tradeIdNoun} />
        ))}
        {fact(accountText.order, row.orderId, (text) => (
          <Id text={text} what={accountText.orderIdNoun} />
        ))}
        {fact(accountText.position, row.positionId, (text) => (
          <Id text={text} what={accountText.positionIdNoun} />
        ))}
        {fact(accountText.clientOrderId, row.clientOrderId, (text) => (
          <Id text={text} what={accountText.clientOrderIdNoun} />
        ))}
        {fact(accountText.intentId, row.intentId, (text) => (
          <Id text={text} what={accountText.intentIdNoun} />
        ))}
        {fact(accountText.transaction, row.txHash, (text) => (
          <Id text={text} what={accountText.transactionHashNoun} />
        ))}
        {row.txHash === null || !/^0x[0-9a-fA-F]{64}$/.test(row.txHash) || watched ? null : (
          <Row name={accountText.finality}>
            <Finality txHash={row.txHash} tradeId={row.tradeId} />
          </Row>
        )}
      </Rows>
      <MoreFields of={accountText.thisRow} fields={row.unknownFields} />
    </>
  )
}

/** Describes a history row in a few words: its market, side and event. */
export const rowLead = ({ symbol, side, what }: HistoryRow): string =>
  [symbol, side, what === null ? null : serviceWord(what)]
    .filter((part) => part !== null && part !== undefined)
    .join(', ')
    .slice(0, 120)

/** All facts of one row, with a link to its intent in the activity page. */
export function RowSheet({ row, title, watched, onClose }: RowSheetProps) {
  const navigate = useNavigate()
  return (
    <Sheet title={title} lead={<VisibleText text={rowLead(row)} />} icon="doc" onClose={onClose} closeOnScrim className={styles.rowSheet}>
      <ScrollPart className={overlayStyles.sheetBody}>
        <RowFacts row={row} watched={watched} />
      </ScrollPart>
      <SheetFoot verdict={watched ? accountText.watchOnlyHelp : row.intentRef === null ? accountText.notFromThisApp : undefined}>
        <Button onClick={onClose}>{accountText.close}</Button>
        {row.intentRef === null ? null : (
          <Button variant="primary" icon="activity" onClick={() => navigate(`activity/${row.intentRef}`)}>
            {accountText.openInActivity}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

/** Maximum length of a client order id (`open_position` payload). */
const longest = 96

/** Looks up an order by its client order id, and polls the order while the sheet is open. */
export function FindOrderSheet({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const read = useIpcQuery('account.findOrder', { clientOrderId: asked ?? '' }, { enabled: asked !== null, every: 5 * second })
  const failure = asked === null || read.error === null ? null : failureOf(read.error)
  const found = asked === null ? undefined : read.data?.found
  const wanted = typed.trim()
  return (
    <Sheet title={accountText.findByClientOrderId} lead={accountText.findOrderLead} icon="search" onClose={onClose} className={styles.rowSheet}>
      <div className={overlayStyles.sheetBody}>
        <form
          className={styles.findOrderAsk}
          onSubmit={(event) => {
            event.preventDefault()
            if (wanted === '') return
            if (wanted === asked) void read.refetch()
            else setAsked(wanted)
          }}
        >
          <Field id="find-order" label={accountText.clientOrderId}>
            <Input id="find-order" mono icon="search" value={typed} onChange={setTyped} maxLength={longest} autoFocus />
          </Field>
          <Button type="submit" variant="primary" busy={read.isFetching && found === undefined} disabled={wanted === ''}>
            {accountText.find}
          </Button>
        </form>
        <div aria-live="polite">
          {failure !== null ? (
            <FailureNote
              failure={failure}
              onRetry={() => void read.refetch()}
              retrying={read.isFetching}
              actions={
                wantsKey(failure) ? (
                  <Button size="xs" icon="plus" onClick={() => navigate('keys/new')}>
                    {accountText.newKey}
                  </Button>
                ) : undefined
              }
            />
          ) : asked === null ? null : found === undefined ? (
            <Loading label={accountText.askingExchange}>
              <div className={partsStyles.readWait} />
            </Loading>
          ) : found === null ? (
            <Empty icon="search" title={accountText.orderNotFound} level={3}>
              {accountText.orderNotFoundHelp(<VisibleText text={asked} />)}
            </Empty>
          ) : (
            <section aria-label={accountText.orderFound}>
              <h3>
                <VisibleText text={rowLead(found)} />
              </h3>
              <RowFacts row={found} watched={false} />
            </section>
          )}
        </div>
      </div>
      <SheetFoot verdict={found === undefined || found === null || found.intentRef !== null ? undefined : accountText.notFromThisApp}>
        <Button onClick={onClose}>{accountText.close}</Button>
        {found === undefined || found === null || found.intentRef === null ? null : (
          <Button variant="primary" icon="activity" onClick={() => navigate(`activity/${found.intentRef}`)}>
            {accountText.openInActivity}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}
