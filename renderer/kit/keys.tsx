import styles from './marks.module.css'
/** Key caps. Hidden from screen readers: the shortcut is not part of a control's name. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className={styles.keys} aria-hidden="true">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
