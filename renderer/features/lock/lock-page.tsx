import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { LockState } from '../../../shared/ipc/host/lock.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { pageWork } from '../../ipc/page-work.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, Logo } from '../../kit/icons/icon.tsx'
import { PassphraseField } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import textStyles from '../../kit/text.module.css'
import { fineDurationText, useWait } from '../../kit/time/time.tsx'
import { LateFailureNote } from '../../parts/late-failure.tsx'
import partsStyles from '../../parts/parts.module.css'
import { PracticeNote } from '../../parts/practice-note.tsx'
import { appText } from '../../text/en/app.en.tsx'
import styles from './lock.module.css'

/**
 * Everything that the window shows while the app is locked. Contains nothing about an account.
 * At the lock, the main process reloads the page. The old page does not ask for the passphrase; the reloaded page does.
 */
export function LockPage({ state }: { readonly state: LockState }) {
  const page = pageWork(useQueryClient())
  const goes = useStore(page, ({ phase, open }) => phase === 'left' || (phase === 'used' && open === 0))
  return (
    <div className={partsStyles.fullPage}>
      {state.practice ? <PracticeNote /> : null}
      <main className={styles.lockPage}>
        {goes ? (
          <div className={cx(panelStyles.panel, styles.lockCard)}>
            <Heading />
          </div>
        ) : (
          <Unlocking state={state} begin={page.getState().begin} />
        )}
      </main>
    </div>
  )
}

function Heading() {
  return (
    <>
      <Logo />
      <h1 id="lock-title">{appText.locked}</h1>
      <p className={textStyles.secondary}>{appText.lockedLead}</p>
    </>
  )
}

/** The passphrase form. `begin` prevents the main process from reloading the page while the user types. */
function Unlocking({ state, begin }: { readonly state: LockState; readonly begin: () => () => void }) {
  const unlock = useIpcCommand('lock.unlock')
  const finger = useIpcCommand('lock.unlockWithTouchId')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const { leftMs, wait } = useWait(state.waitMs)
  const waits = leftMs > 0
  useEffect(() => field.current?.focus(), [])
  const works = typed !== '' || unlock.isPending || finger.isPending
  useLayoutEffect(() => (works ? begin() : undefined), [begin, works])

  const submit = () => {
    if (typed === '' || waits || unlock.isPending) return
    unlock.mutate(
      { passphrase: typed },
      {
        onSuccess: (attempt) => {
          if (attempt.outcome === 'done') return
          setTyped('')
          setWrong(true)
          wait(attempt.waitMs)
          field.current?.focus()
        },
      },
    )
  }
  const error = wrong ? appText.wrongPassphrase : waits ? appText.tooManyAttempts : undefined
  return (
    <form
      className={cx(panelStyles.panel, styles.lockCard)}
      aria-labelledby="lock-title"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Heading />
      {state.damaged ? (
        <Note tone="danger" title={appText.lockFileDamaged}>
          {appText.lockFileDamagedHelp}
        </Note>
      ) : (
        <>
          <PassphraseField
            id="lock-passphrase"
            ref={field}
            label={appText.passphrase}
            large
            value={typed}
            error={error}
            onChange={(next) => {
              setTyped(next)
              setWrong(false)
            }}
          />
          {unlock.error === null ? null : <LateFailureNote failure={failureOf(unlock.error)} />}
          <Button type="submit" variant="primary" size="lg" block disabled={typed === '' || waits} busy={unlock.isPending}>
            {waits ? appText.unlockIn(fineDurationText(Math.ceil(leftMs / second) * second)) : appText.unlock}
          </Button>
          {state.touchId ? (
            <Button size="lg" block busy={finger.isPending} onClick={() => finger.mutate({})}>
              {appText.useTouchId}
            </Button>
          ) : null}
          {finger.data?.outcome === 'refused' || finger.error !== null ? (
            <p className={textStyles.secondary} role="alert">
              {appText.touchIdRefused}
            </p>
          ) : null}
        </>
      )}
      {state.waiting === 0 ? null : (
        <p className={styles.lockWaiting} role="status">
          <Icon name="info" size={14} />
          {appText.noticesWaiting(state.waiting)}
        </p>
      )}
      <Forgotten open={state.damaged} />
    </form>
  )
}

function Forgotten({ open: first }: { readonly open: boolean }) {
  const id = useId()
  const [open, setOpen] = useState(first)
  return (
    <div className={styles.lockForgotten}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
        {appText.forgotPassphrase}
      </button>
      <p id={id} hidden={!open}>
        {appText.removeLockSteps(<code>lock.json</code>)}
      </p>
    </div>
  )
}
