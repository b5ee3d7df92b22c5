import { visibleParts } from '../../shared/signing/visible-text.ts'
import styles from './marks.module.css'

/** Text of others as it is: text nodes only, its direction kept to itself, characters that cannot be seen drawn by their names. */
export function VisibleText({ text, title }: { readonly text: string; readonly title?: string }) {
  const parts = visibleParts(text)
  if (parts.length === 1 && parts[0]?.hidden === false) return <bdi title={title}>{text}</bdi>
  return (
    <bdi title={title}>
      {parts.map(({ text: part, hidden, start }) =>
        hidden ? (
          <b key={start} className={styles.hiddenChar} title="A character that cannot be seen">
            {part}
          </b>
        ) : (
          <span key={start}>{part}</span>
        ),
      )}
    </bdi>
  )
}
