import { useEffect, useRef, useState } from 'react'
import type { Input as CallInput } from '../../../../shared/ipc/contract.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
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
import { field, type HandoverField, targets as handoverTargets } from '../delivery/handover-form.ts'
import styles from './fleet.module.css'

type Asked = CallInput<'fleet.create'>['items'][number]
type Target = Asked['target']
type TargetName = Target['target']

interface PlanField extends HandoverField {
  /** The values to choose from, the usual one first; absent for a text. */
  readonly choices?: readonly string[]
}

const choose = (name: string, label: string, ...choices: readonly string[]): PlanField => ({ ...field(name, label, ''), choices })
const choice = (...choices: readonly string[]): PlanField => choose('how', keysText.existingSecret, ...choices)

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

/** OpenBao is a fork of Vault, and its client takes the same words. */
const vaultFields: readonly PlanField[] = [
  field('mount', keysText.vaultMount, 'secret'),
  field('path', keysText.vaultPath, 'bots/grid'),
  field('field', keysText.entry, 'key'),
  choice('patch', 'put'),
]

/** The targets of a plan with the fields of their forms, in the order of the menu. Those of a single handover have the same fields there. */
const targets: Readonly<Record<TargetName, { readonly label: string; readonly fields: readonly PlanField[] }>> = {
  ssh: handoverTargets.ssh,
  gateway: { label: keysText.gatewayTarget, fields: [] },
  // A plan shows no output, so the sealed key must go into a file.
  systemd: { ...handoverTargets.systemd, fields: handoverTargets.systemd.fields.map((one) => ({ ...one, optional: false })) },
  podman: { label: keysText.podmanTarget, fields: [field('name', keysText.name, 'svc-key'), choice('replace', 'create')] },
  docker: handoverTargets.docker,
  kubernetes: { ...handoverTargets.kubernetes, fields: [...handoverTargets.kubernetes.fields, choice('replace', 'create')] },
  pass: { label: keysText.passTarget, fields: [field('name', keysText.name, 'bots/grid')] },
  github: handoverTargets.github,
  gitlab: {
    label: keysText.gitlabTarget,
    fields: [
      field('name', keysText.name, 'SVC_API_KEY'),
      field('repo', keysText.repository, 'group/name'),
      field('scope', keysText.environment, 'production', true),
      choice('update', 'set'),
      choose('branches', keysText.gitlabBranches, 'all', 'protected'),
    ],
  },
  vault: { label: keysText.vaultTarget, fields: vaultFields },
  openbao: { label: keysText.openbaoTarget, fields: vaultFields },
  aws: {
    label: keysText.awsTarget,
    fields: [
      field('name', keysText.name, 'bots/grid'),
      field('region', keysText.cloudRegion, 'eu-central-1', true),
      field('profile', keysText.cloudProfile, 'ops', true),
    ],
  },
  google: { label: keysText.googleTarget, fields: [field('name', keysText.name, 'svc-key'), field('project', keysText.cloudProject, 'acme-bots', true)] },
  azure: { label: keysText.azureTarget, fields: [field('vault', keysText.keyVault, 'acme-bots'), field('name', keysText.name, 'svc-key')] },
  onepassword: { label: keysText.onepasswordTarget, fields: [field('item', keysText.name, 'grid bot'), field('vault', keysText.keyVault, 'Bots')] },
}
const targetNames = Object.keys(targets) as TargetName[] // The cast is safe: the keys are exactly the targets.

interface Draft {
  /** The label of the key. */
  readonly label: string
  readonly target: TargetName
  readonly typed: Readonly<Record<string, string>>
}

/** The target as the main process wants it; null while a field is empty. The main process checks each value. */
function targetOf({ target, typed }: Pick<Draft, 'target' | 'typed'>): Target | null {
  const options: Record<string, string | number | null> = target === 'systemd' ? { seal: 'auto' } : {}
  for (const { name, optional, choices } of targets[target].fields) {
    const text = (typed[name] ?? choices?.[0] ?? '').trim()
    if (text === '' && !optional) return null
    options[name] = text === '' ? null : name === 'port' ? Number(text) : text
  }
  return { target, options } as Target // The cast is safe: the fields are those of the target, and the main process parses them again.
}

/** Where main refused the form: a key's target or one of its fields, or the addresses. `keyId`: null for the addresses. */
interface Wrong {
  readonly keyId: string | null
  readonly name: string
  readonly text: string
}

