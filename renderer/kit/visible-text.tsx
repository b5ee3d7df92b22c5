import { visibleParts } from '../../shared/signing/wording.ts'
import { textOf } from '../../shared/text/catalogue.ts'
import { kitText } from '../text/en/kit.en.tsx'
import { serviceWords } from '../text/en/parts.en.tsx'
import styles from './marks.module.css'
import { shortId } from './number.tsx'

/** Shows untrusted text exactly as it is: uses only text nodes, isolates the text direction, and shows invisible characters by their codes. */
export function VisibleText({ text, title }: { readonly text: string; readonly title?: string }) {
  const parts = visibleParts(text)
  if (parts.length === 1 && parts[0]?.hidden === false)
    return (
      <bdi translate="no" title={title}>
        {text}
      </bdi>
    )
  return (
    <bdi translate="no" title={title}>
      {parts.map(({ text: part, hidden, start }) =>
        hidden ? (
          <b key={start} className={styles.hiddenChar} title={kitText.invisibleCharacter}>
            {part}
          </b>
        ) : (
          <span key={start}>{part}</span>
        ),
      )}
    </bdi>
  )
}

/** The readable form of a name that the service gave: `new_orders` becomes "New orders". */
export function readableName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The app’s word for a state or type in the service’s words. The API document lists few of these words, so a word that the app does not know only
 * becomes readable.
 */
export const serviceWord = (word: string): string =>
  textOf(
    serviceWords,
    word
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  ) ?? readableName(word)

/** A state or type in the app’s words, with the service’s word as tooltip; a dash if the service gave none. */
export const ServiceWord = ({ word }: { readonly word: string | null | undefined }) =>
  word == null ? '—' : <VisibleText text={serviceWord(word)} title={word} />

export function CodeId({ id, className }: { readonly id: string; readonly className?: string | undefined }) {
  return (
    <code className={className} title={id}>
      {shortId(id)}
    </code>
  )
}

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
