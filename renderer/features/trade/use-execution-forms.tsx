import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { DryRun } from '../../../shared/ipc/intents/execution.ts'
import type { DelegatedItem, DelegatedTicket, OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { formIssueText } from '../../../shared/text/form-text.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { checkDelegated, delegate } from '../../../shared/ticket/delegated/check-delegated.ts'
import { scopesOfDelegated } from '../../../shared/ticket/delegated/delegated-payload.ts'
import { useIpcCall, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { type Batch, useBatch } from '../../parts/drafts/ticket-drafts.tsx'
import { tradeText } from '../../text/en/trade.en.tsx'
import styles from './batch/batch.module.css'
import { BatchAdd, BatchItems, Pick } from './batch/batch-add.tsx'
import { type BatchFacts, ticketAt, ticketOfItems } from './batch/batch-form.ts'
import { ExecutionFailure, type ExecutionFlow, ExecutionSheet, useExecution } from './execution-sheet.tsx'
import { anyTicket, methodsEveryMs, SignWithMenu, useSignWith } from './ticket/sign-with.tsx'
import type { OrderFlow } from './use-order-flow.ts'

interface ExecutionFormsInput {
  /** The id of the market shown; `null` if none. */
  readonly pairId: number | null
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly positions: readonly Position[]
  readonly orders: readonly OpenOrder[]
}

export interface ExecutionForms {
  /** True if an executor carries out the orders, so that the wallet signs nothing. */
  readonly byExecutor: boolean
  /** Wraps the order flow `order`: if an executor is chosen, a review goes to the executor instead of the wallet. Nothing else changes. */
  readonly over: (order: OrderFlow, onTaken?: () => void) => OrderFlow
  /** Draws the lower part of the ticket: who carries out the order, and the batch. */
  readonly foot: (ticket: OrderTicket | null) => ReactNode
  readonly sheets: ReactNode
}

/** Converts an order to a delegated action, whose name includes the order type, for example `open_market`. */
function itemOf(ticket: OrderTicket): DelegatedItem | null {
  if (!isOpening(ticket)) {
    const delegated = delegate(ticket)
    return delegated.ok && delegated.value.action !== 'batch' ? delegated.value : null
  }
  switch (ticket.orderType) {
    case 'market':
      return { action: 'open_market', order: ticket }
    case 'limit':
      return { action: 'create_limit', order: ticket }
    case 'stop':
      return { action: 'create_stop', order: ticket }
  }
}

/** Everything on the trading page that goes through a key's executor. */
export function useExecutionForms({ pairId, markets, summaries, positions, orders }: ExecutionFormsInput): ExecutionForms {
  const wallet = useIpcQuery('wallet.shown', {}).data?.address ?? null
  const batch = useBatch(wallet)
  const toast = useToast()
  const signWith = useSignWith()
  const execution = useExecution()
  const [composing, setComposing] = useState(false)
  const { executor } = signWith
  const marketNow = (id: number) => {
    const market = markets.find((one) => one.id === id)
    return market === undefined ? null : { market, mark: summaries.find((one) => one.id === id)?.mark ?? null }
  }
  return {
    byExecutor: executor !== null,
    over: (order, onTaken = () => {}) => ({
      ...order,
      signWith: <SignWithMenu signWith={signWith} />,
      review: async (ticket) => {
        if (executor === null) return order.review(ticket)
        const delegated = delegate(ticket)
        if (!delegated.ok) {
          toast({ tone: 'info', title: tradeText.walletSignsThisOne, text: formIssueText(delegated.failure), action: null })
          return order.review(ticket)
        }
        order.clearOutcome()
        execution.open({ ticket: delegated.value, keyId: executor.keyId, keyLabel: executor.label, executor: executor.executor, onTaken })
      },
    }),
    foot: (ticket) => {
      const item = ticket === null ? null : itemOf(ticket)
      return (
        <div className={styles.wayRow}>
          <SignWithMenu signWith={signWith} />
          <Menu
            label={tradeText.batch}
            align="end"
            entries={[
              {
                label: tradeText.addToBatch,
                icon: 'plus',
                disabled: item === null || batch.items.length >= most,
                onSelect: () => item !== null && batch.add(item),
              },
              { label: tradeText.openBatch, icon: 'inbox', onSelect: () => setComposing(true) },
            ]}
            trigger={(props) => (
              <Button size="xs" disabled={wallet === null} {...props}>
                {batch.items.length === 0 ? tradeText.batch : tradeText.batchOf(batch.items.length)}
                <Icon name="chevron-down" size={14} />
              </Button>
            )}
          />
        </div>
      )
    },
    sheets: (
      <>
        {composing && pairId !== null ? (
          <BatchSheet
            batch={batch}
            pairId={pairId}
            markets={markets}
            facts={{ positions, orders, marketNow }}
            execution={execution}
            onClose={() => setComposing(false)}
          />
        ) : null}
        <ExecutionSheet execution={execution} markets={markets} markOf={(id) => marketNow(id)?.mark ?? null} />
      </>
    ),
  }
}

interface BatchSheetProps {
  readonly batch: Batch
  readonly pairId: number
  readonly markets: readonly Market[]
  readonly facts: BatchFacts
  readonly execution: ExecutionFlow
  readonly onClose: () => void
}

/** The maximum number of actions in a batch. */
const most = 32

/** The sheet for a batch of 1 to 32 actions. The user orders them, tests them with a dry run, and continues to the confirmation. */
function BatchSheet({ batch, pairId, markets, facts, execution, onClose }: BatchSheetProps) {
  const call = useIpcCall()
  const keys = useIpcQuery('intents.methods', { ticket: anyTicket }, { every: methodsEveryMs }).data?.executors ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [dryRun, setDryRun] = useState<{ readonly of: string; readonly run: DryRun } | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [trying, setTrying] = useState(false)
  const key = keys.find(({ keyId }) => keyId === chosen) ?? keys.find(({ executor }) => executor !== null) ?? keys[0]
  const composed = ticketOfItems(batch.items.map(({ item }) => item))
  const markOf = (id: number) => facts.marketNow(id)?.mark ?? null
  const ticket: DelegatedTicket | null = composed === null ? null : ticketAt(composed, markOf)
  const issues = ticket === null ? [] : checkDelegated(ticket, facts.marketNow)
  /** The batch's actions in order. The result of a dry run is valid only for exactly this list. */
  const made = JSON.stringify(batch.items.map(({ id }) => id))
  const run = dryRun?.of === made ? dryRun.run : null
  const tryOut = async () => {
    if (ticket === null) return
    setTrying(true)
    setFailure(null)
    const answer = await call('intents.dryRun', { ticket, keyId: key?.keyId ?? null })
    setTrying(false)
    if (answer.ok) setDryRun({ of: made, run: answer.value })
    else setFailure(answer.failure)
  }
  return (
    <Sheet title={tradeText.executorBatch} lead={tradeText.executorBatchLead} icon="chip" onClose={onClose} className={styles.batch}>
      <div className={styles.batchBody}>
        <section className={styles.batchList} aria-label={tradeText.batch}>
          <BatchItems batch={batch} markets={markets} issues={issues} dryRun={run} />
          {run === null ? null : run.submittedCommandId !== null ? (
            <Note tone="danger" live title={tradeText.commandNamed}>
              {tradeText.commandNamedHelp(run.submittedCommandId)}
            </Note>
          ) : run.valid ? (
            <Note tone="ok" live title={tradeText.dryRunPassed}>
              {tradeText.dryRunPassedHelp(batch.items.length)}
            </Note>
          ) : run.failure === null ? null : (
            <ExecutionFailure failure={run.failure} onAgain={() => void tryOut()} />
          )}
          {failure === null ? null : <ExecutionFailure failure={failure} onAgain={() => void tryOut()} />}
        </section>
        <BatchAdd pairId={pairId} markets={markets} facts={facts} room={most - batch.items.length} onAdd={batch.add} />
      </div>
      <SheetFoot
        verdict={
          <Pick
            label={tradeText.executorOfKey}
            value={key?.keyId ?? null}
            none={tradeText.noKeysHere}
            choices={keys.map(({ keyId, label, executor }) => ({
              value: keyId,
              label: executor === null ? tradeText.noExecutor(label) : `${label}, ${executor}`,
            }))}
            onChange={setChosen}
          />
        }
      >
        {ticket === null ? null : <span className={cx(textStyles.muted, styles.batchScopes)}>{tradeText.needsScopes(scopesOfDelegated(ticket))}</span>}
        <Button icon="flask" busy={trying} disabled={ticket === null || issues.length > 0} onClick={() => void tryOut()}>
          {tradeText.dryRun}
        </Button>
        <Button
          variant="primary"
          icon="send"
          disabled={ticket === null || issues.length > 0}
          onClick={() => {
            if (ticket === null) return
            onClose()
            execution.open({ ticket, keyId: key?.keyId ?? null, keyLabel: key?.label ?? null, executor: key?.executor ?? null, onTaken: batch.clear })
          }}
        >
          {tradeText.reviewAndExecute}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