/** The field that a refusal is about; null if it is about none. `asked`: the keys in the order in which the form sent them. */
function wrongOf(failure: Failure | null, asked: readonly Asked[]): Wrong | null {
  if (failure?.kind !== 'bad_input') return null
  const text = inputIssueText(failure.issue)
  if (failure.field?.startsWith('addresses') === true) return { keyId: null, name: 'addresses', text }
  const [, at, part = ''] = /^items\.(\d+)\.(.+)$/.exec(failure.field ?? '') ?? []
  const item = at === undefined ? undefined : asked[Number(at)]
  if (item === undefined) return null
  const { keyId } = item
  const isTwice = failure.issue === 'named_twice'
  if (part === 'keyId' || part === 'target')
    return { keyId, name: 'target', text: !isTwice ? text : part === 'target' ? keysText.targetIsTaken : keysText.keyInOtherPlan }
  const name = part.replace(/^(target\.)?options\./, '')
  return targets[item.target.target].fields.some((one) => one.name === name) ? { keyId, name, text } : null
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
  const active = (list.data?.keys ?? noKeys).filter(({ status }) => status === 'active')
  // A chosen key stays, also if the user switches to another wallet.
  const keys = [...active, ...Object.entries(drafts).flatMap(([id, { label }]) => (active.some((key) => key.id === id) ? [] : [{ id, label }]))]
  // The plan takes the keys in the order in which the user chose them.
  const chosen = Object.entries(drafts)
  const items = chosen.flatMap(([keyId, draft]): Asked[] => {
    const target = targetOf(draft)
    return target === null ? [] : [{ keyId, target }]
  })
  const waitMinutes = /^\d{1,5}$/.test(wait.trim()) ? Number(wait) : 0
  const failure = create.error === null ? null : failureOf(create.error)
  const wrong = wrongOf(failure, create.variables?.items ?? [])
  const wrongId = wrong === null ? null : wrong.keyId === null ? 'plan-addresses' : `${wrong.keyId}-${wrong.name}`
  // The form may be longer than the window.
  useEffect(() => {
    if (wrongId !== null) document.getElementById(wrongId)?.focus()
  }, [wrongId])
  const change = (with_: (before: Readonly<Record<string, Draft>>) => Readonly<Record<string, Draft>>) => {
    if (!create.isPending) create.reset()
    setDrafts(with_)
  }
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
          <Field
            id="plan-addresses"
            label={keysText.botAddresses}
            help={keysText.botAddressesHelp}
            error={wrong !== null && wrong.keyId === null ? wrong.text : undefined}
          >
            <Input id="plan-addresses" placeholder="203.0.113.7" value={addresses} invalid={wrong !== null && wrong.keyId === null} onChange={setAddresses} />
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
                  // Two keys rarely share more than the kind of their targets, and never the target.
                  onChange={(on) =>
                    change(({ [key.id]: _, ...others }) =>
                      on ? { ...others, [key.id]: { label: key.label, target: Object.values(others).at(-1)?.target ?? 'ssh', typed: {} } } : others,
                    )
                  }
                >
                  <VisibleText text={key.label} />
                </Checkbox>
                {draft === undefined ? null : (
                  <TargetFields
                    id={key.id}
                    draft={draft}
                    wrong={wrong?.keyId === key.id ? wrong : null}
                    onChange={(next) => change((before) => ({ ...before, [key.id]: next }))}
                  />
                )}
              </div>
            )
          })}
        </fieldset>
        {failure === null || wrong !== null ? null : <FailureNote failure={failure} />}
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
  readonly draft: Draft
  /** What main refused of this key; null if nothing. */
  readonly wrong: Wrong | null
  readonly onChange: (draft: Draft) => void
}

/** Where one key of the plan goes. */
function TargetFields({ id, draft, wrong, onChange }: TargetProps) {
  const { label, target, typed } = draft
  const issueOf = (name: string) => (wrong?.name === name ? wrong.text : undefined)
  const type = (name: string, text: string) => onChange({ ...draft, typed: { ...typed, [name]: text } })
  return (
    <fieldset className={styles.planChosen} aria-label={keysText.targetOf(label)}>
      <div className={styles.planFields}>
        <Field id={`${id}-target`} label={keysText.planTarget} error={issueOf('target')}>
          <select
            id={`${id}-target`}
            className={cx(controlsStyles.input, styles.planSelect)}
            value={target}
            onChange={(event) => onChange({ ...draft, target: targetNames.find((one) => one === event.target.value) ?? 'ssh' })}
          >
            {targetNames.map((one) => (
              <option key={one} value={one}>
                {targets[one].label}
              </option>
            ))}
          </select>
        </Field>
        {targets[target].fields.map(({ name, label: title, placeholder, optional, choices }) => (
          <Field key={name} id={`${id}-${name}`} label={optional ? keysText.optionalField(title) : title} error={issueOf(name)}>
            {choices === undefined ? (
              <Input
                id={`${id}-${name}`}
                placeholder={placeholder}
                value={typed[name] ?? ''}
                invalid={issueOf(name) !== undefined}
                onChange={(text) => type(name, text)}
              />
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
