import { type FormEvent, useId, useRef, useState } from 'react'
import type { ReceiverAnswer, ReceiverTestSetup } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { answeredText } from '../../../../shared/text/receiver-test-text.ts'
import { type SentEventName, sentEvents } from '../../../../shared/webhooks/events.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { SecretMask } from '../../../parts/secret-outlets.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { useRested } from '../webhook-view.tsx'
import styles from './receiver-test.module.css'

interface SheetProps {
  readonly before: ReceiverTestSetup | null
  /** True if the sheet opened because a repeated test still lacks something, such as the typed name of the host. */
  readonly again: boolean
  readonly throwaway: boolean
  readonly onClose: () => void
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/**
 * Asks for the receiver's address, the secret that signs the deliveries, and the host's name. The user chooses a secret instead of typing one,
 * because this window must never contain a secret.
 */
export function ReceiverTestSheet({ before, again, throwaway, onClose }: SheetProps) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const start = useIpcCommand('receiverTest.start')
  const sample = useIpcCommand('receiverTest.sendSample')
  const [url, setUrl] = useState(before?.url ?? '')
  const [effectsUrl, setEffectsUrl] = useState(before?.effectsUrl ?? '')
  const [signWith, setSignWith] = useState<ReceiverTestSetup['signWith']>(before?.signWith ?? { kind: 'throwaway' })
  const [typed, setTyped] = useState('')
  const [pressed, setPressed] = useState(again)
  const asked = { url: useRested(url), effectsUrl: orNull(useRested(effectsUrl)) }
  const target = useIpcQuery('receiverTest.target', asked, { enabled: asked.url.trim() !== '', keepPrevious: true })
  const read = url.trim() === '' ? undefined : target.data
  const failed = start.error ?? sample.error
  const failure = failed === null ? null : failureOf(failed)
  const said = (field: string) => (failure?.kind === 'bad_input' && failure.field === field ? inputIssueText(failure.issue) : null)
  // Show no error for a URL that the user is still typing.
  const whole = pressed || URL.canParse(asked.url)
  const urlIssue =
    said('url') ??
    (url.trim() === '' ? (pressed ? webhooksText.receiverAddressRequired : null) : read?.kind === 'refused' && whole ? inputIssueText(read.issue) : null)
  const effectsIssue =
    said('effectsUrl') ?? (read?.kind === 'read' && effectsUrl.trim() !== '' && read.effectsIssue !== null ? inputIssueText(read.effectsIssue) : null)
  const confirm = read?.kind === 'read' ? read.confirm : null
  const noSecret = signWith.kind === 'webhook' && signWith.webhookId === ''
  const hostMissing = confirm !== null && typed.trim().toLowerCase() !== confirm
  const inFields = failure?.kind === 'bad_input' && ['url', 'effectsUrl', 'confirmHost'].includes(failure.field ?? '')

