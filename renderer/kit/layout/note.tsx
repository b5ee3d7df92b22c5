import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import notesStyles from './notes.module.css'

export type NoteTone = 'neutral' | 'ok' | 'accent' | 'warn' | 'danger'

const icons: Readonly<Record<NoteTone, IconName>> = { neutral: 'info', ok: 'check', accent: 'info', warn: 'warn', danger: 'stop' }

interface NoteProps {
  readonly tone?: NoteTone
  readonly icon?: IconName
  readonly title?: ReactNode
  readonly end?: ReactNode
  readonly live?: boolean
  readonly children?: ReactNode
}

/** A note beside the thing that it is about. States what the user should know or do. */
export function Note({ tone = 'neutral', icon, title, end, live = false, children }: NoteProps) {
  return (
    <div
      className={tone === 'neutral' ? notesStyles.note : cx(notesStyles.note, notesStyles[tone])}
      data-part="note"
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
    >
      <Icon name={icon ?? icons[tone]} />
      <div className={textStyles.grow}>
        {title === undefined ? null : <b>{title}</b>}
        {title === undefined || children === undefined ? null : ' '}
        {children}
      </div>
      {end}
    </div>
  )
}

/** A message across the whole page, with one or two actions. */
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
