import { useCallback, useEffect, useRef } from 'react'
import type { Comparison } from '../../../../shared/ipc/intents/signing.ts'
import type { AgentDraft } from '../../../../shared/ipc/keys/agents.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { shortAddress } from '../../../../shared/signing/wording.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { useNaming } from '../../../parts/use-naming.ts'
import { contractChecks } from '../../../signing/parts/contract-checks.ts'
import { GrantSheet, grantMessage } from './grant-sheet.tsx'
import { GrantWords } from './grant-words.tsx'
import { agentGrant, useGrantFlow } from './use-grant-flow.ts'

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
  const profiles = useDeskQuery('profiles.list', {})
  const kept = useDeskQuery('agents.draft', { keyId: entry.id })
  const open = useDeskCommand('agents.open')
  const again = useDeskCommand('agents.store')
  const leave = useDeskCommand('agents.leave')
  const done = useCallback(() => {
    toast({ tone: 'ok', title: 'The grant is stored', text: `The agent of ${entry.label} may trade for your wallet.`, action: null })
    onClose()
  }, [entry.label, onClose, toast])
  const grant = useGrantFlow(agentGrant, done)
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
  const profile = profiles.data?.profiles.find(({ id }) => id === profiles.data.activeId)
  if (grant.open !== null) {
    return (
      <GrantSheet
        grant={grant}
        message={messageOf}
        after="Grant checked, stored by the service"
        profile={profile}
        onPrepareAgain={() => mutate({ keyId: entry.id })}
      />
    )
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
