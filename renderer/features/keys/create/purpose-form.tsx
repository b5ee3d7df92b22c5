import type { FormEvent } from 'react'
import type { KeyDraft, SeenAddress } from '../../../../shared/ipc/keys/keys.ts'
import { minute } from '../../../../shared/time.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { State } from '../../../kit/layout/state.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import textStyles from '../../../kit/text.module.css'
import { dayText, useNow } from '../../../kit/time/time.tsx'
import styles from '../keys.module.css'
import { AllowlistEditor } from './allowlist-editor.tsx'
import {
  dayPresets,
  endOf,
  firstDays,
  isBotReady,
  labelHelp,
  type NewKeyCheck,
  type NewKeyState,
  quotaIssue,
  serviceDays,
  type TypedQuota,
} from './new-key-form.ts'
import { ScopePicker } from './scope-picker.tsx'

interface FormProps {
  readonly state: NewKeyState
  readonly check: NewKeyCheck
  readonly draft: KeyDraft | null
  readonly pressed: boolean
  /** Where the exchange saw this computer; null where it cannot be known. */
  readonly seen: SeenAddress | null
  /** Names of limits that this wallet's keys have. */
  readonly knownQuotas: readonly string[]
  readonly onEdit: (change: Partial<NewKeyState>) => void
  readonly onSubmit: () => void
  readonly onChange: () => void
  readonly onLeave: () => void
  readonly changing: boolean
}

const exampleName = 'grid-eth-2'

/** Name, life and addresses of the key. Fixed while a grant is prepared for it. */
export function PurposeForm({ state, check, draft, pressed, seen, knownQuotas, onEdit, onSubmit, onChange, onLeave, changing }: FormProps) {
  const now = useNow(minute)
  const fixed = draft !== null
  const end = endOf(state.days, now)
  const preset = dayPresets.find((one) => one === state.days.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={cx(panelStyles.panel, styles.newKeyForm)} aria-label="Purpose" onSubmit={submit} noValidate>
      <fieldset disabled={fixed}>
        <legend>What it is for</legend>
        <Field id="key-label" label="Name" help={labelHelp(state.label, exampleName)} error={pressed ? check.label : undefined}>
          <Input
            id="key-label"
            value={state.label}
            onChange={(label) => onEdit({ label })}
            disabled={fixed}
            placeholder={exampleName}
            autoFocus
            maxLength={80}
            invalid={pressed && check.label !== null}
          />
        </Field>
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>What it may do</legend>
        <ScopePicker scopes={state.scopes} disabled={fixed} onChange={(scopes) => onEdit({ scopes })} />
        {isBotReady(state.scopes) ? (
          <p className={styles.newKeyAgent}>
            <Checkbox checked={state.agent} disabled={fixed} onChange={(agent) => onEdit({ agent })}>
              With a trading agent, which your wallet grants once (bot-ready)
            </Checkbox>
          </p>
        ) : null}
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>How long</legend>
        <div className={styles.newKeyDays}>
          <Segments
            label="Validity"
            size="md"
            choices={dayPresets.map((days) => ({ value: days as string, label: `${days} days`, disabled: fixed }))}
            value={preset ?? ''}
            onChange={(days) => onEdit({ days })}
          />
          <Input
            id="key-days"
            className={styles.days}
            value={state.days}
            onChange={(days) => onEdit({ days })}
            disabled={fixed}
            numeric
            unit="days"
            aria-label="Days, 1 to 2000"
            inputMode="numeric"
            invalid={check.days !== null}
          />
          <p className={textStyles.muted}>
            {end === null || check.days !== null ? '' : `Ends ${dayText(end, now)}. `}This form starts at {firstDays} days, so that a leaked key ends sooner;
            the service’s own default is {serviceDays}.
          </p>
        </div>
        {check.days === null ? null : (
          <p className={cx(controlsStyles.help, controlsStyles.error)} id="key-days-help" role="alert">
            <Icon name="stop" />
            <span>{check.days}</span>
          </p>
        )}
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>
          From where <span className={textStyles.muted}>Leave empty to allow any address</span>
        </legend>
        <AllowlistEditor entries={check.entries} disabled={fixed} onChange={(entries) => onEdit({ entries })} />
        {seen === null || fixed || check.entries.length !== 1 || check.entries[0]?.normal !== seen.address ? null : (
          <p className={textStyles.muted}>Only from here, as the exchange sees this computer. If the bot runs elsewhere, give its address instead.</p>
        )}
        {seen === null || fixed || check.entries.some((entry) => entry.normal === seen.address) ? null : (
          <Button size="sm" variant="ghost" icon="globe" onClick={() => onEdit({ entries: [...state.entries, seen.address] })}>
            Add {seen.address}, where the exchange saw this computer
          </Button>
        )}
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>
          How fast <span className={textStyles.muted}>Optional, within the service’s own caps</span>
        </legend>
        <QuotaEditor quotas={state.quotas} known={knownQuotas} disabled={fixed} onChange={(quotas) => onEdit({ quotas })} />
      </fieldset>
      <div className={styles.formFoot}>
        {fixed ? (
          <State tone="ok" icon="lock">
            Keychain ready, a test entry was written and read back
          </State>
        ) : (
          <State tone="off" icon="lock">
            The keychain is tried before anything is asked for
          </State>
        )}
        <span className={styles.actions}>
          {fixed ? (
            <Button variant="ghost" icon="pen" busy={changing} onClick={onChange}>
              Change it
            </Button>
          ) : null}
          <Button variant="ghost" onClick={onLeave}>
            {draft?.state === 'unknown' ? 'Leave it' : 'Leave, nothing is created'}
          </Button>
        </span>
      </div>
      <button type="submit" hidden />
    </form>
  )
}

