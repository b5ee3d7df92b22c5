import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { roveOnKey } from '../../../kit/roving.ts'
import textStyles from '../../../kit/text.module.css'
import styles from '../keys.module.css'
import { adviseScopes, inOrder, powers, presetOf, presets, type Scope, scopeWarnings, tasks } from './scope-choice.ts'

interface PickerProps {
  readonly scopes: readonly Scope[]
  readonly disabled: boolean
  readonly onChange: (scopes: readonly Scope[]) => void
}

function Presets({ scopes, disabled, onChange }: PickerProps) {
  const chosen = presetOf(scopes)
  return (
    <div
      className={styles.presets}
      role="radiogroup"
      aria-label="Preset"
      tabIndex={-1}
      onKeyDown={(event) => roveOnKey(event, '[role=radio]:not(:disabled)', true)}
    >
      {presets.map((preset, index) => (
        // biome-ignore lint/a11y/useSemanticElements: each choice is a card with words of its own, which a native radio cannot hold
        <button
          key={preset.id}
          type="button"
          role="radio"
          aria-checked={chosen === preset.id}
          disabled={disabled}
          tabIndex={chosen === preset.id || (chosen === null && index === 0) ? 0 : -1}
          className={preset.id === 'treasury' ? cx(styles.preset, styles.hot) : styles.preset}
          onClick={() => onChange(preset.scopes)}
        >
          <Icon name={preset.icon} />
          <span className={controlsStyles.radio} aria-hidden="true" data-on={chosen === preset.id || undefined} />
          <b className={textStyles.name}>{preset.name}</b>
          <small>{preset.detail}</small>
        </button>
      ))}
    </div>
  )
}

/** Asks what the bot does and names the least that it needs. */
function Adviser({ onUse }: { readonly onUse: (scopes: readonly Scope[]) => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { scopes, reasons } = adviseScopes(chosen)
  return (
    <section className={styles.advanced} aria-label="What the bot does">
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <Checkbox checked={chosen.includes(task.id)} onChange={(on) => setChosen(on ? [...chosen, task.id] : chosen.filter((id) => id !== task.id))}>
              {task.text}
            </Checkbox>
          </li>
        ))}
      </ul>
      <div className={styles.advancedPreview} role="status">
        {scopes.length === 0 ? (
          <p className={textStyles.muted}>Tick what it does. The least that it needs is named here.</p>
        ) : (
          <>
            <dl>
              {reasons.map(({ scope, why }) => (
                <div key={scope}>
                  <dt>
                    <code>{scope}</code>
                  </dt>
                  <dd>{why}</dd>
                </div>
              ))}
            </dl>
            <Button size="sm" onClick={() => onUse(scopes)}>
              Use {scopes.length === 1 ? 'this scope' : `these ${scopes.length} scopes`}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** What a key may do: a preset, single scopes, or what the adviser names. */
export function ScopePicker({ scopes, disabled, onChange }: PickerProps) {
  const [asks, setAsks] = useState(false)
  const toggle = (scope: Scope, on: boolean) => onChange(inOrder(on ? [...scopes, scope] : scopes.filter((one) => one !== scope)))
  return (
    <>
      <Presets scopes={scopes} disabled={disabled} onChange={onChange} />
      <ul className={styles.scopes}>
        {powers.map(({ scope, name, detail }) => (
          <li key={scope} className={scope === 'collateral:manage' ? cx(styles.scopeRow, styles.hot) : styles.scopeRow}>
            <Checkbox checked={scopes.includes(scope)} disabled={disabled} onChange={(on) => toggle(scope, on)}>
              <span>
                <b>{name}</b>
                <code>{scope}</code>
                <small>{detail}</small>
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <ul className={styles.addressMessages} aria-live="polite">
        {scopes.length === 0 ? (
          <li className={cx(controlsStyles.help, controlsStyles.error)}>
            <Icon name="stop" />
            <span>Choose at least one. The service makes no key without a scope.</span>
          </li>
        ) : (
          scopeWarnings(scopes).map((warning) => (
            <li key={warning} className={cx(controlsStyles.help, controlsStyles.warn)}>
              <Icon name="warn" />
              <span>{warning}</span>
            </li>
          ))
        )}
      </ul>
      {disabled ? null : (
        <Button size="sm" variant="ghost" icon={asks ? 'chevron-down' : 'chevron-right'} aria-expanded={asks} onClick={() => setAsks(!asks)}>
          Not sure? Say what the bot does
        </Button>
      )}
      {asks && !disabled ? <Adviser onUse={onChange} /> : null}
    </>
  )
}
