import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import iconStyles from '../icons/icon.module.css'
import { Icon, type IconName } from '../icons/icon.tsx'
import notesStyles from './notes.module.css'

/**
 * Shown where there is no content yet: explains what will appear there and how to get it. Also used for a missing permission and, left-aligned, for
 * errors.
 */
export function Empty({
  icon = 'inbox',
  title,
  level = 2,
  actions,
  left = false,
  tone,
  children,
}: {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly level?: 2 | 3
  readonly actions?: ReactNode
  readonly left?: boolean
  readonly tone?: 'danger'
  readonly children?: ReactNode
}) {
  const Title = `h${level}` as const
  return (
    <div className={left ? cx(notesStyles.empty, notesStyles.left) : notesStyles.empty}>
      <Icon name={icon} className={tone === 'danger' ? cx(iconStyles.big, iconStyles.bad) : iconStyles.big} />
      <Title className={notesStyles.emptyTitle}>{title}</Title>
      {children === undefined ? null : <div className={notesStyles.emptyText}>{children}</div>}
      {actions === undefined ? null : <div className={notesStyles.emptyActions}>{actions}</div>}
    </div>
  )
}
