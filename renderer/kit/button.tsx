import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Icon, type IconName } from './icons/icon.tsx'
import marksStyles from './marks.module.css'

export type ButtonVariant = 'standard' | 'primary' | 'ghost' | 'danger' | 'danger-fill' | 'long' | 'short'
export type ButtonSize = 'xs' | 'sm' | 'md' | 'lg'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly icon?: IconName
  /** True while the button's work is running. The button then keeps its place and focus, informs screen readers and ignores clicks. */
  readonly busy?: boolean
  /** The shortcut for the same action, shown on the button, for example `['Ctrl', 'K']`. */
  readonly kbd?: readonly string[]
  readonly block?: boolean
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button with text, which is its accessible name. The shortcut `kbd` is shown but not part of that name. */
export function Button({ variant = 'standard', size = 'md', icon, busy = false, kbd, block = false, className, children, onClick, ...rest }: ButtonProps) {
  const classes = [
    styles.button,
    variant === 'standard' ? '' : styles[variant],
    size === 'md' ? '' : styles[size],
    block ? styles.block : '',
    busy ? styles.busy : '',
    className,
  ]
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button type="button" className={cx(...classes)} aria-busy={busy || undefined} aria-disabled={busy || undefined} onClick={press} {...rest}>
      {busy ? (
        <span className={styles.spin} aria-hidden="true" />
      ) : icon === undefined ? null : (
        <Icon name={icon} size={size === 'xs' || size === 'sm' ? 14 : 16} />
      )}
      {children}
      {kbd === undefined ? null : <Keys keys={kbd} />}
    </button>
  )
}

/** Moves the focus past what comes before. Visible only while it has the keyboard’s focus. */
export const SkipButton = ({ onClick, children }: Pick<ButtonProps, 'onClick' | 'children'>) => (
  <button type="button" className={styles.skip} onClick={onClick}>
    {children}
  </button>
)

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'kbd' | 'block'> {
  readonly icon: IconName
  readonly label: string
}

export function IconButton({ icon, label, variant = 'ghost', size = 'md', className, busy = false, onClick, ...rest }: IconButtonProps) {
  const classes = [styles.button, styles.icon, variant === 'standard' ? '' : styles[variant], size === 'md' ? '' : styles[size], className]
  return (
    <button
      type="button"
      className={cx(...classes)}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      {...rest}
    >
      {busy ? <span className={styles.spin} aria-hidden="true" /> : <Icon name={icon} size={size === 'xs' ? 14 : 16} />}
    </button>
  )
}

/** The keys of a shortcut, drawn as key caps. Hidden from screen readers, because the shortcut is not part of a control's name. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className={marksStyles.keys} aria-hidden="true">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
