import { useRef, useState } from 'react'
import type { Input as CallInput } from '../../../../shared/ipc/contract.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import { DateField, dayAt, startOfDay } from '../../../kit/time/date-field.tsx'
import { useNow } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from './fleet.module.css'

type Asked = CallInput<'fleet.create'>['items'][number]
type Target = Asked['target']
type TargetName = Target['target']

interface PlanField {
  readonly name: string
  readonly label: string
  readonly placeholder: string
  readonly optional?: boolean
  /** The values to choose from, the usual one first; absent for a text. */
  readonly choices?: readonly string[]
}

const field = (name: string, label: string, placeholder: string, optional = false): PlanField => ({ name, label, placeholder, optional })
const choice = (...choices: readonly string[]): PlanField => ({ name: 'how', label: keysText.existingSecret, placeholder: '', choices })

/** The choices in words. Most say what the client does with a secret that exists. */
const choiceNames: Readonly<Record<string, string>> = {
  create: keysText.noExisting,
  set: keysText.noExisting,
  replace: keysText.replaceExisting,
  update: keysText.replaceExisting,
  patch: keysText.keepOtherEntries,
  put: keysText.replaceAllEntries,
  all: keysText.allBranches,
  protected: keysText.protectedBranches,
}

/** The targets of a plan with the fields of their forms, in the order of the menu. */
const targets: Readonly<Record<TargetName, { readonly label: string; readonly fields: readonly PlanField[] }>> = {
  ssh: {
    label: keysText.sshTarget,
    fields: [field('host', keysText.host, 'bot@bots-1.example'), field('path', keysText.file, 'bot/key'), field('port', keysText.port, '22', true)],
  },
  gateway: { label: keysText.gatewayTarget, fields: [] },
  systemd: {
    label: keysText.systemdTarget,
    fields: [field('name', keysText.name, 'svc-key'), field('output', keysText.file, '/etc/credstore.encrypted/svc-key')],
  },
  podman: { label: keysText.podmanTarget, fields: [field('name', keysText.name, 'svc-key'), choice('replace', 'create')] },
  docker: { label: keysText.dockerTarget, fields: [field('name', keysText.name, 'svc_key_2'), field('context', keysText.context, 'default', true)] },
  kubernetes: {
    label: keysText.kubernetesTarget,
    fields: [
      field('name', keysText.name, 'svc-key'),
      field('entry', keysText.entry, 'SVC_API_KEY'),
      field('namespace', keysText.namespace, 'bots', true),
      field('context', keysText.context, 'production', true),
      choice('replace', 'create'),
    ],
  },
  pass: { label: keysText.passTarget, fields: [field('name', keysText.name, 'bots/grid')] },
  github: {
    label: keysText.githubTarget,
    fields: [
      field('name', keysText.name, 'SVC_API_KEY'),
      field('repo', keysText.repository, 'owner/name'),
      field('environment', keysText.environment, 'production', true),
    ],
  },
  gitlab: {
    label: keysText.gitlabTarget,
    fields: [
      field('name', keysText.name, 'SVC_API_KEY'),
      field('repo', keysText.repository, 'group/name'),
      field('scope', keysText.environment, 'production', true),
      choice('update', 'set'),
      { name: 'branches', label: keysText.gitlabBranches, placeholder: '', choices: ['all', 'protected'] },
    ],
  },
  vault: {
    label: keysText.vaultTarget,
    fields: [
      field('mount', keysText.vaultMount, 'secret'),
      field('path', keysText.vaultPath, 'bots/grid'),
      field('field', keysText.entry, 'key'),
      choice('patch', 'put'),
    ],
  },
  openbao: {
    label: keysText.openbaoTarget,
    fields: [
      field('mount', keysText.vaultMount, 'secret'),
      field('path', keysText.vaultPath, 'bots/grid'),
      field('field', keysText.entry, 'key'),
      choice('patch', 'put'),
    ],
  },
  aws: {
    label: keysText.awsTarget,
    fields: [
      field('secret', keysText.name, 'bots/grid'),
      field('region', keysText.cloudRegion, 'eu-central-1', true),
      field('profile', keysText.cloudProfile, 'ops', true),
    ],
  },
  google: { label: keysText.googleTarget, fields: [field('secret', keysText.name, 'svc-key'), field('project', keysText.cloudProject, 'acme-bots', true)] },
  azure: { label: keysText.azureTarget, fields: [field('vault', keysText.keyVault, 'acme-bots'), field('name', keysText.name, 'svc-key')] },
  onepassword: { label: keysText.onepasswordTarget, fields: [field('item', keysText.name, 'grid bot'), field('vault', keysText.keyVault, 'Bots')] },
}
const targetNames = Object.keys(targets) as TargetName[] // The cast is safe: the keys are exactly the targets.

