import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import type { Command } from '../../../kit/layout/commands.tsx'

type Action = 'extend' | 'rotate' | 'replace' | 'revoke'

const words: Readonly<Record<Action, { readonly icon: IconName; readonly label: (key: string) => string }>> = {
  extend: { icon: 'clock', label: (key) => `Extend ${key}` },
  rotate: { icon: 'rotate', label: (key) => `Rotate ${key}` },
  replace: { icon: 'swap', label: (key) => `Replace ${key} without a gap` },
  revoke: { icon: 'trash', label: (key) => `Revoke ${key}` },
}

/** What the palette can do with a key that may be used. */
export const keyCommands = ({ id, label }: KeySummary, actions: readonly Action[], open: (action: Action) => void): readonly Command[] =>
  actions.map((action) => ({
    id: `${action}-${id}`,
    group: 'Keys',
    label: words[action].label(label),
    icon: words[action].icon,
    run: () => open(action),
  }))
