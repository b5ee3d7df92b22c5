import { type ReactNode, useId, useState } from 'react'
import type { KeyDraft, KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { useIpcCommand } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Row, Rows } from '../../../kit/layout/panel.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import { KeyFacts, LastUse } from '../key-facts.tsx'
import styles from './replace.module.css'
import { stuckWords } from './replace-track.tsx'
import { currentStep } from './replacement-track.ts'

export type Advance = 'begin' | 'check' | 'without_agent' | 'probe' | 'handed_over' | 'revoke' | 'retry'

export interface StepProps {
  readonly replacement: Replacement
  /** The old key as the latest key list shows it. `newKey` comes from the same list; `null` if the list doesn't contain it yet. */
  readonly oldKey: KeySummary
  readonly newKey: KeySummary | null
  /** The prepared grant for the new key; `null` if the new key needs no grant. */
  readonly draft: KeyDraft | null
  readonly busy: boolean
  readonly onAdvance: (step: Advance, confirmLabel?: string) => void
  /** Opens the signing sheet for the grant with which the new key is created. */
  readonly onSign: (draft: KeyDraft) => void
  /** Sends the grant's stored signature to the service. Possible if the signature was never sent, or if the response was lost. */
  readonly onSendAgain: (draft: KeyDraft) => void
  /** Opens the signing sheet for the grant of the new key's agent. */
  readonly onGrantAgent: () => void
}

const Acts = ({ children }: { readonly children: ReactNode }) => <div className={styles.replaceActions}>{children}</div>

function MakeKey({ replacement, draft, busy, onAdvance, onSign, onSendAgain }: StepProps) {
  const { now, plan, due, notBeforeMs } = replacement
  if (now.state === 'granting') {
    if (draft === null)
      return (
        <>
          <p>{keysText.preparedGrantGone}</p>
          <Acts>
            <Button icon="refresh" busy={busy} onClick={() => onAdvance('check')}>
              {keysText.checkAgain}
            </Button>
          </Acts>
        </>
      )
    const signed = draft.state === 'signed' || draft.state === 'unknown'
    return (
      <>
        <p>{signed ? (draft.state === 'unknown' ? keysText.signedResponseLost : keysText.signedKeptNotSent) : keysText.grantReadyToSign}</p>
        <Acts>
          {signed ? (
            <Button variant="primary" icon="send" busy={busy} onClick={() => onSendAgain(draft)}>
              {keysText.sendAgain}
            </Button>
          ) : (
            <Button variant="primary" icon="pen" onClick={() => onSign(draft)}>
              {draft.comparison.verdict === 'block' ? keysText.seeWhyRefused : keysText.reviewAndSign}
            </Button>
          )}
        </Acts>
      </>
    )
  }
  return (
    <>
      <p>
        {plan.agent === 'none' ? keysText.createdWithoutSigning : plan.agent === 'with_key' ? keysText.createdBySigning : keysText.createdThenSigned}
        {due || notBeforeMs === null ? null : <> {keysText.waitsFor(<Time ms={notBeforeMs} form="day" />)}</>}
      </p>
      <Acts>
        <Button variant="primary" icon="key" busy={busy} onClick={() => onAdvance('begin')}>
          {due || notBeforeMs === null ? keysText.createNewKey : keysText.startNow}
        </Button>
      </Acts>
    </>
  )
}

function GrantAgent({ busy, onAdvance, onGrantAgent }: StepProps) {
  return (
    <>
      <p>{keysText.newKeyNeedsGrant}</p>
      <Acts>
        <Button variant="primary" icon="pen" onClick={onGrantAgent}>
          {keysText.signGrant}
        </Button>
        <Button icon="refresh" busy={busy} onClick={() => onAdvance('check')}>
          {keysText.checkAgain}
        </Button>
        <Button variant="ghost" onClick={() => onAdvance('without_agent')}>
          {keysText.continueWithoutAgent}
        </Button>
      </Acts>
    </>
  )
}

function Probe({ replacement, busy, onAdvance }: StepProps) {
  const { executor } = replacement.plan
  return (
    <>
      <p>{executor === null ? keysText.probeCall : keysText.probeBindsAndCalls(executor)}</p>
      <Acts>
        <Button variant="primary" icon="shield-check" busy={busy} onClick={() => onAdvance('probe')}>
          {keysText.testNewKey}
        </Button>
      </Acts>
    </>
  )
}

function LastUsed({ keys }: { readonly keys: readonly (KeySummary | null)[] }) {
  const known = keys.filter((key) => key !== null)
  return known.length === 0 ? null : (
    <Rows ruled className={styles.replaceUsed}>
      {known.map((key) => (
        <Row key={key.id} name={keysText.lastUseOf(key.label)}>
          <LastUse entry={key} />
        </Row>
      ))}
    </Rows>
  )
}

function HandOver({ replacement, oldKey, newKey, busy, onAdvance }: StepProps) {
  const navigate = useNavigate()
  const toast = useToast()
  const copy = useIpcCommand('keys.copySecret')
  const { now } = replacement
  const uncertain = now.state === 'probed' && now.verdict === 'cannot_tell'
  return (
    <>
      <p>
        {uncertain ? keysText.newKeyNotTested : keysText.newKeyWorks} {keysText.startBotWithNewKey}
      </p>
      <LastUsed keys={[oldKey, newKey]} />
      <Acts>
        <Button variant="primary" icon="check" busy={busy} onClick={() => onAdvance('handed_over')}>
          {keysText.confirmBotUsesIt}
        </Button>
        {newKey === null ? null : (
          <>
            <Button
              icon="copy"
              busy={copy.isPending}
              onClick={() =>
                copy.mutate(
                  { keyId: newKey.id },
                  { onSuccess: () => toast({ tone: 'ok', title: keysText.secretCopied, text: keysText.clipboardClears, action: null }) },
                )
              }
            >
              {keysText.copySecret}
            </Button>
            <Button variant="ghost" onClick={() => navigate(`keys/${newKey.id}`)}>
              {keysText.openNewKey}
            </Button>
          </>
        )}
        {uncertain ? (
          <Button variant="ghost" onClick={() => onAdvance('probe')}>
            {keysText.tryAgain}
          </Button>
        ) : null}
      </Acts>
    </>
  )
}

function RevokeOld({ replacement, oldKey, newKey, busy, onAdvance }: StepProps) {
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
      <p>{replacement.now.state === 'revoking' ? keysText.revocationUnconfirmed : keysText.oldKeyStops(label)}</p>
      <KeyFacts entry={oldKey} />
      {stillUsed ? (
        <Note tone="warn" title={keysText.oldKeyStillUsed}>
          {keysText.oldKeyUsedAt(<Time ms={oldKey.lastUsedAtMs} />)}
        </Note>
      ) : (
        <LastUsed keys={[newKey]} />
      )}
      <Field id={id} label={keysText.typeToConfirm(<code className={controlsStyles.typed}>{label}</code>)}>
        <Input id={id} value={typed} onChange={setTyped} />
      </Field>
      <Acts>
        <Button type="submit" variant="danger-fill" icon="trash" disabled={!matches} busy={busy}>
          {keysText.revokeNamed(label)}
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
            {step === 'check' ? keysText.checkAgain : keysText.continue}
          </Button>
        )}
      </Acts>
    </>
  )
}

/** What the user can do in the active step. */
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