interface Draft {
  readonly target: TargetName
  readonly typed: Readonly<Record<string, string>>
}
const firstDraft: Draft = { target: 'ssh', typed: {} }

/** The target as the main process wants it; null while a field is empty. The main process checks each value. */
function targetOf({ target, typed }: Draft): Target | null {
  const options: Record<string, string | number | null> = target === 'systemd' ? { seal: 'auto' } : {}
  for (const { name, optional, choices } of targets[target].fields) {
    const text = (typed[name] ?? choices?.[0] ?? '').trim()
    if (text === '' && optional !== true) return null
    options[name] = text === '' ? null : name === 'port' ? Number(text) : text
  }
  return { target, options } as Target // The cast is safe: the fields are those of the target, and the main process parses them again.
}

const noKeys: readonly KeySummary[] = []

/** Makes a fleet plan. The main process shows every command in a system dialog before it stores the plan. */
export function PlanSheet({ onClose }: { readonly onClose: () => void }) {
  const first = useRef<HTMLInputElement>(null)
  const list = useIpcQuery('keys.list', {}, { every: minute })
  const create = useIpcCommand('fleet.create')
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState('')
  const [wait, setWait] = useState('60')
  const [isDated, setDated] = useState(false)
  const [date, setDate] = useState('')
  const now = useNow(minute)
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const keys = (list.data?.keys ?? noKeys).filter(({ status }) => status === 'active')
  // The plan takes the keys in the order in which the user chose them.
  const chosen = Object.keys(drafts).flatMap((id) => keys.find((key) => key.id === id) ?? [])
  const items = chosen.flatMap(({ id }): Asked[] => {
    const target = drafts[id] === undefined ? null : targetOf(drafts[id])
    return target === null ? [] : [{ keyId: id, target }]
  })
  const waitMinutes = /^\d{1,5}$/.test(wait.trim()) ? Number(wait) : 0
  const isReady =
    name.trim() !== '' && items.length > 0 && items.length === chosen.length && waitMinutes >= 1 && waitMinutes <= 10_080 && !(isDated && date === '')
  const press = () => {
    if (!isReady || create.isPending) return
    const dueAtMs = isDated ? startOfDay(date) : null
    const asked = { name: name.trim(), items, addresses: addresses.split(/[\s,]+/).filter((one) => one !== ''), waitMinutes, dueAtMs }
    create.mutate(asked, { onSuccess: (plan) => (plan === null ? undefined : onClose()) })
  }
  return (
    <Sheet title={keysText.newPlan} lead={keysText.newPlanLead} icon="key" onClose={onClose} initialFocus={first} className={styles.planSheet}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <div className={styles.planGrid}>
          <Field id="plan-name" label={keysText.name}>
            <Input id="plan-name" ref={first} maxLength={60} value={name} onChange={setName} />
          </Field>
          <Field id="plan-addresses" label={keysText.botAddresses} help={keysText.botAddressesHelp}>
            <Input id="plan-addresses" placeholder="203.0.113.7" value={addresses} onChange={setAddresses} />
          </Field>
          <Field id="plan-wait" label={keysText.planWait} help={keysText.planWaitHelp}>
            <Input id="plan-wait" numeric inputMode="numeric" unit={keysText.minutesUnit} value={wait} onChange={setWait} />
          </Field>
          <div className={controlsStyles.field}>
            <span className={controlsStyles.label}>{keysText.planReminder}</span>
            <Segments
              label={keysText.planReminder}
              choices={[
                { value: 'none', label: keysText.noPlanReminder },
                { value: 'date', label: keysText.onADate },
              ]}
              value={isDated ? 'date' : 'none'}
              onChange={(value) => setDated(value === 'date')}
            />
            {isDated ? <DateField id="plan-due" label={keysText.planReminderDate} min={dayAt(now)} value={date} onChange={setDate} /> : null}
            {isDated ? <p className={controlsStyles.help}>{date === '' ? keysText.chooseADay : keysText.planIsDueDetail}</p> : null}
          </div>
        </div>
        <fieldset className={styles.planKeys}>
          <legend className={controlsStyles.label}>{keysText.keys}</legend>
          {list.data === undefined && list.error !== null ? <FailureNote failure={failureOf(list.error)} /> : null}
          {list.data !== undefined && keys.length === 0 ? <Note tone="warn" title={keysText.noKeyForPlan} /> : null}
          {keys.map((key) => {
            const draft = drafts[key.id]
            return (
              <div key={key.id}>
                <Checkbox
                  checked={draft !== undefined}
                  onChange={(on) =>
                    setDrafts(({ [key.id]: _, ...others }) => (on ? { ...others, [key.id]: Object.values(others).at(-1) ?? firstDraft } : others))
                  }
                >
                  <VisibleText text={key.label} />
                </Checkbox>
                {draft === undefined ? null : (
                  <TargetFields label={key.label} id={key.id} draft={draft} onChange={(next) => setDrafts((before) => ({ ...before, [key.id]: next }))} />
                )}
              </div>
            )
          })}
        </fieldset>
        {create.error === null ? null : <FailureNote failure={failureOf(create.error)} />}
        <button type="submit" hidden disabled={!isReady} />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {keysText.cancel}
        </Button>
        <Button variant="primary" busy={create.isPending} disabled={!isReady} onClick={press}>
          {keysText.makePlan}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

interface TargetProps {
  readonly id: string
  readonly label: string
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** Where one key of the plan goes. */
function TargetFields({ id, label, draft, onChange }: TargetProps) {
  const { target, typed } = draft
  const type = (name: string, text: string) => onChange({ target, typed: { ...typed, [name]: text } })
  return (
    <fieldset className={styles.planChosen} aria-label={keysText.targetOf(label)}>
      <div className={styles.planFields}>
        <Field id={`${id}-target`} label={keysText.planTarget}>
          <select
            id={`${id}-target`}
            className={cx(controlsStyles.input, styles.planSelect)}
            value={target}
            onChange={(event) => onChange({ target: targetNames.find((one) => one === event.target.value) ?? 'ssh', typed })}
          >
            {targetNames.map((one) => (
              <option key={one} value={one}>
                {targets[one].label}
              </option>
            ))}
          </select>
        </Field>
        {targets[target].fields.map(({ name, label: title, placeholder, optional, choices }) => (
          <Field key={name} id={`${id}-${name}`} label={optional === true ? keysText.optionalField(title) : title}>
            {choices === undefined ? (
              <Input id={`${id}-${name}`} placeholder={placeholder} value={typed[name] ?? ''} onChange={(text) => type(name, text)} />
            ) : (
              <select
                id={`${id}-${name}`}
                className={cx(controlsStyles.input, styles.planSelect)}
                value={typed[name] ?? choices[0]}
                onChange={(event) => type(name, event.target.value)}
              >
                {choices.map((one) => (
                  <option key={one} value={one}>
                    {choiceNames[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ))}
      </div>
      {target === 'onepassword' ? <p className={controlsStyles.help}>{keysText.wholeItem}</p> : null}
    </fieldset>
  )
}