  const reset = () => {
    start.reset()
    sample.reset()
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    setPressed(true)
    if (start.isPending || url.trim() === '' || noSecret) return
    reset()
    start.mutate({ url: url.trim(), effectsUrl: orNull(effectsUrl), signWith, confirmHost: orNull(typed) }, { onSuccess: onClose })
  }
  const sendSample = (type: SentEventName) => {
    setPressed(true)
    if (start.isPending || url.trim() === '' || noSecret) return
    reset()
    sample.mutate({ url: url.trim(), signWith, confirmHost: orNull(typed), type })
  }
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text)
    if (failed !== null) reset()
  }
  return (
    <Sheet
      title={webhooksText.receiverTest}
      lead={webhooksText.receiverTestSize}
      icon="shield-check"
      onClose={onClose}
      initialFocus={first}
      className={styles.testSheet}
    >
      <form className={overlayStyles.sheetBody} onSubmit={submit}>
        <Field
          id={`${id}-url`}
          label={webhooksText.yourReceiver}
          end={webhooksText.receiverAddressHint}
          error={urlIssue}
          warning={confirm === null ? undefined : webhooksText.programsMayAct(confirm)}
          help={webhooksText.sampleEventsHelp}
        >
          <Input id={`${id}-url`} ref={first} mono value={url} invalid={urlIssue !== null} onChange={edit(setUrl)} placeholder="http://127.0.0.1:4000/hooks" />
        </Field>
        <ReceiverTestSecret
          signWith={signWith}
          throwaway={throwaway}
          missing={pressed && noSecret}
          onChange={(chosen, webhookUrl) => {
            setSignWith(chosen)
            if (webhookUrl !== undefined && url.trim() === '') setUrl(webhookUrl)
            if (failed !== null) reset()
          }}
        />
        <Field
          id={`${id}-effects`}
          label={webhooksText.effectsAddress}
          end={webhooksText.optionalSameHost}
          error={effectsIssue}
          help={webhooksText.effectsHelp(<code>{'{"events": [ids]}'}</code>)}
        >
          <Input
            id={`${id}-effects`}
            mono
            value={effectsUrl}
            invalid={effectsIssue !== null}
            onChange={edit(setEffectsUrl)}
            placeholder="http://127.0.0.1:4000/effects"
          />
        </Field>
        {confirm === null ? null : (
          <Field id={`${id}-confirm`} label={webhooksText.typeHost(<code className={controlsStyles.typed}>{confirm}</code>)} error={said('confirmHost')}>
            <Input id={`${id}-confirm`} value={typed} invalid={said('confirmHost') !== null} onChange={edit(setTyped)} />
          </Field>
        )}
        {failure === null || inFields ? null : <FailureNote failure={failure} />}
        {sample.data === undefined ? null : <SampleNote type={sample.variables.type} answered={sample.data} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot
        verdict={
          <Menu
            label={webhooksText.sendSampleEvent}
            entries={sentEvents.map((type) => ({ label: type, onSelect: () => sendSample(type) }))}
            trigger={(props) => (
              <Button icon="send" busy={sample.isPending} disabled={hostMissing} {...props}>
                {webhooksText.sendSampleEvent}
              </Button>
            )}
          />
        }
      >
        <Button onClick={onClose} kbd={[webhooksText.esc]}>
          {webhooksText.cancel}
        </Button>
        <Button variant="primary" icon="play" busy={start.isPending} disabled={hostMissing} onClick={() => submit()}>
          {webhooksText.runTest}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

function SampleNote({ type, answered }: { readonly type: SentEventName; readonly answered: ReceiverAnswer }) {
  const { status, ms } = answered
  const isTaken = status !== null && status >= 200 && status < 300
  return (
    <Note tone={isTaken ? 'ok' : 'warn'} live title={webhooksText.sampleOf(type)}>
      {webhooksText.answeredMs(<VisibleText text={answeredText(answered)} />, ms)}
    </Note>
  )
}

type SignWith = ReceiverTestSetup['signWith']

/**
 * The throwaway secret, which is used only for tests. The main process makes it when it is first needed. The user passes it to the receiver through
 * the clipboard or a separate window.
 */
function Throwaway({ made }: { readonly made: boolean }) {
  const make = useIpcCommand('receiverTest.makeThrowaway')
  const copy = useIpcCommand('receiverTest.copyThrowaway')
  const reveal = useIpcCommand('receiverTest.revealThrowaway')
  const failed = [make.error, copy.error, reveal.error].find((error) => error !== null)
  // Makes another throwaway secret. The earlier secret is no longer used, so also clears errors from copying or showing it.
  const makeAnew = () => {
    for (const way of [copy, reveal]) way.reset()
    make.mutate({})
  }
  return (
    <>
      <div className={styles.testSecret}>
        <div className={textStyles.grow}>
          <SecretMask prefix="svc_whsec_" copiedUntilMs={copy.data?.clearsAtMs ?? 0} shownUntilMs={reveal.data?.closesAtMs ?? 0} />
        </div>
        <Button icon="copy" busy={copy.isPending} onClick={() => copy.mutate({})}>
          {webhooksText.copy}
        </Button>
        <Button icon="eye" busy={reveal.isPending} onClick={() => reveal.mutate({})}>
          {webhooksText.reveal}
        </Button>
        {made ? <IconButton variant="standard" icon="refresh" label={webhooksText.createAnother} busy={make.isPending} onClick={makeAnew} /> : null}
      </div>
      {failed == null ? null : <FailureNote failure={failureOf(failed)} />}
    </>
  )
}

function KeptWebhook({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (id: string, url: string) => void }) {
  const kept = useIpcQuery('webhooks.kept', {})
  const webhooks = kept.data ?? []
  if (kept.data !== undefined && webhooks.length === 0) return <p className={textStyles.muted}>{webhooksText.noWebhookSecretStored}</p>
  return (
    <div>
      <Menu
        label={webhooksText.webhooks}
        trigger={(props) => (
          <Button icon="webhook" className={styles.testPick} {...props}>
            <span className={textStyles.cut}>{webhooks.find(({ id }) => id === chosen)?.url ?? webhooksText.chooseAWebhook}</span>
          </Button>
        )}
        entries={webhooks.map(({ id, url }) => ({ label: url, note: id, checked: id === chosen, onSelect: () => onChoose(id, url) }))}
      />
    </div>
  )
}

interface SecretProps {
  readonly signWith: SignWith
  readonly throwaway: boolean
  readonly missing: boolean
  /** Called when the user chooses a secret. `url`: the delivery URL of the webhook whose secret was chosen. */
  readonly onChange: (signWith: SignWith, url?: string) => void
}

function ReceiverTestSecret({ signWith, throwaway, missing, onChange }: SecretProps) {
  const isThrowaway = signWith.kind === 'throwaway'
  const help = isThrowaway ? (throwaway ? webhooksText.throwawayHelp : webhooksText.newThrowawayHelp) : webhooksText.webhookSecretHelp
  return (
    <div className={controlsStyles.field}>
      <span className={controlsStyles.label}>{webhooksText.signedWith}</span>
      <Segments
        label={webhooksText.signedWith}
        value={signWith.kind}
        choices={[
          { value: 'throwaway', label: webhooksText.aThrowawaySecret },
          { value: 'webhook', label: webhooksText.webhookSecret },
        ]}
        onChange={(kind) => onChange(kind === 'throwaway' ? { kind } : { kind, webhookId: '' })}
      />
      {isThrowaway ? (
        <Throwaway made={throwaway} />
      ) : (
        <KeptWebhook chosen={signWith.webhookId} onChoose={(webhookId, url) => onChange({ kind: 'webhook', webhookId }, url)} />
      )}
      <p className={missing ? cx(controlsStyles.help, controlsStyles.error) : controlsStyles.help} role={missing ? 'alert' : undefined}>
        {missing ? <Icon name="stop" /> : null}
        <span>{missing ? webhooksText.webhookSecretRequired : help}</span>
      </p>
    </div>
  )
}
