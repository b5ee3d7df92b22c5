import { type ReactNode, useId, useState } from 'react'
import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { Time } from '../../../kit/time/time.tsx'
import styles from './replace.module.css'
import { stuckWords } from './replace-track.tsx'
import { currentStep } from './replacement-track.ts'

export type Advance = 'begin' | 'check' | 'without_agent' | 'probe' | 'handed_over' | 'revoke' | 'retry'

export interface StepProps {
  readonly replacement: Replacement
  /** What the list says of the two keys. */
  readonly oldKey: KeySummary
  readonly newKey: KeySummary | null
  /** The prepared grant, where the new key is made by one. */
  readonly draft: KeyDraft | null
  readonly busy: boolean
  readonly onAdvance: (step: Advance, confirmLabel?: string) => void
  /** Opens the signing sheet for the grant that makes the new key. */
  readonly onSign: (draft: KeyDraft) => void
  /** The same signature once more. */
  readonly onSendAgain: (draft: KeyDraft) => void
  /** Opens the grant of the new key's agent. */
  readonly onGrantAgent: () => void
}

const Acts = ({ children }: { readonly children: ReactNode }) => <div className={styles.replaceActions}>{children}</div>

function MakeKey({ replacement, draft, busy, onAdvance, onSign, onSendAgain }: StepProps) {
  const { now, plan, due, notBeforeMs } = replacement
  if (now.state === 'granting') {
    if (draft === null)
      return (
        <>
          <p>The prepared grant is not here any more. Look again; nothing was made without your signature.</p>
          <Acts>
            <Button icon="refresh" busy={busy} onClick={() => onAdvance('check')}>
              Look again
            </Button>
          </Acts>
        </>
      )
    const signed = draft.state === 'signed' || draft.state === 'unknown'
    return (
      <>
        <p>
          {signed
            ? draft.state === 'unknown'
              ? 'You signed, and the answer was lost. The same signature can go again; it makes at most one key.'
              : 'You signed, and it was not sent. The signature is kept encrypted.'
            : 'The service made an agent and its grant. The new key exists only after you sign.'}
        </p>
        <Acts>
          {signed ? (
            <Button variant="primary" icon="send" busy={busy} onClick={() => onSendAgain(draft)}>
              Send it again
            </Button>
          ) : (
            <Button variant="primary" icon="pen" onClick={() => onSign(draft)}>
              {draft.comparison.verdict === 'block' ? 'See why it is refused' : 'Review and sign'}
            </Button>
          )}
        </Acts>
      </>
    )
  }
  return (
    <>
      <p>
        {plan.agent === 'none'
          ? 'Made in one step. Your wallet signs nothing.'
          : plan.agent === 'with_key'
            ? 'Your wallet signs the grant of its agent once. Nothing is made before.'
            : 'Made in one step; then your wallet signs the grant of its agent.'}
        {due || notBeforeMs === null ? null : (
          <>
            {' '}
            It waits for <Time ms={notBeforeMs} form="day" />.
          </>
        )}
      </p>
      <Acts>
        <Button variant="primary" icon="key" busy={busy} onClick={() => onAdvance('begin')}>
          {due || notBeforeMs === null ? 'Make the new key' : 'Begin now'}
        </Button>
      </Acts>
    </>
  )
}

function GrantAgent({ busy, onAdvance, onGrantAgent }: StepProps) {
  return (
    <>
      <p>The new key exists. Its agent may trade only after your wallet has signed the grant.</p>
      <Acts>
        <Button variant="primary" icon="pen" onClick={onGrantAgent}>
          Sign the grant
        </Button>
        <Button icon="refresh" busy={busy} onClick={() => onAdvance('check')}>
          Look again
        </Button>
        <Button variant="ghost" onClick={() => onAdvance('without_agent')}>
          Go on without an agent
        </Button>
      </Acts>
    </>
  )
}

function Probe({ replacement, busy, onAdvance }: StepProps) {
  const { executor } = replacement.plan
  return (
    <>
      <p>{executor === null ? 'One reading call with the new secret.' : `Binds ${executor}, then makes one reading call with the new secret.`}</p>
      <Acts>
        <Button variant="primary" icon="shield-check" busy={busy} onClick={() => onAdvance('probe')}>
          Try the new key
        </Button>
      </Acts>
    </>
  )
}

