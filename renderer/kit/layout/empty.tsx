import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon.tsx'

/** A place with nothing in it yet: what will be here and how it comes. Also the look of "no permission" and, at the left, of errors. */
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
    <div className={left ? 'state-c left' : 'state-c'}>
      <Icon name={icon} className={tone === 'danger' ? 'big bad' : 'big'} />
      <h3>{title}</h3>
      {children === undefined ? null : <div className="state-c-text">{children}</div>}
      {actions === undefined ? null : <div className="state-c-acts">{actions}</div>}
    </div>
  )
}
