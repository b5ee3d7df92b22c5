import { useId, useState } from 'react'
import type { ExecutorChange } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { visibleText } from '../../../../shared/signing/visible-text.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Field } from '../../../kit/field.tsx'
import { Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/use-naming.ts'

function changeText({ kind, before, after }: ExecutorChange): string {
  const replaced =
    kind === 'different'
      ? ` It takes the place of ${visibleText(before ?? '')}, which can no longer act for this key.`
      : kind === 'same'
        ? ' It is bound already; nothing changes.'
        : ''
  return `${after} may then carry out what this key sends to /orders/execute: orders of your wallet, without asking your wallet again.${replaced} None of the delegated actions withdraws collateral; what an order may cost is not limited by the key.`
}

/** Binds a key to the one executor that may submit its delegated orders. The key's name is typed, since it gives authority. */
export function ExecutorSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const toast = useToast()
  const bind = useDeskCommand('agents.bindExecutor')
  const [executor, setExecutor] = useState('')
  const [typed, setTyped] = useState('')
  const wanted = executor.trim()
  const change = useDeskQuery('agents.checkExecutor', { keyId: entry.id, executor: wanted }, { enabled: wanted !== '', keepPrevious: true })
  const failure = change.error === null ? null : failureOf(change.error)
  const wrong = failure?.kind === 'bad_input' ? inputIssueText(failure.issue) : null
  const plan = wanted === '' || change.error !== null ? undefined : change.data
  const ready = plan !== undefined && plan.kind !== 'same' && typed === entry.label && !change.isPlaceholderData
  const save = () => {
    if (!ready) return
    bind.mutate(
      { keyId: entry.id, executor: plan.after, before: plan.before, confirmLabel: typed },
      {
        onSuccess: () => {
          toast({ tone: 'ok', title: 'Executor bound', text: `${entry.label} is executed by ${plan.after}.`, action: null })
          onClose()
        },
      },
    )
  }
  const naming = useNaming(save)
  return (
    <Sheet
      title={entry.executor === null ? `Bind ${entry.label} to an executor` : `Change the executor of ${entry.label}`}
      lead="It submits what the key orders, without your wallet. A key has one."
      icon="chip"
      onClose={onClose}
      className={overlayStyles.narrow}
    >
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field id={`${id}-executor`} label="Executor" help="Its id or address, as your provider of execution names it." error={wrong ?? undefined}>
          <Input
            id={`${id}-executor`}
            value={executor}
            onChange={setExecutor}
            mono
            placeholder="exec-fra-2"
            maxLength={256}
            invalid={wrong !== null}
            autoFocus
          />
        </Field>
        {plan === undefined ? null : (
          <>
            <Rows ruled>
              <Row name="Bound now">{plan.before === null ? <span className={textStyles.muted}>None</span> : <code>{plan.before}</code>}</Row>
              <Row name="Bound then">
                <code>{plan.after}</code>
              </Row>
            </Rows>
            <Note tone={plan.kind === 'different' ? 'warn' : 'neutral'} live>
              {changeText(plan)}
            </Note>
          </>
        )}
        <Field
          id={`${id}-name`}
          label={
            <>
              Type <code className={controlsStyles.typed}>{entry.label}</code> to confirm
            </>
          }
        >
          <Input id={`${id}-name`} value={typed} onChange={setTyped} />
        </Field>
        {bind.error !== null ? (
          <FailureNote failure={failureOf(bind.error)} naming={naming} />
        ) : failure === null || wrong !== null ? null : (
          <FailureNote failure={failure} />
        )}
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={['Esc']}>
          Cancel
        </Button>
        <Button variant="primary" icon="chip" disabled={!ready} busy={bind.isPending} onClick={save}>
          Bind executor
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
