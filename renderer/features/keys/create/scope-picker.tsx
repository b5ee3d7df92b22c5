import { type ReactNode, useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/checkbox.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import iconStyles from '../../../kit/icons/icon.module.css'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { roveOnKey } from '../../../kit/roving.ts'
import textStyles from '../../../kit/text.module.css'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'
import { adviseScopes, inOrder, powers, presetOf, presets, type Scope, scopeWarnings, tasks } from './new-key-form.ts'

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
      aria-label={keysText.preset}
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

/** Asks the user which tasks the bot has, and recommends the fewest scopes for them. */
function Adviser({ onUse }: { readonly onUse: (scopes: readonly Scope[]) => void }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { scopes, reasons } = adviseScopes(chosen)
  return (
    <section className={styles.advanced} aria-label={keysText.botTasks}>
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
          <p className={textStyles.muted}>{keysText.botTasksHint}</p>
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
              {keysText.takeScopes(scopes.length)}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** Chooses what a key may do: by a preset, scope by scope, or as the adviser recommends. */
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
            <span>{keysText.noScopeChosen}</span>
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
          {keysText.describeBot}
        </Button>
      )}
      {asks && !disabled ? <Adviser onUse={onChange} /> : null}
    </>
  )
}

interface PreviewProps {
  readonly scopes: readonly Scope[]
  readonly busy: boolean
  readonly ready: boolean
  readonly hint: string | null
  readonly onCreate: () => void
  readonly children?: ReactNode
}

/** Describes what a key with custom scopes will be able to do. The key is created in one step, without a wallet signature. */
export function CustomPreview({ scopes, busy, ready, hint, onCreate, children }: PreviewProps) {
  const executes = scopes.includes('trade:execute')
  return (
    <aside className={cx(panelStyles.panel, styles.grant)} aria-labelledby="grant-title">
      <header>
        <div>
          <h2 id="grant-title">{keysText.keyInWords}</h2>
          <p className={textStyles.muted}>{keysText.createdNothingToSign}</p>
        </div>
        <Icon name="key" size={20} className={iconStyles.dim} />
      </header>
      <div className={cx(styles.words, styles.quiet)}>
        <p>
          {scopes.length === 0 ? keysText.choosePermissions : executes ? keysText.keyWithScopes(scopes.length) : keysText.keyWithSignedScopes(scopes.length)}
        </p>
      </div>
      <div className={styles.powers}>
        <div>
          <h3>{keysText.itMay}</h3>
          <ul>
            {powers
              .filter(({ scope }) => scopes.includes(scope))
              .map(({ scope, name, detail }) => (
                <li key={scope}>
                  <Icon name="check" size={14} />
                  {keysText.powerWithDetail(name, detail)}
                </li>
              ))}
          </ul>
        </div>
        <div className={styles.not}>
          <h3>{keysText.itMayNot}</h3>
          <ul>
            {powers
              .filter(({ scope }) => !scopes.includes(scope))
              .map(({ scope, name }) => (
                <li key={scope}>
                  <Icon name="x" size={14} />
                  {name}
                </li>
              ))}
            <li>
              <Icon name="x" size={14} />
              {keysText.createKeysOrWithdraw}
            </li>
          </ul>
        </div>
      </div>
      <footer>
        {executes ? (
          <Note tone="neutral" title={keysText.needsAgentAndExecutor}>
            {keysText.needsAgentAndExecutorAdvice}
          </Note>
        ) : null}
        {children}
        <Button size="lg" block variant="primary" icon="key" busy={busy} disabled={!ready} onClick={onCreate}>
          {busy ? keysText.creatingKey : keysText.createKey}
        </Button>
        <p className={hint === null ? controlsStyles.help : cx(controlsStyles.help, controlsStyles.error)}>
          <Icon name={hint === null ? 'info' : 'stop'} />
          <span>{hint ?? keysText.keychainTestedFirst}</span>
        </p>
      </footer>
    </aside>
  )
}
