import styles from './marks.module.css'
import { VisibleText } from './visible-text.tsx'

/** The words of a command, each drawn separately. So even an empty word is visible, and text can't be hidden between words. */
export function CommandWords({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  const placed = words.map((word, place) => ({ word, id: `${place} ${word}` }))
  return (
    <ol className={styles.commandWords} aria-label={label}>
      {placed.map(({ word, id }) => (
        <li key={id}>
          <code>{word === '' ? '\u00a0' : <VisibleText text={word} />}</code>
        </li>
      ))}
    </ol>
  )
}
