import { Icon } from '../../../kit/icons/icon.tsx'

interface UnitChoiceProps<V extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: V; readonly label: string }[]
  readonly value: V
  readonly onChange: (value: V) => void
}

/** The unit of a field, chosen in the field: the platform's own list, so that keys work as everywhere. */
export function UnitChoice<V extends string>({ label, choices, value, onChange }: UnitChoiceProps<V>) {
  return (
    <span className="unit-pick">
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </span>
  )
}
