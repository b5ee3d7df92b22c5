import { useRef, useState } from 'react'
import { shortestPassphrase } from '../../../shared/input-limits.ts'
import type { Attempt } from '../../../shared/ipc/host/lock.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { PassphraseField } from '../../kit/input.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { fineDurationText, useWait } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

export type PassphraseTask = 'set' | 'change' | 'remove'

const texts: Readonly<
  Record<PassphraseTask, { readonly title: string; readonly lead: string; readonly button: string; readonly done: string; readonly after: string }>
> = {
  set: {
    title: settingsText.setPassphrase,
    lead: settingsText.setPassphraseLead,
    button: settingsText.turnOnLock,
    done: settingsText.lockIsOn,
    after: settingsText.lockIsOnHelp,
  },
  change: {
    title: settingsText.changePassphrase,
    lead: settingsText.changePassphraseLead,
    button: settingsText.changePassphrase,
    done: settingsText.passphraseChanged,
    after: settingsText.passphraseChangedHelp,
  },
  remove: {
    title: settingsText.turnOffLock,
    lead: settingsText.turnOffLockLead,
    button: settingsText.turnOffLock,
    done: settingsText.lockIsOff,
    after: settingsText.lockIsOffHelp,
  },
}

export function PassphraseSheet({ task, onClose }: { readonly task: PassphraseTask; readonly onClose: () => void }) {
  const set = useIpcCommand('lock.set')
  const remove = useIpcCommand('lock.remove')
  const toast = useToast()
  const first = useRef<HTMLInputElement>(null)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [wrong, setWrong] = useState(false)
  const { leftMs, wait } = useWait(0)
  const { title, lead, button, done, after } = texts[task]
  const asksCurrent = task !== 'set'
  const asksNext = task !== 'remove'
  const { strength, words } = passphraseStrength(next)
  const differs = again !== '' && again !== next
  const ready = (!asksCurrent || (current !== '' && leftMs === 0)) && (!asksNext || (strength !== 'short' && again === next))
  const busy = set.isPending || remove.isPending
  const error = set.error ?? remove.error

  const onSuccess = (attempt: Attempt) => {
    if (attempt.outcome === 'done') {
      toast({ tone: 'ok', title: done, text: after, action: null })
      onClose()
      return
    }
    setCurrent('')
    setWrong(true)
    wait(attempt.waitMs)
    first.current?.focus()
  }
  const submit = () => {
    if (!ready || busy) return
    if (asksNext) set.mutate({ passphrase: next, current: asksCurrent ? current : null }, { onSuccess })
    else remove.mutate({ current }, { onSuccess })
  }
  return (
    <Sheet title={title} lead={lead} icon="lock" className={styles.lockSheet} onClose={onClose} initialFocus={first}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {asksCurrent ? (
          <PassphraseField
            id="lock-current"
            ref={first}
            label={settingsText.currentPassphrase}
            value={current}
            error={wrong ? settingsText.wrongPassphrase : undefined}
            onChange={(value) => {
              setCurrent(value)
              setWrong(false)
            }}
          />
        ) : null}
        {asksNext ? (
          <>
            <PassphraseField
              id="lock-next"
              {...(asksCurrent ? {} : { ref: first })}
              label={settingsText.newPassphrase}
              value={next}
              onChange={setNext}
              help={
                next === '' ? (
                  settingsText.passphraseLength(shortestPassphrase)
                ) : (
                  <span className={cx(styles.lockStrength, styles[strength])} role="status">
                    {words}
                  </span>
                )
              }
            />
            <PassphraseField
              id="lock-again"
              label={settingsText.repeatPassphrase}
              value={again}
              onChange={setAgain}
              error={differs && !next.startsWith(again) ? settingsText.passphrasesDiffer : undefined}
            />
          </>
        ) : null}
        {error === null ? null : <FailureNote failure={failureOf(error)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        <Button variant="primary" disabled={!ready} busy={busy} onClick={submit}>
          {leftMs > 0 ? settingsText.tryAgainIn(fineDurationText(Math.ceil(leftMs / second) * second)) : button}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

type Strength = 'short' | 'weak' | 'fair' | 'strong'

interface StrengthWords {
  readonly strength: Strength
  /** One sentence about how strong the passphrase is and why. */
  readonly words: string
}

/** Sequences that everyone knows: the alphabet, the digits and the letter rows of common keyboards. */
const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop']
const common = ['passwor', 'passphrase', 'letmein', 'iloveyou', 'welcome', 'svc desk', 'svcdesk']
const run = 4

/**
 * Judges how well a passphrase resists guessing. Counts its characters, but not those of known sequences. A passphrase with few different
 * characters, or with a common word, is weak.
 */
export function passphraseStrength(passphrase: string): StrengthWords {
  const characters = [...passphrase]
  if (characters.length < shortestPassphrase) return { strength: 'short', words: settingsText.passphraseLength(shortestPassphrase) }
  const plain = passphrase.toLowerCase()
  if (new Set(plain).size < 5) return { strength: 'weak', words: settingsText.weakRepeats }
  if (common.some((word) => plain.includes(word))) return { strength: 'weak', words: settingsText.weakCommon }
  const counted = characters.length - inRows(plain)
  if (counted < shortestPassphrase) return { strength: 'weak', words: settingsText.weakRow }
  const words = new Set(plain.split(/[\s\-_.,]+/u).filter((word) => word.length > 2)).size
  if (counted >= 20 || (words >= 4 && counted >= 16) || (counted >= 14 && kinds(passphrase) >= 3)) return { strength: 'strong', words: settingsText.strong }
  if (counted >= 12 || (counted >= 10 && kinds(passphrase) >= 3)) return { strength: 'fair', words: settingsText.fairAddWord }
  return { strength: 'weak', words: settingsText.weakShort }
}

/** Counts the characters that only continue a known sequence, one of the `rows`. */
function inRows(plain: string): number {
  let found = 0
  for (let at = 0; at + run <= plain.length; at += 1) {
    const piece = plain.slice(at, at + run)
    if (rows.some((row) => row.includes(piece) || [...row].reverse().join('').includes(piece))) found += 1
  }
  return found === 0 ? 0 : found + run - 2
}

/** Counts how many kinds of characters occur: lower-case letters, capitals, digits and others. */
const kinds = (text: string): number => [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(text)).length
