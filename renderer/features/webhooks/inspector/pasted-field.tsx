import { useRef } from 'react'

interface PastedFieldProps {
  readonly id: string
  readonly value: string
  readonly invalid: boolean
  readonly onChange: (text: string) => void
}

const oneKind = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * Takes what is pasted with its own line breaks. A text field keeps one kind only, and the signature is that of the bytes: so the clipboard's text is
 * remembered for as long as the field shows it and nothing else.
 */
export function PastedField({ id, value, invalid, onChange }: PastedFieldProps) {
  const pasted = useRef('')
  return (
    <textarea
      id={id}
      className="ins-text"
      rows={16}
      spellCheck={false}
      autoComplete="off"
      placeholder={
        'POST /hooks HTTP/1.1\nUser-Agent: Svc-DEX-Webhook/1.0\nX-Svc-Event: order.filled\nX-Svc-Event-ID: …\nX-Svc-Timestamp: …\nX-Svc-Signature: v1=…\n\n{"id": …}'
      }
      value={oneKind(value)}
      aria-invalid={invalid || undefined}
      aria-describedby={`${id}-help`}
      onPaste={(event) => {
        pasted.current = event.clipboardData.getData('text/plain')
      }}
      onChange={(event) => {
        const shown = event.target.value
        onChange(shown === oneKind(pasted.current) ? pasted.current : shown)
      }}
    />
  )
}
