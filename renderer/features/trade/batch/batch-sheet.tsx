import { useState } from 'react'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { DryRun } from '../../../../shared/ipc/intents/execution.ts'
import type { DelegatedTicket } from '../../../../shared/ipc/intents/tickets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { checkDelegated } from '../../../../shared/ticket/delegated/check-delegated.ts'
import { scopesOfDelegated } from '../../../../shared/ticket/delegated/delegated-payload.ts'
import { useDeskCall, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import type { Batch } from '../../../parts/batch-draft.tsx'
import { ExecutionFailure } from '../execution-failure.tsx'
import { Pick } from '../pick.tsx'
import { anyTicket, waysEveryMs } from '../ticket/way-choice.tsx'
import type { ExecutionFlow } from '../use-execution.ts'
import { BatchAdd } from './batch-add.tsx'
import { type BatchFacts, ticketAt, ticketOfItems } from './batch-form.ts'
import { BatchItems } from './batch-items.tsx'

interface BatchSheetProps {
  readonly batch: Batch
  readonly pairId: number
  readonly markets: readonly Market[]
  readonly facts: BatchFacts
  readonly execution: ExecutionFlow
  readonly onClose: () => void
}

const most = 32
/** Puts 1 to 32 actions in an order, has them tried without submitting, and hands them to the confirmation. */
export function BatchSheet({ batch, pairId, markets, facts, execution, onClose }: BatchSheetProps) {
  const call = useDeskCall()
  const keys = useDeskQuery('execution.ways', { ticket: anyTicket }, { every: waysEveryMs }).data?.executors ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [dryRun, setDryRun] = useState<{ readonly of: string; readonly run: DryRun } | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [trying, setTrying] = useState(false)
  const key = keys.find(({ keyId }) => keyId === chosen) ?? keys.find(({ executor }) => executor !== null) ?? keys[0]
  const composed = ticketOfItems(batch.items.map(({ item }) => item))
  const markOf = (id: number) => facts.marketNow(id)?.mark ?? null
  const ticket: DelegatedTicket | null = composed === null ? null : ticketAt(composed, markOf)
  const issues = ticket === null ? [] : checkDelegated(ticket, facts.marketNow)
  /** A dry run speaks of the list that it was made of. */
  const made = JSON.stringify(batch.items.map(({ id }) => id))
  const run = dryRun?.of === made ? dryRun.run : null
  const tryOut = async () => {
    if (ticket === null) return
    setTrying(true)
    setFailure(null)
    const answer = await call('execution.dryRun', { ticket, keyId: key?.keyId ?? null })
    setTrying(false)
    if (answer.ok) setDryRun({ of: made, run: answer.value })
    else setFailure(answer.failure)
  }
  return (
    <Sheet title="Batch for the executor" lead="Carried out in this order, without your wallet." icon="chip" onClose={onClose} className="batch">
      <div className="batch-body">
        <section className="batch-list" aria-label="The batch">
          <BatchItems batch={batch} markets={markets} issues={issues} dryRun={run} />
          {run === null ? null : run.submittedCommandId !== null ? (
            <Note tone="danger" live title="The service named a command.">
              Nothing was to be submitted, but it may have been carried out as {run.submittedCommandId}. Look at your positions.
            </Note>
          ) : run.valid ? (
            <Note tone="ok" live title="It would be taken.">
              The exchange validated {batch.items.length === 1 ? 'the action' : `all ${batch.items.length} actions`}. Nothing was submitted.
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
            label="Executor of"
            value={key?.keyId ?? null}
            none="No key is here"
            choices={keys.map(({ keyId, label, executor }) => ({ value: keyId, label: executor === null ? `${label}, none bound` : `${label}, ${executor}` }))}
            onChange={setChosen}
          />
        }
      >
        {ticket === null ? null : <span className="muted batch-scopes">Takes {scopesOfDelegated(ticket).join(' and ')}</span>}
        <Button icon="flask" busy={trying} disabled={ticket === null || issues.length > 0} onClick={() => void tryOut()}>
          Dry run
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
          Review and execute
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
