import { useCallback, useState } from 'react'
import type { KeySummary } from '../../../shared/ipc/keys.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link, useNavigate } from '../../ui/navigation.tsx'
import { Note } from '../../ui/note.tsx'
import { GrantPanel, GrantPreview } from './grant-panel.tsx'
import { GrantSheet } from './grant-sheet.tsx'
import { LostGrant } from './lost-grant.tsx'
import { initialNewKey, type NewKeyState, readNewKey, stateOf } from './new-key-form.ts'
import { PurposeForm } from './purpose-form.tsx'
import { SecretStep } from './secret-step.tsx'
import { useGrantFlow } from './use-grant-flow.ts'

const steps = ['Purpose', 'Authority', 'Sign', 'Secret'] as const

function Steps({ at }: { readonly at: number }) {
  return (
    <ol className="wz" aria-label="Steps">
      {steps.map((name, index) => (
        <li key={name} className={index < at ? 'done' : index === at ? 'now' : undefined} aria-current={index === at ? 'step' : undefined}>
          <span>{index < at ? <Icon name="check" size={12} /> : index + 1}</span>
          {name}
        </li>
      ))}
    </ol>
  )
}

/** One wizard for a bot-ready key: purpose, the grant in words, one signature, the secret in the keychain. */
export function NewKey() {
  const navigate = useNavigate()
  const saved = useDeskQuery('keys.draft', {})
  const list = useDeskQuery('keys.list', {})
  const profiles = useDeskQuery('profiles.list', {})
  const prepare = useDeskCommand('keys.prepare')
  const leave = useDeskCommand('keys.leave')
  const [edited, setEdited] = useState<NewKeyState | null>(null)
  const [pressed, setPressed] = useState(false)
  const [made, setMade] = useState<KeySummary | null>(null)
  const onCreated = useCallback((key: KeySummary) => setMade(key), [])
  const grant = useGrantFlow(onCreated)

  const draft = saved.data ?? null
  const state = draft === null ? (edited ?? initialNewKey) : stateOf(draft.request)
  const keys = list.data?.keys ?? []
  const check = readNewKey(state, draft === null ? keys : [])
  const profile = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)
  const listFailure = list.data === undefined && list.error !== null ? failureOf(list.error) : null
  const mustSignIn = listFailure?.kind === 'sign_in_required'
  const failure = prepare.error === null ? null : failureOf(prepare.error)

  const ask = () => {
    setPressed(true)
    if (check.request !== null && !mustSignIn) prepare.mutate(check.request)
  }
  const change = (after?: () => void) => {
    if (draft === null) {
      after?.()
      return
    }
    setEdited(state)
    leave.mutate({ draftId: draft.id }, { onSuccess: () => after?.() })
  }
  const renew = () => draft !== null && prepare.mutate(draft.request)
  const signed = draft?.state === 'signed' || draft?.state === 'unknown'
  const at = made !== null ? 3 : grant.open !== null || signed ? 2 : draft !== null ? 1 : 0
  const full = list.data !== undefined && list.data.active >= list.data.limit
  const hint = !pressed
    ? null
    : check.wrongEntries > 0
      ? `Correct ${check.wrongEntries} ${check.wrongEntries === 1 ? 'address' : 'addresses'} first.`
      : (check.label ?? check.days)
  return (
    <div className="page nk">
      <div className="page-head">
        <span className="crumb">
          <Link to="keys">Keys</Link>
          <Icon name="chevron-right" />
          <h1>New bot-ready key</h1>
        </span>
        <Steps at={at} />
      </div>
      {made !== null ? (
        <SecretStep made={made} onStored={setMade} />
      ) : (
        <>
          <PurposeForm
            state={state}
            check={check}
            draft={draft}
            pressed={pressed}
            changing={leave.isPending}
            onEdit={(edit) => {
              setEdited({ ...state, ...edit })
              if (failure !== null) prepare.reset()
            }}
            onSubmit={ask}
            onChange={() => change()}
            onLeave={() => change(() => navigate('keys'))}
          />
          {draft === null ? (
            <GrantPreview
              may={['Open, close and invert positions', 'Set and clear TP and SL', 'Cancel and replace orders']}
              busy={prepare.isPending}
              ready={!mustSignIn && !saved.isPending}
              hint={hint}
              onPrepare={ask}
            >
              {mustSignIn ? (
                <Note
                  tone="accent"
                  icon="user"
                  title="Sign in first."
                  end={
                    <Button size="xs" onClick={() => navigate('sign-in')}>
                      Sign in
                    </Button>
                  }
                >
                  Keys are made for a wallet that proved it is yours.
                </Note>
              ) : null}
              {full ? (
                <Note tone="warn" title="Ten keys are active.">
                  The service takes no eleventh. Revoke one first.
                </Note>
              ) : null}
              {failure === null ? null : <FailureNote failure={failure} />}
            </GrantPreview>
          ) : signed ? (
            <LostGrant draft={draft} onCreated={onCreated} />
          ) : (
            <GrantPanel draft={draft} onSign={() => grant.start(draft)} onRenew={renew} renewing={prepare.isPending} />
          )}
        </>
      )}
      <GrantSheet grant={grant} profile={profile} onPrepareAgain={renew} />
    </div>
  )
}
