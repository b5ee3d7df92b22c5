import { useCallback, useEffect, useId, useRef, useState } from 'react'
import type { AgentDraft, ExecutorChange } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { visibleText } from '../../../../shared/signing/wording.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { AddressText } from '../../../parts/line-value.tsx'
import { useNaming } from '../../../parts/name-offer.tsx'
import { contractChecks } from '../../../signing/parts/phone-checks.ts'
import { noComparison } from '../../../signing/parts/signing-message.ts'
import { useSigning } from '../../../signing/sheet/use-signing.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'
import { GrantWords } from './grant-panel.tsx'
import { agentGrant, GrantSheet, grantMessage } from './grant-sheet.tsx'

const messageOf = (draft: AgentDraft) =>
  grantMessage({
    title: keysText.letAgentTrade(draft.label),
    summary: keysText.grantFor(draft.label),
    comparison: draft.comparison ?? { ...noComparison, compares: 'grant', blocked: { code: 'no_grant' } },
    contracts: contractChecks({ router: draft.router }),
    preparedAtMs: draft.openedAtMs,
    deadlineMs: draft.expiresAtMs,
  })

/** Adds a trading agent to an existing key: the service creates or finds the agent, and one wallet signature authorises it. */
export function AgentSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const toast = useToast()
  const kept = useIpcQuery('agents.draft', { keyId: entry.id })
  const open = useIpcCommand('agents.open')
  const again = useIpcCommand('agents.store')
  const leave = useIpcCommand('agents.leave')
  const done = useCallback(() => {
    toast({ tone: 'ok', title: keysText.grantStored, text: keysText.agentMayTrade(entry.label), action: null })
    onClose()
  }, [entry.label, onClose, toast])
  const grant = useSigning(agentGrant, done)
  const draft = open.data ?? kept.data ?? null
  const sendAgain = () => again.mutate({ keyId: entry.id, signature: '' }, { onSuccess: done })
  const naming = useNaming(sendAgain)
  const { mutate } = open
  const asked = useRef(false)
  useEffect(() => {
    // Request the grant only once. If the user closed an earlier sheet before the grant was finished, continue with that grant instead.
    if (asked.current || kept.isPending || kept.data != null) return
    asked.current = true
    mutate({ keyId: entry.id })
  }, [entry.id, kept.data, kept.isPending, mutate])
  if (grant.open !== null) {
    return <GrantSheet grant={grant} message={messageOf} after={keysText.grantCheckedAndStored} onPrepareAgain={() => mutate({ keyId: entry.id })} />
  }
  const failure = open.error ?? again.error ?? leave.error
  return (
    <Sheet title={keysText.tradingAgentFor(entry.label)} lead={keysText.tradingAgentLead} icon="bot" onClose={onClose} className={overlayStyles.narrow}>
      <div className={overlayStyles.sheetBody}>
        {draft === null ? (
          open.error === null ? (
            <p className={textStyles.muted} role="status">
              {keysText.askingForGrant}
            </p>
          ) : null
        ) : draft.state === 'nothing_to_sign' ? (
          <Note tone="ok" title={keysText.nothingLeftToSign}>
            {keysText.grantStoredAtService}
          </Note>
        ) : draft.grant === null ? null : (
          <>
            {draft.renews ? (
              <Note tone="neutral">
                {draft.agent === null ? keysText.renewsGrantOfKey : <AddressText text={keysText.renewsGrantOfAgent(draft.agent)} picture={false} />}
              </Note>
            ) : null}
            <GrantWords grant={draft.grant} people={draft.agent === null ? [] : [draft.agent]} />
          </>
        )}
        {draft?.state === 'unknown' ? (
          <Note tone="warn" title={keysText.responseLost}>
            {keysText.grantMayBeStored}
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
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {draft?.state === 'nothing_to_sign' ? keysText.close : keysText.notNow}
        </Button>
        {draft === null || draft.state === 'nothing_to_sign' ? null : draft.state === 'unknown' || draft.state === 'signed' ? (
          <Button variant="primary" icon="send" busy={again.isPending} onClick={sendAgain}>
            {keysText.sendSignatureAgain}
          </Button>
        ) : (
          <Button variant="primary" icon="pen" onClick={() => grant.start(draft)}>
            {draft.comparison?.verdict === 'block' ? keysText.seeWhyRefused : keysText.reviewAndSign}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

function changeText({ kind, before, after }: ExecutorChange): string {
  const replaced = kind === 'different' ? [keysText.replacesExecutor(visibleText(before ?? ''))] : kind === 'same' ? [keysText.executorAlreadyBound] : []
  return [keysText.executorMayAct(after), ...replaced, keysText.delegatedActionLimits].join(' ')
}

/**
 * Binds a key to the one executor that may submit its delegated orders. The user must type the key's name, because binding gives the executor power
 * to trade.
 */
export function ExecutorSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const toast = useToast()
  const bind = useIpcCommand('agents.bindExecutor')
  const [executor, setExecutor] = useState('')
  const [typed, setTyped] = useState('')
  const wanted = executor.trim()
  const change = useIpcQuery('agents.checkExecutor', { keyId: entry.id, executor: wanted }, { enabled: wanted !== '', keepPrevious: true })
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
          toast({ tone: 'ok', title: keysText.executorBound, text: keysText.executorExecutesFor(entry.label, plan.after), action: null })
          onClose()
        },
      },
    )
  }
  const naming = useNaming(save)
  return (
    <Sheet
      title={entry.executor === null ? keysText.bindToExecutor(entry.label) : keysText.changeExecutorOf(entry.label)}
      lead={keysText.executorLead}
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
        <Field id={`${id}-executor`} label={keysText.executor} help={keysText.executorHelp} error={wrong ?? undefined}>
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
          <div className={cx(styles.executorPlan, textStyles.answer)} aria-busy={change.isPlaceholderData}>
            <Rows ruled>
              <Row name={keysText.currentExecutor}>
                {plan.before === null ? <span className={textStyles.muted}>{keysText.none}</span> : <code>{plan.before}</code>}
              </Row>
              <Row name={keysText.newExecutor}>
                <code>{plan.after}</code>
              </Row>
            </Rows>
            <Note tone={plan.kind === 'different' ? 'warn' : 'neutral'} live>
              {changeText(plan)}
            </Note>
          </div>
        )}
        <Field id={`${id}-name`} label={keysText.typeToConfirm(<code className={controlsStyles.typed}>{entry.label}</code>)}>
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
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" icon="chip" disabled={!ready} busy={bind.isPending} onClick={save}>
          {keysText.bindExecutor}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
