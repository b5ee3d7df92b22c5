import { type FormEvent, useId, useRef, useState } from 'react'
import type { FormIssue } from '../../../../shared/ipc/form-issue.ts'
import { leavesUnknown } from '../../../../shared/ipc/intents/intent-states.ts'
import { eventWords } from '../../../../shared/text/delivery-text.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { defaultEvents, eventGroups, everyEvent } from '../../../../shared/webhooks/events.ts'
import { readCallbackUrl } from '../../../../shared/webhooks/public-address.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import { Chip } from '../../../kit/chip.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { useNavigate, usePlace } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './webhooks.module.css'

/**
 * Creates a webhook from its URL and events. In the page's address, `?url=` sets the URL in advance; with `?to=lab`, the lab opens afterwards.
 * The main process stores the signing secret from the service's response in the keychain. This window never gets it.
 */
export function NewWebhookSheet({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { query } = usePlace()
  const toast = useToast()
  const list = useIpcQuery('webhooks.list', {})
  const profiles = useIpcQuery('profiles.list', {})
  const create = useIpcCommand('webhooks.create')
  const [state, setState] = useState<NewWebhookState>({ ...initialNewWebhook, url: query.url ?? '', every: query.to === 'lab' })
  const [pressed, setPressed] = useState(false)
  const practice = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)?.kind === 'practice'
  const check = readNewWebhook(state, practice)
  const failure = create.error === null ? null : failureOf(create.error)
  // The main process may refuse the URL's host. The field shows the refusal until the user edits the form.
  const badUrl = failure?.kind === 'bad_input' && failure.field === 'url' ? inputIssueText(failure.issue) : null
  // The request was sent but its outcome is unknown. The webhook may exist, so don't let the user send the request again.
  const lost = failure !== null && leavesUnknown(failure)
  const full = list.data?.active != null && list.data.active >= list.data.limit

  const edit = (change: Partial<NewWebhookState>) => {
    setState((before) => ({ ...before, ...change }))
    if (create.error !== null && !lost) create.reset()
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    setPressed(true)
    if (check.request === null || create.isPending || lost) {
      if (check.url !== null) first.current?.focus()
      return
    }
    create.mutate(check.request, {
      onSuccess: (made) => {
        toast({
          tone: made.secret === 'memory' ? 'warn' : 'ok',
          title: webhooksText.webhookCreated,
          text: made.secret === 'memory' ? webhooksText.secretOnlyInMemory : webhooksText.secretStored,
          action: null,
        })
        navigate(query.to === 'lab' ? 'webhooks/lab' : `webhooks/${made.id}`)
      },
    })
  }
  return (
    <Sheet
      title={webhooksText.newWebhook}
      lead={webhooksText.newWebhookLead}
      icon="webhook"
      onClose={onClose}
      initialFocus={first}
      className={styles.webhookNew}
    >
      <form className={overlayStyles.sheetBody} onSubmit={submit}>
        <Field
          id={`${id}-url`}
          label={webhooksText.sendTo}
          end={webhooksText.urlHint}
          error={badUrl ?? (pressed && check.url !== null ? formIssueText(check.url) : null)}
          warning={check.loopback ? webhooksText.practiceOnlyUrl : undefined}
          help={practice ? webhooksText.practiceUrlHelp : webhooksText.urlHelp}
        >
          <Input
            id={`${id}-url`}
            ref={first}
            mono
            value={state.url}
            invalid={badUrl !== null || (pressed && check.url !== null)}
            onChange={(url) => edit({ url })}
            placeholder="https://bots.example/hooks"
          />
        </Field>
        {full && list.data !== undefined ? (
          <Note tone="warn" title={webhooksText.webhookLimitReached(list.data.limit)}>
            {webhooksText.webhookLimitHelp}
          </Note>
        ) : null}
        {failure === null || badUrl !== null ? null : <FailureNote failure={failure} />}
        <EventPicker state={state} issue={pressed ? check.events : null} onEdit={edit} />
        <button type="submit" hidden />
      </form>
      <SheetFoot
        verdict={
          <>
            <Icon name="lock" /> {webhooksText.secretGoesToKeychain}
          </>
        }
      >
        <Button onClick={onClose} kbd={[webhooksText.esc]}>
          {webhooksText.cancel}
        </Button>
        {lost ? (
          <Button variant="primary" onClick={() => navigate('webhooks')}>
            {webhooksText.seeResult}
          </Button>
        ) : (
          <Button variant="primary" busy={create.isPending} onClick={() => submit()}>
            {webhooksText.createWebhook}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

interface PickerProps {
  readonly state: NewWebhookState
  /** The problem with the chosen events; `null` if there is none. */
  readonly issue: string | null
  readonly onEdit: (edit: Partial<NewWebhookState>) => void
}

/** Lets the user choose among the service's events. Each entry explains when the service sends the event. */
function EventPicker({ state, issue, onEdit }: PickerProps) {
  const { every, events } = state
  return (
    <fieldset className={styles.event}>
      <legend>
        {webhooksText.eventsChosen(<span className={textStyles.muted}>{every ? webhooksText.everyEvent : webhooksText.chosenCount(events.length)}</span>)}
      </legend>
      <div className={styles.allEvents}>
        <Checkbox checked={every} onChange={(on) => onEdit({ every: on })}>
          <span>
            <b>{webhooksText.allEvents}</b> <code>*</code>
          </span>
        </Checkbox>
      </div>
      <div className={styles.eventGroups}>
        {eventGroups.map((group) => (
          <section key={group.name} aria-label={eventWords[group.name]}>
            <h3>{eventWords[group.name]}</h3>
            <ul>
              {group.events.map(({ name, remark }) => (
                <li key={name}>
                  <Checkbox checked={every || events.includes(name)} disabled={every} onChange={(on) => onEdit({ events: toggleEvent(events, name, on) })}>
                    <span>
                      <code>{name}</code> {remark === null ? null : <Chip tone="warn">{eventWords[remark]}</Chip>}
                      <small>{eventWords[name]}</small>
                    </span>
                  </Checkbox>
                </li>
              ))}
            </ul>
            {group.remark === null ? null : (
              <p className={controlsStyles.help}>
                <Icon name="info" />
                <span>{eventWords[group.remark]}</span>
              </p>
            )}
          </section>
        ))}
      </div>
      {issue === null ? null : (
        <p className={cx(controlsStyles.help, controlsStyles.error)} role="alert">
          <Icon name="stop" />
          <span>{issue}</span>
        </p>
      )}
    </fieldset>
  )
}

interface NewWebhookState {
  readonly url: string
  readonly every: boolean
  /** The events that the user ticked one by one. They stay stored while `every` is set, so that unticking `every` restores them. */
  readonly events: readonly string[]
}

export const initialNewWebhook: NewWebhookState = { url: '', every: false, events: defaultEvents }

interface NewWebhookCheck {
  /** The problem of the URL field; `null` if there is none. */
  readonly url: FormIssue | null
  readonly events: string | null
  /** Whether the URL points to this computer, which only practice mode accepts. */
  readonly loopback: boolean
  readonly request: { readonly url: string; readonly events: string[] } | null
}

export function readNewWebhook({ url: typed, every, events }: NewWebhookState, practice: boolean): NewWebhookCheck {
  const url = readCallbackUrl(typed, { practice })
  const chosen = every ? [everyEvent] : [...events]
  const none = chosen.length === 0 ? webhooksText.chooseEvents : null
  return {
    url: url.ok ? null : url.failure,
    events: none,
    loopback: url.ok && url.value.loopback,
    request: url.ok && none === null ? { url: url.value.url, events: chosen } : null,
  }
}

export const toggleEvent = (events: readonly string[], name: string, on: boolean): readonly string[] =>
  on ? [...events, name] : events.filter((one) => one !== name)
