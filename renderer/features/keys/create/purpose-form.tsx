import type { FormEvent, ReactNode } from 'react'
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
import { keysText } from '../../../text/en/keys.en.tsx'
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
  /** A hint that says what the user must still do before the form can be sent; `null` if nothing is missing. */
  readonly note: ReactNode
  /** This computer's address as the exchange saw it; `null` if unknown. */
  readonly seen: SeenAddress | null
  /** Limit names that this wallet's keys already use. */
  readonly knownQuotas: readonly string[]
  readonly onEdit: (change: Partial<NewKeyState>) => void
  readonly onSubmit: () => void
  readonly onChange: () => void
  readonly onLeave: () => void
  readonly changing: boolean
}

const exampleName = 'grid-eth-2'

/** The form with the key's purpose, name, lifetime and allowlist. Read-only while a grant for the key is prepared. */
export function PurposeForm({ state, check, draft, pressed, note, seen, knownQuotas, onEdit, onSubmit, onChange, onLeave, changing }: FormProps) {
  const now = useNow(minute)
  const fixed = draft !== null
  const end = endOf(state.days, now)
  const preset = dayPresets.find((one) => one === state.days.trim())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={cx(panelStyles.panel, styles.newKeyForm)} aria-label={keysText.purpose} onSubmit={submit} noValidate>
      {note === null ? null : <div className={styles.newKeyNote}>{note}</div>}
      <fieldset disabled={fixed}>
        <legend>{keysText.purpose}</legend>
        <Field id="key-label" label={keysText.name} help={labelHelp(state.label, exampleName)} error={pressed ? check.label : undefined}>
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
        <legend>{keysText.permissions}</legend>
        <ScopePicker scopes={state.scopes} disabled={fixed} onChange={(scopes) => onEdit({ scopes })} />
        {isBotReady(state.scopes) ? (
          <p className={styles.newKeyAgent}>
            <Checkbox checked={state.agent} disabled={fixed} onChange={(agent) => onEdit({ agent })}>
              {keysText.withTradingAgent}
            </Checkbox>
          </p>
        ) : null}
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>{keysText.validity}</legend>
        <div className={styles.newKeyDays}>
          <Segments
            label={keysText.validity}
            size="md"
            choices={dayPresets.map((days) => ({ value: days as string, label: keysText.dayCount(Number(days)), disabled: fixed }))}
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
            unit={keysText.daysUnit}
            aria-label={keysText.daysRange}
            inputMode="numeric"
            invalid={check.days !== null}
            aria-describedby={check.days === null ? undefined : 'key-days-help'}
          />
          <p className={textStyles.muted}>
            {end === null || check.days !== null ? null : <>{keysText.expiresOn(dayText(end, now))} </>}
            {keysText.defaultDays(firstDays, serviceDays)}
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
          {keysText.allowedAddresses} <span className={textStyles.muted}>{keysText.allowlistHint}</span>
        </legend>
        <AllowlistEditor entries={check.entries} disabled={fixed} onChange={(entries) => onEdit({ entries })} />
        {seen === null || fixed || check.entries.length !== 1 || check.entries[0]?.normal !== seen.address ? null : (
          <p className={textStyles.muted}>{keysText.onlyThisComputer}</p>
        )}
        {seen === null || fixed || check.entries.some((entry) => entry.normal === seen.address) ? null : (
          <Button size="sm" variant="ghost" icon="globe" onClick={() => onEdit({ entries: [...state.entries, seen.address] })}>
            {keysText.addSeenAddress(seen.address)}
          </Button>
        )}
      </fieldset>
      <fieldset disabled={fixed}>
        <legend>
          {keysText.limitsTitle} <span className={textStyles.muted}>{keysText.limitsHint}</span>
        </legend>
        <QuotaEditor quotas={state.quotas} known={knownQuotas} disabled={fixed} onChange={(quotas) => onEdit({ quotas })} />
      </fieldset>
      <div className={styles.formFoot}>
        {fixed ? (
          <State tone="ok" icon="lock">
            {keysText.keychainReady}
          </State>
        ) : (
          <State tone="off" icon="lock">
            {keysText.keychainTestPending}
          </State>
        )}
        <span className={styles.actions}>
          {fixed ? (
            <Button variant="ghost" icon="pen" busy={changing} onClick={onChange}>
              {keysText.change}
            </Button>
          ) : null}
          <Button variant="ghost" onClick={onLeave}>
            {draft?.state === 'unknown' ? keysText.leave : keysText.leaveWithoutCreating}
          </Button>
        </span>
      </div>
      <button type="submit" hidden />
    </form>
  )
}

interface QuotaEditorProps {
  readonly quotas: readonly TypedQuota[]
  readonly known: readonly string[]
  readonly disabled: boolean
  readonly onChange: (quotas: readonly TypedQuota[]) => void
}

/** Edits a key's limits, each a name and a number. Sends them as typed, because only the service knows which names are valid. */
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
            const shownIssue = quota.value === '' && quota.name === '' ? null : issue
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
                  placeholder={keysText.limitNamePlaceholder}
                  aria-label={keysText.nameOfLimit(index + 1)}
                  invalid={issue !== null && quota.value !== ''}
                />
                <Input
                  id={id}
                  value={quota.value}
                  onChange={(value) => edit(index, { value })}
                  disabled={disabled}
                  numeric
                  placeholder="0"
                  aria-label={keysText.valueOfLimit(index + 1)}
                  aria-describedby={shownIssue === null ? undefined : `${id}-help`}
                  invalid={issue !== null && quota.value !== ''}
                />
                {disabled ? null : (
                  <IconButton icon="x" label={keysText.removeLimit(index + 1)} onClick={() => onChange(quotas.filter((_, at) => at !== index))} />
                )}
                {shownIssue === null ? null : (
                  <p className={cx(controlsStyles.help, controlsStyles.error)} id={`${id}-help`} role="alert">
                    <Icon name="stop" />
                    <span>{shownIssue}</span>
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
            {keysText.addLimit}
          </Button>
        </span>
      )}
    </>
  )
}
