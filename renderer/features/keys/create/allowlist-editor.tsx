import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import styles from '../keys.module.css'
import { type AllowlistEntry, splitEntries } from './allowlist.ts'

interface AllowlistEditorProps {
  readonly entries: readonly AllowlistEntry[]
  readonly disabled: boolean
  readonly onChange: (entries: readonly string[]) => void
}

/** Addresses as chips: typed one by one, pasted as a list, judged at once. Backspace in the empty field takes the last one back. */
export function AllowlistEditor({ entries, disabled, onChange }: AllowlistEditorProps) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const texts = entries.map((entry) => entry.text)
  const wrong = entries.some((entry) => entry.issue?.level === 'error')
  const addAll = (text: string) => {
    const more = splitEntries(text)
    if (more.length > 0) onChange([...texts, ...more])
    setTyped('')
  }
  const replace = (index: number, text: string | null) => onChange(texts.flatMap((one, at) => (at !== index ? [one] : text === null ? [] : [text])))
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ',' || event.key === ' ') && typed.trim() !== '') {
      event.preventDefault()
      addAll(typed)
    } else if (event.key === 'Backspace' && typed === '' && texts.length > 0) {
      event.preventDefault()
      setTyped(texts.at(-1) ?? '')
      onChange(texts.slice(0, -1))
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text')
    if (splitEntries(pasted).length < 2) return
    event.preventDefault()
    addAll(pasted)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the chips only moves the focus to the field */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside is the control */}
      <div className={wrong ? cx(styles.addresses, styles.isError) : styles.addresses} onClick={() => input.current?.focus()}>
        {entries.map((entry, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand in the list twice
            key={`${index}:${entry.text}`}
            className={entry.issue === null ? styles.address : entry.issue.level === 'error' ? cx(styles.address, styles.bad) : cx(styles.address, styles.warn)}
          >
            {entry.issue === null ? null : <Icon name={entry.issue.level === 'error' ? 'stop' : 'warn'} size={12} />}
            <code>{entry.text}</code>
            {disabled ? null : (
              <button type="button" aria-label={`Remove ${entry.text}`} onClick={() => replace(index, null)}>
                <Icon name="x" size={12} />
              </button>
            )}
          </span>
        ))}
        <input
          ref={input}
          id="allowlist"
          aria-label="Add an address or range"
          aria-describedby="allowlist-help"
          placeholder={entries.length === 0 ? '203.0.113.7 or 2001:db8::/64' : 'Add another'}
          value={typed}
          disabled={disabled}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => addAll(typed)}
        />
      </div>
      <ul className={styles.addressMessages} id="allowlist-help" aria-live="polite">
        {entries.map((entry, index) => {
          const issue = entry.issue
          if (issue === null) return null
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand in the list twice
              key={`${index}:${entry.text}`}
              className={issue.level === 'error' ? cx(controlsStyles.help, controlsStyles.error) : cx(controlsStyles.help, controlsStyles.warn)}
            >
              <Icon name={issue.level === 'error' ? 'stop' : 'warn'} />
              <span>
                <code>{entry.text}</code> {issue.text}
              </span>
              {issue.fix === null || disabled ? null : (
                <Button size="xs" onClick={() => replace(index, issue.fix?.entry ?? null)}>
                  {issue.fix.label}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
