import { cx } from '../cx.ts'
import styles from './icon.module.css'
import { type IconName, iconShapes } from './icon-shapes.tsx'

export type { IconName } from './icon-shapes.tsx'

interface IconProps {
  readonly name: IconName
  /** The icon's width and height in pixels; 16 by default. */
  readonly size?: 12 | 14 | 16 | 20
  readonly className?: string | undefined
  /** The icon's name for screen readers, if there is no text beside the icon. Without a label, the icon is hidden from them. */
  readonly label?: string
}

export function Icon({ name, size = 16, className, label }: IconProps) {
  const classes = cx(styles.icon, size === 16 ? '' : styles[`s${size}`], className)
  const shape = iconShapes[name]
  return label === undefined ? (
    <svg className={classes} viewBox="0 0 24 24" aria-hidden="true">
      {shape}
    </svg>
  ) : (
    <svg className={classes} viewBox="0 0 24 24" role="img" aria-label={label}>
      {shape}
    </svg>
  )
}

export function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" className={styles.logoBg} />
      <path d="M7 8.5h10M7 8.5v3.5h10v3.5H7" className={styles.logoS} />
    </svg>
  )
}
