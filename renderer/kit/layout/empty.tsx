import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import iconStyles from '../icons/icon.module.css'
import { Icon, type IconName } from '../icons/icon.tsx'
import notesStyles from './notes.module.css'

/** A place with no content yet: says what will be here and how to get it. Also used for "no permission" and, left-aligned, for errors. */
export function Empty({
  icon = 'inbox',
  title,
  actions,
  left = false,
  tone,
  children,
}: {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly left?: boolean
  readonly tone?: 'danger'
  readonly children?: ReactNode
}) {
  return (
    <div className={left ? cx(notesStyles.empty, notesStyles.left) : notesStyles.empty}>
      <Icon name={icon} className={tone === 'danger' ? cx(iconStyles.big, iconStyles.bad) : iconStyles.big} />
      <h3>{title}</h3>
      {children === undefined ? null : <div className={notesStyles.emptyText}>{children}</div>}
      {actions === undefined ? null : <div className={notesStyles.emptyActions}>{actions}</div>}
    </div>
  )
}
