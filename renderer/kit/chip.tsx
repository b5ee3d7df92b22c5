import type { ReactNode } from 'react'
import { kitText } from '../text/en/kit.en.tsx'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icons/icon.tsx'
import styles from './marks.module.css'

export type ChipTone = 'neutral' | 'ok' | 'warn' | 'danger' | 'accent' | 'practice' | 'line'

/** A small label that names what a thing is. For the state of a thing, use `State`. */
export function Chip({
  tone = 'neutral',
  icon,
  title,
  children,
}: {
  readonly tone?: ChipTone
  readonly icon?: IconName
  readonly title?: string
  readonly children: ReactNode
}) {
  return (
    <span className={tone === 'neutral' ? styles.chip : cx(styles.chip, styles[tone])} title={title}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </span>
  )
}

const scopeWords: Readonly<Record<string, string>> = {
  'market:read': kitText.scopeMarket,
  'account:read': kitText.scopeAccount,
  'trade:prepare': kitText.scopePrepare,
  'trade:execute': kitText.scopeExecute,
  'orders:manage': kitText.scopeOrders,
  'collateral:manage': kitText.scopeCollateral,
}

/** A key's scope in one word. The tooltip has the scope's name in the API. The scope that moves money is highlighted. */
export function ScopeChip({ scope }: { readonly scope: string }) {
  return (
    <span className={scope === 'collateral:manage' ? cx(styles.scope, styles.hot) : styles.scope} title={scope}>
      {scopeWords[scope] ?? scope}
    </span>
  )
}

export function ScopeChips({ scopes }: { readonly scopes: readonly string[] }) {
  return (
    <span className={styles.scopes}>
      {scopes.map((scope) => (
        <ScopeChip key={scope} scope={scope} />
      ))}
    </span>
  )
}
