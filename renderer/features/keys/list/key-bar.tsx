import type { ReactNode } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { Button } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Input } from '../../../kit/input.tsx'
import type { Command } from '../../../kit/layout/commands.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { Menu, type MenuEntry } from '../../../kit/overlay/menu.tsx'
import textStyles from '../../../kit/text.module.css'
import { keysText } from '../../../text/en/keys.en.tsx'
import { type KeyFilter, type KeyGrouping, type KeyOrder, type KeyView, orderWords } from '../key-view.ts'
import styles from '../keys.module.css'

const orders: readonly { readonly by: KeyOrder['by']; readonly label: string }[] = [
  { by: 'expiry', label: keysText.expirySoonestFirst },
  { by: 'name', label: keysText.name },
  { by: 'used', label: keysText.lastUsed },
]

const groupings: readonly { readonly value: KeyGrouping; readonly label: string }[] = [
  { value: 'none', label: keysText.noGroups },
  { value: 'group', label: keysText.group },
  { value: 'environment', label: keysText.environment },
]

const filters: readonly { readonly value: KeyFilter; readonly word: string }[] = [
  { value: 'all', word: keysText.all },
  { value: 'active', word: keysText.active },
  { value: 'ending', word: keysText.expiring },
  { value: 'inactive', word: keysText.notActive },
]

interface BarProps {
  readonly view: KeyView
  readonly counts: Readonly<Record<KeyFilter, number>>
  readonly onView: (change: Partial<KeyView>) => void
  /** Elements shown in the bar: when the list was read, and a refresh button. */
  readonly children: ReactNode
}

/** The bar above the key list. The user chooses its filter and order here. */
export function KeyBar({ view, counts, onView, children }: BarProps) {
  const { filter, typed, order, grouping } = view
  const entries: MenuEntry[] = [
    { type: 'heading', label: keysText.sortBy },
    ...orders.map(({ by, label }) => ({ label, checked: order.by === by, onSelect: () => onView({ order: { by, reversed: false } }) })),
    { type: 'separator' },
    { type: 'heading', label: keysText.groupByYourNotes },
    ...groupings.map(({ value, label }) => ({ label, checked: grouping === value, onSelect: () => onView({ grouping: value }) })),
  ]
  return (
    <div className={cx(panelStyles.panelHead, styles.keyBar)}>
      <Segments
        label={keysText.show}
        choices={filters.map(({ value, word }) => ({
          value,
          label: (
            <>
              {word}
              <span className={textStyles.muted}>{counts[value]}</span>
            </>
          ),
        }))}
        value={filter}
        onChange={(value) => onView({ filter: value })}
      />
      <Input
        id="key-filter"
        className={styles.keyFind}
        icon="search"
        value={typed}
        onChange={(text) => onView({ typed: text })}
        placeholder={keysText.filterPlaceholder}
        aria-label={keysText.filterKeys}
      />
      <span className={panelStyles.end}>
        {children}
        <Menu
          label={keysText.listOrder}
          align="end"
          entries={entries}
          trigger={(props) => (
            <Button size="sm" variant="ghost" icon="filter" {...props}>
              {orderWords(order)}
            </Button>
          )}
        />
      </span>
    </div>
  )
}

type Action = 'extend' | 'rotate' | 'replace' | 'revoke'

const words: Readonly<Record<Action, { readonly icon: IconName; readonly label: (key: string) => string }>> = {
  extend: { icon: 'clock', label: (key) => keysText.extendNamed(key) },
  rotate: { icon: 'rotate', label: (key) => keysText.rotateNamed(key) },
  replace: { icon: 'swap', label: (key) => keysText.replaceWithoutDowntime(key) },
  revoke: { icon: 'trash', label: (key) => keysText.revokeNamed(key) },
}

/** The commands that the command palette offers for a key that is still usable. */
export const keyCommands = ({ id, label }: KeySummary, actions: readonly Action[], open: (action: Action) => void): readonly Command[] =>
  actions.map((action) => ({
    id: `${action}-${id}`,
    group: keysText.keys,
    label: words[action].label(label),
    icon: words[action].icon,
    ...(action === 'revoke' || action === 'rotate' ? { risk: words[action].label('') } : {}),
    run: () => open(action),
  }))
