import controlsStyles from '../../kit/controls.module.css'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Menu, type MenuEntry } from '../../kit/overlay/menu.tsx'
import styles from './batch/batch.module.css'

interface PickProps<V extends string | number> {
  /** The name of the setting that the user picks, for example "Action". */
  readonly label: string
  readonly value: V | null
  readonly none: string
  readonly choices: readonly { readonly value: V; readonly label: string; readonly under?: string }[]
  readonly onChange: (value: V) => void
}

/** A button that opens a menu in which the user picks one value. */
export function Pick<V extends string | number>({ label, value, none, choices, onChange }: PickProps<V>) {
  const chosen = choices.find((one) => one.value === value)
  const entries = choices.flatMap((choice, index): MenuEntry[] => {
    const heading = choice.under !== undefined && choices[index - 1]?.under !== choice.under ? [{ type: 'heading' as const, label: choice.under }] : []
    return [...heading, { label: choice.label, checked: choice.value === value, onSelect: () => onChange(choice.value) }]
  })
  return (
    <div className={styles.pick}>
      <span className={controlsStyles.label}>{label}</span>
      <Menu
        label={label}
        entries={entries}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            className={cx(controlsStyles.input, styles.pickNow)}
            disabled={choices.length === 0}
            aria-label={`${label}: ${chosen?.label ?? none}`}
          >
            <span>{chosen?.label ?? none}</span>
            <Icon name="chevron-down" size={14} />
          </button>
        )}
      />
    </div>
  )
}