interface QuotaEditorProps {
  readonly quotas: readonly TypedQuota[]
  /** Names that the service gave to this wallet's other keys. */
  readonly known: readonly string[]
  readonly disabled: boolean
  readonly onChange: (quotas: readonly TypedQuota[]) => void
}

/** Limits of a key as name and number, sent as typed. Which names there are is the service's to say. */
function QuotaEditor({ quotas, known, disabled, onChange }: QuotaEditorProps) {
  const edit = (index: number, change: Partial<TypedQuota>) => onChange(quotas.map((one, at) => (at === index ? { ...one, ...change } : one)))
  const unused = known.filter((name) => !quotas.some((one) => one.name.trim() === name))
  const add = (name: string) => onChange([...quotas, { name, value: '' }])
  return (
    <>
      {quotas.length === 0 ? null : (
        <ul className={styles.quotas}>
          {quotas.map((quota, index) => {
            const issue = quotaIssue(
              quota,
              quotas.filter((_, at) => at < index),
            )
            const id = `quota-${index}`
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place while it is typed
              <li key={index}>
                <Input
                  id={`${id}-name`}
                  value={quota.name}
                  onChange={(name) => edit(index, { name })}
                  disabled={disabled}
                  mono
                  placeholder="name"
                  aria-label={`Name of limit ${index + 1}`}
                  invalid={issue !== null && quota.value !== ''}
                />
                <Input
                  id={id}
                  value={quota.value}
                  onChange={(value) => edit(index, { value })}
                  disabled={disabled}
                  numeric
                  placeholder="0"
                  aria-label={`Value of limit ${index + 1}`}
                  invalid={issue !== null && quota.value !== ''}
                />
                {disabled ? null : <IconButton icon="x" label={`Remove limit ${index + 1}`} onClick={() => onChange(quotas.filter((_, at) => at !== index))} />}
                {issue === null || (quota.value === '' && quota.name === '') ? null : (
                  <p className={cx(controlsStyles.help, controlsStyles.error)} id={`${id}-help`} role="alert">
                    <Icon name="stop" />
                    <span>{issue}</span>
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {disabled ? null : (
        <span className={styles.actions}>
          {unused.map((name) => (
            <Button key={name} size="sm" icon="plus" onClick={() => add(name)}>
              <code>{name}</code>
            </Button>
          ))}
          <Button size="sm" variant="ghost" icon="plus" onClick={() => add('')}>
            Add a limit
          </Button>
        </span>
      )}
    </>
  )
}
