import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { Comparison } from '../../../../shared/ipc/intents/signing.ts'
import type { AgentDraft, ExecutorChange } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { shortAddress, visibleText } from '../../../../shared/signing/wording.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { contractChecks } from '../../../signing/parts/phone-checks.ts'
import { useSigning } from '../../../signing/sheet/use-signing.ts'
import { agentGrant, GrantSheet, grantMessage } from './grant-sheet.tsx'
import { GrantWords } from './grant-words.tsx'

const nothingCompared: Comparison = {
  title: '',
  primaryType: '',
  lines: [],
  matched: 0,
  total: 0,
  verdict: 'block',
  asks: null,
  sentence: 'The service shows no grant that could be read.',
  layoutHash: '',
  layoutKnown: false,
  unmatched: [],
  digest: '',
  raw: '',
}

const messageOf = (draft: AgentDraft) =>
  grantMessage({
    title: `Let an agent trade for you with ${draft.label}`,
    summary: `Grant for ${draft.label}`,
    comparison: draft.comparison ?? nothingCompared,
    contracts: contractChecks({ router: draft.router }),
    preparedAtMs: draft.openedAtMs,
    deadlineMs: draft.expiresAtMs,
  })

/** The trading agent of a key that exists: made or found by the service, granted by one signature. */
export function AgentSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const kept = useDeskQuery('agents.draft', { keyId: entry.id })
  const open = useDeskCommand('agents.open')
  const again = useDeskCommand('agents.store')
  const leave = useDeskCommand('agents.leave')
  const done = useCallback(() => {
    toast({ tone: 'ok', title: 'The grant is stored', text: `The agent of ${entry.label} may trade for your wallet.`, action: null })
    onClose()
  }, [entry.label, onClose, toast])
  const grant = useSigning(agentGrant, done)
  const draft = open.data ?? kept.data ?? null
  const sendAgain = () => again.mutate({ keyId: entry.id, signature: '' }, { onSuccess: done })
  const naming = useNaming(sendAgain)
  const { mutate } = open
  const asked = useRef(false)
  useEffect(() => {
    // Asked for once: what was opened before and is not over is taken up again instead.
    if (asked.current || kept.isPending || kept.data != null) return
    asked.current = true
    mutate({ keyId: entry.id })
  }, [entry.id, kept.data, kept.isPending, mutate])
  if (grant.open !== null) {
    return <GrantSheet grant={grant} message={messageOf} after="Grant checked, stored by the service" onPrepareAgain={() => mutate({ keyId: entry.id })} />
  }
  const failure = open.error ?? again.error ?? leave.error
  return (
    <Sheet
      title={`A trading agent for ${entry.label}`}
      lead="It trades for your wallet, without your wallet, under one grant."
      icon="bot"
      onClose={onClose}
      className={overlayStyles.narrow}
    >
      <div className={overlayStyles.sheetBody}>
        {draft === null ? (
          open.error === null ? (
            <p className={textStyles.muted} role="status">
              Asking the service for the agent and its grant.
            </p>
          ) : null
        ) : draft.state === 'nothing_to_sign' ? (
          <Note tone="ok" title="Nothing is left to sign.">
            The service says that the grant of this agent is stored.
          </Note>
        ) : draft.grant === null ? null : (
          <>
            {draft.renews ? (
              <Note tone="neutral">It renews the grant of the agent {draft.agent === null ? 'of this key' : shortAddress(draft.agent)}.</Note>
            ) : null}
            <GrantWords grant={draft.grant} people={draft.agent === null ? [] : [draft.agent]} />
          </>
        )}
        {draft?.state === 'unknown' ? (
          <Note tone="warn" title="The answer was lost.">
            The grant may be stored already. The very same signature can be sent again until its time is over.
          </Note>
        ) : null}
        {failure === null ? null : (
          <FailureNote
            failure={failureOf(failure)}
            naming={naming}
            {...(draft === null ? { onRetry: () => mutate({ keyId: entry.id }), retrying: open.isPending } : {})}
          />
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={['Esc']}>
          {draft?.state === 'nothing_to_sign' ? 'Close' : 'Not now'}
        </Button>
        {draft === null || draft.state === 'nothing_to_sign' ? null : draft.state === 'unknown' || draft.state === 'signed' ? (
          <Button variant="primary" icon="send" busy={again.isPending} onClick={sendAgain}>
            Send the signature again
          </Button>
        ) : (
          <Button variant="primary" icon="pen" onClick={() => grant.start(draft)}>
            {draft.comparison?.verdict === 'block' ? 'See why it is refused' : 'Review and sign'}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

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
