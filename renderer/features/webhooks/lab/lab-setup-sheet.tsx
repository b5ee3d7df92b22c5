import { type FormEvent, useId, useState } from 'react'
import type { LabSettings, LabState } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Menu } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './lab.module.css'
import { goneWords, standInWords } from './lab-words.ts'

interface SheetProps {
  readonly state: LabState
  /** Whether the signing secret of the webhook in the lab's last settings is no longer on this computer. */
  readonly gone: boolean
  readonly onClose: () => void
}

/** The lab's settings: which webhook's deliveries it receives, at which address, where it forwards them, and how it responds. */
export function LabSetupSheet({ state, gone, onClose }: SheetProps) {
  const kept = useIpcQuery('webhooks.kept', {})
  return kept.data === undefined ? null : <SetupForm state={state} gone={gone} kept={kept.data} onClose={onClose} />
}

function SetupForm({ state, gone, kept, onClose }: SheetProps & { readonly kept: readonly { readonly id: string; readonly url: string }[] }) {
  const id = useId()
  const open = useIpcCommand('lab.open')
  const [setup, setSetup] = useState<LabSetup>(() => firstSetup(state, gone ? kept.filter((one) => one.id !== state.settings?.webhookId) : kept))
  const [pressed, setPressed] = useState(false)
  const { issues, request } = readSetup(setup)
  const failure = open.error === null ? null : failureOf(open.error)
  const badInput = failure?.kind === 'bad_input' ? failure : null
  const issue = (field: keyof LabSetup) => (badInput?.field === field ? inputIssueText(badInput.issue) : pressed ? (issues[field] ?? null) : null)
  const webhookIssue = gone && setup.webhookId === '' ? goneWords(state) : issue('webhookId')
  const chosen = kept.find((one) => one.id === setup.webhookId)

  const edit = (change: Partial<LabSetup>) => {
    setSetup((before) => ({ ...before, ...change }))
    open.reset()
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    setPressed(true)
    if (request !== null && !open.isPending) open.mutate(request, { onSuccess: onClose })
  }
  const text = (field: 'port' | 'path' | 'forwardTo' | 'status' | 'delayS') => ({
    id: `${id}-${field}`,
    value: setup[field],
    invalid: issue(field) !== null,
    onChange: (value: string) => edit({ [field]: value }),
  })
  return (
    <Sheet title={webhooksText.receiveDeliveriesHere} lead={webhooksText.labSetupLead} icon="webhook" onClose={onClose} className={styles.labSetup}>
      <form className={overlayStyles.sheetBody} onSubmit={submit}>
        <Field
          id={`${id}-webhookId`}
          label={webhooksText.deliveriesOfField}
          error={webhookIssue}
          warning={gone && chosen !== undefined && chosen.url === state.settings?.webhookUrl ? standInWords : undefined}
          help={webhooksText.labSecretHelp}
        >
          <Menu
            label={webhooksText.deliveriesOfField}
            trigger={(props) => (
              <Button
                id={`${id}-webhookId`}
                icon="webhook"
                className={styles.labPick}
                aria-label={chosen === undefined ? webhooksText.chooseAWebhook : webhooksText.deliveriesOfWebhook(chosen.url)}
                {...props}
              >
                <span className={textStyles.cut}>{chosen?.url ?? webhooksText.chooseAWebhook}</span>
              </Button>
            )}
            entries={
              kept.length === 0
                ? [{ type: 'heading', label: webhooksText.noSecretStoredOption }]
                : kept.map((one) => ({
                    label: one.url,
                    note: one.id,
                    checked: one.id === setup.webhookId,
                    onSelect: () => edit({ webhookId: one.id, ...placeOf(one.url) }),
                  }))
            }
          />
        </Field>
        <div className={styles.labTwo}>
          <Field id={`${id}-port`} label={webhooksText.port} error={issue('port')}>
            <Input {...text('port')} numeric maxLength={5} />
          </Field>
          <Field id={`${id}-path`} label={webhooksText.path} error={issue('path')}>
            <Input {...text('path')} mono maxLength={512} />
          </Field>
        </div>
        <Field id={`${id}-forwardTo`} label={webhooksText.forwardTo} end={webhooksText.optional} error={issue('forwardTo')} help={webhooksText.forwardToHelp}>
          <Input {...text('forwardTo')} mono placeholder="http://localhost:3000/hook" maxLength={2_048} />
        </Field>
        <fieldset className={styles.labAnswerSet}>
          <legend>{webhooksText.response}</legend>
          <Segments
            label={webhooksText.response}
            block
            choices={[
              { value: 'fixed', label: webhooksText.oneStatus },
              { value: 'forwarded', label: webhooksText.asMyEndpointDoes },
            ]}
            value={setup.as}
            onChange={(as) => edit({ as })}
          />
          {setup.as === 'forwarded' ? (
            <p className={controlsStyles.help}>
              <Icon name="info" />
              <span>{webhooksText.endpointFailureHelp}</span>
            </p>
          ) : (
            <div className={styles.labTwo}>
              <Field id={`${id}-status`} label={webhooksText.status} error={issue('status')} help={webhooksText.statusHelp}>
                <Input {...text('status')} numeric maxLength={3} />
              </Field>
              <Field id={`${id}-delayS`} label={webhooksText.after} error={issue('delayS')} help={webhooksText.serviceWaits}>
                <Input {...text('delayS')} numeric unit="s" maxLength={2} />
              </Field>
            </div>
          )}
          <p className={controlsStyles.help}>
            <Icon name="shield-x" />
            <span>{webhooksText.unverifiedGet401}</span>
          </p>
        </fieldset>
        {failure === null || (badInput?.field ?? null) !== null ? null : <FailureNote failure={failure} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[webhooksText.esc]}>
          {webhooksText.cancel}
        </Button>
        <Button variant="primary" busy={open.isPending} onClick={() => submit()}>
          {webhooksText.listen}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

interface LabSetup {
  readonly webhookId: string
  readonly port: string
  readonly path: string
  readonly forwardTo: string
  readonly as: 'fixed' | 'forwarded'
  readonly status: string
  readonly delayS: string
}

/** The default port and path for deliveries, the same as for `svc-desk listen`. */
export const usualPlace = { port: '4807', path: '/deliveries' } as const

const loopback = /^(localhost|.*\.localhost|\[::1\]|127(\.\d{1,3}){3})$/

/** The port and path of a webhook URL that points to this computer; otherwise `null`. */
export function placeOf(url: string): { readonly port: string; readonly path: string } | null {
  const read = URL.parse(url)
  return read !== null && read.protocol === 'http:' && loopback.test(read.hostname) ? { port: read.port || '80', path: read.pathname } : null
}

interface Kept {
  readonly id: string
  readonly url: string
}

/**
 * The form's initial values: the lab's last settings. If their webhook is missing, another webhook with the same URL replaces it.
 * If there are no last settings, chooses a webhook whose URL points to this computer, which is possible in practice mode.
 */
export function firstSetup({ settings }: Pick<LabState, 'settings'>, kept: readonly Kept[]): LabSetup {
  if (settings !== null) {
    const { answer } = settings
    const fixed = answer.kind === 'fixed' ? answer : { status: 200, delayS: 0 }
    const { port, path, forwardTo } = settings
    const webhookId = (kept.find(({ id }) => id === settings.webhookId) ?? kept.findLast(({ url }) => url === settings.webhookUrl))?.id ?? ''
    return { webhookId, port: String(port), path, forwardTo: forwardTo ?? '', as: answer.kind, status: String(fixed.status), delayS: String(fixed.delayS) }
  }
  const here = kept.findLast(({ url }) => placeOf(url) !== null) ?? kept[0]
  const place = (here === undefined ? null : placeOf(here.url)) ?? usualPlace
  return { webhookId: here?.id ?? '', ...place, forwardTo: '', as: 'fixed', status: '200', delayS: '0' }
}

const whole = (text: string, from: number, to: number): number | null =>
  /^\d{1,5}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : null

const withScheme = (url: string): string => (/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`)

/** Validates the form: `issues` has the problems by field; `request` has the settings to save, or `null` if there is a problem. */
export function readSetup(setup: LabSetup): { readonly issues: Partial<Record<keyof LabSetup, string>>; readonly request: LabSettings | null } {
  const { webhookId, path, as } = setup
  const port = whole(setup.port, 1, 65_535)
  const status = whole(setup.status, 200, 599)
  const delayS = whole(setup.delayS, 0, 60)
  const forwardTo = setup.forwardTo.trim() === '' ? null : withScheme(setup.forwardTo.trim())
  const issues = {
    ...(webhookId === '' && { webhookId: webhooksText.chooseLabWebhook }),
    ...(port === null && { port: webhooksText.portRange }),
    ...(!path.startsWith('/') && { path: webhooksText.pathNeedsSlash }),
    ...(as === 'forwarded' && forwardTo === null && { forwardTo: webhooksText.endpointRequired }),
    ...(as === 'fixed' && status === null && { status: webhooksText.statusRange }),
    ...(as === 'fixed' && delayS === null && { delayS: webhooksText.delayRange }),
  }
  if (Object.keys(issues).length > 0 || port === null) return { issues, request: null }
  const answer = as === 'forwarded' ? ({ kind: 'forwarded' } as const) : ({ kind: 'fixed', status: status ?? 200, delayS: delayS ?? 0 } as const)
  return { issues, request: { webhookId, port, path, forwardTo, answer } }
}
