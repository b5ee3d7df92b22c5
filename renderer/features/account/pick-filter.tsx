import { Button } from '../../kit/button.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'

interface PickFilterProps {
  readonly label: string
  readonly all: string
  /** Value and words of each. */
  readonly choices: readonly (readonly [string, string])[]
  /** null: all. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

/** One of a few, or all. */
export const PickFilter = ({ label, all, choices, value, onChange }: PickFilterProps) => (
  <Menu
    label={label}
    entries={[
      { label: all, checked: value === null, onSelect: () => onChange(null) },
      ...choices.map(([one, words]) => ({ label: words.slice(0, 60), checked: value === one, onSelect: () => onChange(one) })),
    ]}
    trigger={(props) => (
      <Button size="sm" variant={value === null ? 'ghost' : 'standard'} icon="chevron-down" {...props}>
        {choices.find(([one]) => one === value)?.[1].slice(0, 24) ?? all}
      </Button>
    )}
  />
)

const sides = [
  ['long', 'Long'],
  ['short', 'Short'],
] as const

/** The markets among the rows, and the two sides. */
export function MarketAndSide({
  symbols,
  symbol,
  side,
  onChange,
}: {
  readonly symbols: readonly string[]
  readonly symbol: string | null
  readonly side: 'long' | 'short' | null
  readonly onChange: (change: { readonly symbol: string | null } | { readonly side: 'long' | 'short' | null }) => void
}) {
  return (
    <>
      <PickFilter
        label="Market"
        all="All markets"
        choices={symbols.map((one) => [one, one])}
        value={symbol}
        onChange={(chosen) => onChange({ symbol: chosen })}
      />
      <PickFilter
        label="Side"
        all="Both sides"
        choices={sides}
        value={side}
        onChange={(chosen) => onChange({ side: chosen === 'long' || chosen === 'short' ? chosen : null })}
      />
    </>
  )
}
