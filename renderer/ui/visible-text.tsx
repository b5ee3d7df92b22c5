import { visibleParts } from '../../shared/signing/visible-text.ts'

/** Text of others as it is: text nodes only, its direction kept to itself, characters that cannot be seen drawn by their names. */
export function VisibleText({ text }: { readonly text: string }) {
  const parts = visibleParts(text)
  if (parts.length === 1 && parts[0]?.hidden === false) return <bdi>{text}</bdi>
  return (
    <bdi>
      {parts.map(({ text: part, hidden, start }) =>
        hidden ? (
          <b key={start} className="hidden-char" title="A character that cannot be seen">
            {part}
          </b>
        ) : (
          <span key={start}>{part}</span>
        ),
      )}
    </bdi>
  )
}
