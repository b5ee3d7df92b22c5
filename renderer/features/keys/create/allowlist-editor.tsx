import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { addressBits, formatIpAddress, type IpRange, ipRange, networkOf, parseIpAddress, rangeHolds } from '../../../../shared/net/ip-address.ts'
import { visibleText } from '../../../../shared/signing/wording.ts'
import { isClosedRange, unmapped } from '../../../../shared/webhooks/public-address.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { pressed } from '../../../kit/key-bindings.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../keys.module.css'

interface AllowlistEditorProps {
  readonly entries: readonly AllowlistEntry[]
  readonly disabled: boolean
  readonly onChange: (entries: readonly string[]) => void
}

/** Edits a list of addresses, which the user types or pastes. Checks each address at once. Backspace in the empty field removes the last one. */
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
    const key = pressed(event, 'addAddress', 'editAddress')
    if (key === 'addAddress' && typed.trim() !== '') {
      event.preventDefault()
      addAll(typed)
    } else if (key === 'editAddress' && typed === '' && texts.length > 0) {
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be in the list twice
            key={`${index}:${entry.text}`}
            className={entry.issue === null ? styles.address : entry.issue.level === 'error' ? cx(styles.address, styles.bad) : cx(styles.address, styles.warn)}
          >
            {entry.issue === null ? null : <Icon name={entry.issue.level === 'error' ? 'stop' : 'warn'} size={12} />}
            <code>{entry.text}</code>
            {disabled ? null : (
              <button type="button" aria-label={keysText.remove(entry.text)} onClick={() => replace(index, null)}>
                <Icon name="x" size={12} />
              </button>
            )}
          </span>
        ))}
        <input
          ref={input}
          id="allowlist"
          aria-label={keysText.addAddress}
          aria-describedby="allowlist-help"
          placeholder={entries.length === 0 ? keysText.addressPlaceholder : keysText.addAnother}
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be in the list twice
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

export interface AllowlistEntry {
  /** The entry as the user typed it, without spaces at its ends. */
  readonly text: string
  /** The canonical form sent to the service; `null` if the entry is invalid. A single address has no prefix length. */
  readonly normal: string | null
  /** An `error` prevents creating the key; a `warning` does not. */
  readonly issue: AllowlistIssue | null
}

interface AllowlistIssue {
  readonly level: 'error' | 'warning'
  readonly text: string
  /** A correction that the user can accept with one press: the entry that replaces the typed entry. */
  readonly fix: { readonly label: string; readonly entry: string } | null
}

/** Maximum length of a typed entry. Every valid address or range is shorter. */
const longestEntry = 64

const privateRanges: readonly IpRange[] = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
].map(ipRange)

const error = (text: string, issue: string, fix: AllowlistIssue['fix'] = null): AllowlistEntry => ({
  text,
  normal: null,
  issue: { level: 'error', text: issue, fix },
})

const accepted = (text: string, normal: string, issue: string | null, fix: AllowlistIssue['fix'] = null): AllowlistEntry => ({
  text,
  normal,
  issue: issue === null ? null : { level: 'warning', text: issue, fix },
})

/** Splits pasted text at commas, semicolons and white space. */
export const splitEntries = (pasted: string): string[] => pasted.split(/[\s,;]+/).filter((part) => part !== '')

function notAnAddress(text: string, addressText: string): AllowlistEntry {
  const stray = /[^0-9a-f:./]/i.exec(text)?.[0]
  const bare = text.replace(/[^0-9a-f:./]/gi, '')
  if (stray !== undefined && !/[a-z]/i.test(stray) && readEntry(bare).normal !== null)
    return error(text, keysText.strayCharacter(visibleText(stray)), { label: keysText.takeAddress(bare), entry: bare })
  const isName = /[a-z]/i.test(addressText) && !addressText.includes(':')
  return error(text, isName ? keysText.hostNameRefused : keysText.notAnIpAddress)
}

/**
 * Checks one address or CIDR range, IPv4 or IPv6 (API key, `ip_allowlist`). `normal` has the range's host bits cleared.
 * A range that covers all addresses, or only addresses that the service can never see, is valid but gets a warning.
 */
export function readEntry(typed: string): AllowlistEntry {
  const text = typed.trim()
  const [addressText = '', prefixText, ...rest] = text.split('/')
  const address = parseIpAddress(addressText)
  if (rest.length > 0 || text.length > longestEntry) return error(text, keysText.notAnAddressOrRange)
  if (address === null) return notAnAddress(text, addressText)
  const bits = addressBits(address.family)
  // The service sees an IPv4-mapped IPv6 address as plain IPv4.
  const plain = unmapped({ address, prefix: bits }).address
  const fewest = bits - addressBits(plain.family)
  const single = formatIpAddress(plain)
  if (prefixText !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(prefixText) || Number(prefixText) > bits || Number(prefixText) < fewest)) {
    const issue = fewest === 0 ? keysText.rangeEnding(plain.family, fewest, bits) : keysText.mappedRangeEnding(fewest, bits)
    return error(text, issue, { label: keysText.takeAddress(single), entry: single })
  }
  const range = unmapped({ address, prefix: prefixText === undefined ? bits : Number(prefixText) })
  const { prefix } = range
  const network = networkOf(range.address, prefix)
  const isOne = prefix === addressBits(network.family)
  const normal = isOne ? formatIpAddress(network) : `${formatIpAddress(network)}/${prefix}`
  if (prefix === 0) return accepted(text, normal, keysText.rangeAllowsAny)
  if (privateRanges.some((known) => rangeHolds(known, range))) return accepted(text, normal, keysText.rangePrivate)
  if (isClosedRange(range)) return accepted(text, normal, isOne ? keysText.addressImpossible : keysText.rangeImpossible)
  if (network.value !== range.address.value)
    return accepted(text, normal, keysText.addressInsideRange(normal), { label: keysText.takeOnlyAddress(single), entry: single })
  if (prefix < (network.family === 4 ? 8 : 16)) return accepted(text, normal, keysText.rangeVeryWide)
  return accepted(text, normal, null)
}

/**
 * Checks a whole list. An entry that equals an earlier one gets a warning. `reported` is the address at which the exchange sees this computer: it
 * can be private, for example in practice, and then needs no warning.
 */
export function readAllowlist(typed: readonly string[], reported: string | null = null): AllowlistEntry[] {
  const seen = new Set<string>()
  return typed.map((text) => {
    const entry = readEntry(text)
    if (entry.normal === null) return entry
    if (seen.has(entry.normal)) return accepted(entry.text, entry.normal, keysText.alreadyListed)
    seen.add(entry.normal)
    return entry.normal === reported && entry.issue?.text === keysText.rangePrivate ? accepted(entry.text, entry.normal, null) : entry
  })
}

/** The list sent to the service: canonical, without duplicates. Empty allows any address. */
export const sentAllowlist = (entries: readonly AllowlistEntry[]): string[] => [
  ...new Set(entries.flatMap((entry) => (entry.normal === null ? [] : [entry.normal]))),
]