function LastUsed({ oldKey, newKey }: StepProps) {
  return (
    <Rows ruled className={styles.replaceUsed}>
      <Row name={`${oldKey.label} last used`}>{oldKey.lastUsedAtMs === null ? 'Never' : <Time ms={oldKey.lastUsedAtMs} />}</Row>
      {newKey === null ? null : <Row name={`${newKey.label} last used`}>{newKey.lastUsedAtMs === null ? 'Never' : <Time ms={newKey.lastUsedAtMs} />}</Row>}
    </Rows>
  )
}

function HandOver(props: StepProps) {
  const { replacement, newKey, busy, onAdvance } = props
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useDeskCommand('keys.copySecret')
  const { now } = replacement
  const uncertain = now.state === 'probed' && now.verdict === 'cannot_tell'
  return (
    <>
      <p>
        {uncertain ? 'It could not be tried from here: its allowlist may not name this computer. The bot will tell.' : 'The new key works.'} Give it to the bot,
        start the bot with it, then say so here. Until then both keys work.
      </p>
      <LastUsed {...props} />
      <Acts>
        <Button variant="primary" icon="check" busy={busy} onClick={() => onAdvance('handed_over')}>
          The bot runs with it
        </Button>
        {newKey === null ? null : (
          <>
            <Button
              icon="copy"
              busy={copy.isPending}
              onClick={() =>
                copy.mutate(
                  { keyId: newKey.id },
                  { onSuccess: () => toast({ tone: 'ok', title: 'Secret copied', text: 'The clipboard clears itself in 30 s.', action: null }) },
                )
              }
            >
              Copy its secret
            </Button>
            <Button variant="ghost" onClick={() => navigate(`keys/${newKey.id}`)}>
              Open the new key
            </Button>
          </>
        )}
        {uncertain ? (
          <Button variant="ghost" onClick={() => onAdvance('probe')}>
            Try again
          </Button>
        ) : null}
      </Acts>
    </>
  )
}

function RevokeOld(props: StepProps) {
  const { replacement, oldKey, busy, onAdvance } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const { label } = replacement.oldKey
  const saidMs = replacement.steps.findLast(({ state }) => state === 'handed_over')?.atMs ?? null
  const stillUsed = saidMs !== null && oldKey.lastUsedAtMs !== null && oldKey.lastUsedAtMs > saidMs
  const matches = typed === label
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (matches && !busy) onAdvance('revoke', typed)
      }}
    >
      <p>
        {replacement.now.state === 'revoking'
          ? 'It was asked for, and not answered yet. Asking again is safe.'
          : `${label} and its agent stop for good. Whatever still holds its secret stops too.`}
      </p>
      {stillUsed ? (
        <Note tone="warn" title="The old key is still in use.">
          It was used <Time ms={oldKey.lastUsedAtMs} />, after you said that the bot runs with the new one.
        </Note>
      ) : (
        <LastUsed {...props} />
      )}
      <Field
        id={id}
        label={
          <>
            Type <code className={controlsStyles.typed}>{label}</code> to confirm
          </>
        }
      >
        <Input id={id} value={typed} onChange={setTyped} />
      </Field>
      <Acts>
        <Button type="submit" variant="danger-fill" icon="trash" disabled={!matches} busy={busy}>
          Revoke {label}
        </Button>
      </Acts>
    </form>
  )
}

function Stuck({ replacement, busy, onAdvance }: StepProps) {
  const navigate = useNavigate()
  if (replacement.now.state !== 'stuck') return null
  const words = stuckWords[replacement.now.reason]
  const { step, elsewhere } = words
  return (
    <>
      <Note tone="warn" title={words.title}>
        {words.text}
      </Note>
      <Acts>
        {elsewhere === null ? null : <Button onClick={() => navigate(elsewhere.to(replacement))}>{elsewhere.label}</Button>}
        {step === null ? null : (
          <Button variant="primary" icon="refresh" busy={busy} onClick={() => onAdvance(step)}>
            {step === 'check' ? 'Look again' : 'Go on'}
          </Button>
        )}
      </Acts>
    </>
  )
}

/** What is to be done in the step under way. */
export function ReplaceStep(props: StepProps) {
  if (props.replacement.now.state === 'stuck') return <Stuck {...props} />
  switch (currentStep(props.replacement)) {
    case 'key':
      return <MakeKey {...props} />
    case 'agent':
      return <GrantAgent {...props} />
    case 'probe':
      return <Probe {...props} />
    case 'handover':
      return <HandOver {...props} />
    case 'revoke':
      return <RevokeOld {...props} />
    default:
      return null
  }
}
