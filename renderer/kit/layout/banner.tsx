import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import notesStyles from './notes.module.css'

/** Across a page: something that holds for all of it, with its one or two answers. */
export function Banner({
  tone = 'neutral',
  icon,
  title,
  actions,
  children,
}: {
  readonly tone?: 'neutral' | 'warn' | 'danger'
  readonly icon: IconName
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <div className={tone === 'neutral' ? notesStyles.banner : cx(notesStyles.banner, notesStyles[tone])} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <p>
        <b>{title}</b> {children}
      </p>
      {actions === undefined ? null : <span className={textStyles.actions}>{actions}</span>}
    </div>
  )
}
