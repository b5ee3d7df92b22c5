import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../cx.ts'
import iconStyles from '../icons/icon.module.css'
import { Icon, type IconName } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
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

/** A bar in place of text that is loading. Give it the text's width, so that nothing moves when the text appears. */
export function Skeleton({ width, height, round = false }: { readonly width: number | string; readonly height?: number; readonly round?: boolean }) {
  return (
    <span
      className={notesStyles.skeleton}
      aria-hidden="true"
      style={{ width, ...(height === undefined ? {} : { height }), ...(round ? { borderRadius: '50%' } : {}) }}
    />
  )
}

/** Reserves the space of its placeholders at once, but shows them only after 200 ms, so that quick answers cause no flash. */
export function Loading({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={late ? cx(notesStyles.loading, notesStyles.isLate) : notesStyles.loading} role="status" aria-busy="true" aria-label={label}>
      {children}
    </div>
  )
}

const widths = [62, 54, 70, 48, 58] as const

export function SkeletonRows({ rows, columns, numeric = [] }: { readonly rows: number; readonly columns: number; readonly numeric?: readonly number[] }) {
  return (
    <tbody aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
        <tr key={row}>
          {Array.from({ length: columns }, (__, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
            <td key={column} className={numeric.includes(column) ? textStyles.right : undefined}>
              <Skeleton width={widths[(row * 2 + column) % widths.length] ?? 60} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
