import { useEffect, useRef, useState } from 'react'
import type { Output } from '../../shared/ipc/contract.ts'
import type { BackupAbout, StoredItem } from '../../shared/ipc/host/profiles.ts'
import { failureOf } from '../ipc/call-failure.ts'
import { useIpcCommand } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { PassphraseField } from '../kit/input.tsx'
import { Note } from '../kit/layout/note.tsx'
import { Row, Rows } from '../kit/layout/panel.tsx'
import { State } from '../kit/layout/state.tsx'
import overlayStyles from '../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../kit/overlay/sheet.tsx'
import { exactTime } from '../kit/time/time.tsx'
import { settingsText } from '../text/en/settings.en.tsx'
import { FailureNote } from './failure-note.tsx'

type Restored = Output<'backup.restore'>

/** Lets the user choose a backup file, then opens the sheet that restores it. */
export function RestoreButton() {
  const choose = useIpcCommand('backup.choose')
  const [file, setFile] = useState<string | null>(null)
  return (
    <>
      <Button icon="upload" busy={choose.isPending} onClick={() => choose.mutate({}, { onSuccess: (answer) => setFile(answer.file) })}>
        {settingsText.restoreBackup}
      </Button>
      {choose.error === null ? null : <FailureNote failure={failureOf(choose.error)} />}
      {file === null ? null : <RestoreSheet file={file} onClose={() => setFile(null)} />}
    </>
  )
}

/** Asks for the passphrase, shows what the backup contains, restores it, and shows what became of each secret. */
function RestoreSheet({ file, onClose }: { readonly file: string; readonly onClose: () => void }) {
  const open = useIpcCommand('backup.open')
  const restore = useIpcCommand('backup.restore')
  const select = useIpcCommand('profiles.select')
  const { mutate: leave } = useIpcCommand('backup.leave')
  const first = useRef<HTMLInputElement>(null)
  const [passphrase, setPassphrase] = useState('')
  const [refused, setRefused] = useState(false)
  const [about, setAbout] = useState<BackupAbout | null>(null)
  const [restored, setRestored] = useState<Restored | null>(null)
  const items: readonly (StoredItem & Partial<Restored['items'][number]>)[] = restored?.items ?? about?.items ?? []
  const error = [open.error, restore.error, select.error].find((one) => one !== null)
  // The main process forgets the backup's content as soon as the sheet closes.
  useEffect(() => () => leave({}), [leave])
  const submit = () => {
    if (passphrase === '' || open.isPending) return
    open.mutate(
      { passphrase },
      {
        onSuccess: (answer) => {
          setPassphrase('')
          if (answer.outcome === 'opened') setAbout(answer.about)
          else {
            setRefused(true)
            first.current?.focus()
          }
        },
      },
    )
  }
  return (
    <Sheet
      title={restored === null ? settingsText.restoreBackupTitle : settingsText.restored(restored.name)}
      lead={<span translate="no">{file}</span>}
      icon="upload"
      className={overlayStyles.narrow}
      onClose={onClose}
      initialFocus={first}
    >
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {about === null ? (
          <PassphraseField
            id="restore-passphrase"
            ref={first}
            label={settingsText.backupPassphrase}
            value={passphrase}
            error={refused ? settingsText.backupRefused : undefined}
            onChange={(value) => {
              setPassphrase(value)
              setRefused(false)
            }}
          />
        ) : (
          <>
            <Rows ruled>
              <Row name={settingsText.backupExchange}>
                <span translate="no">{about.name}</span>
              </Row>
              <Row name={settingsText.backupHost}>
                <code>{about.hostUrl}</code>
              </Row>
              <Row name={settingsText.backupMade}>{exactTime(about.madeAtMs)}</Row>
              <Row name={settingsText.backupOrders}>{about.intents}</Row>
              {items.map((item) => (
                <Row key={`${item.kind}/${item.id}`} name={<span translate="no">{item.label}</span>}>
                  <Answer kind={item.kind} answer={item.answer ?? null} isStored={restored !== null} />
                </Row>
              ))}
            </Rows>
            {restored === null ? (
              <Note tone="warn" title={settingsText.restoreNote}>
                {about.besides === null ? settingsText.restoreNoteHelp : settingsText.restoreBesides(about.besides)}
              </Note>
            ) : (
              <Note tone="ok" title={settingsText.restoredNote}>
                {settingsText.restoredNoteHelp}
              </Note>
            )}
          </>
        )}
        {error === undefined ? null : <FailureNote failure={failureOf(error)} />}
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {restored === null ? settingsText.cancel : settingsText.close}
        </Button>
        {about === null ? (
          <Button variant="primary" disabled={passphrase === ''} busy={open.isPending} onClick={submit}>
            {settingsText.openBackup}
          </Button>
        ) : restored === null ? (
          <Button variant="primary" busy={restore.isPending} onClick={() => restore.mutate({}, { onSuccess: setRestored })}>
            {settingsText.restoreBackupButton}
          </Button>
        ) : (
          <Button variant="primary" busy={select.isPending} onClick={() => select.mutate({ id: restored.profileId })}>
            {settingsText.openRestored(restored.name)}
          </Button>
        )}
      </SheetFoot>
    </Sheet>
  )
}

const answers = {
  works: { tone: 'ok', icon: 'check', words: settingsText.keyWorks },
  revoked: { tone: 'danger', icon: 'stop', words: settingsText.keyRevoked },
  unknown: { tone: 'off', icon: 'unknown', words: settingsText.keyNotTested },
} as const

function Answer({ kind, answer, isStored }: { readonly kind: StoredItem['kind']; readonly answer: keyof typeof answers | null; readonly isStored: boolean }) {
  if (answer === null) return isStored ? settingsText.secretStored : kind === 'key' ? settingsText.keySecret : settingsText.webhookSecret
  const { tone, icon, words } = answers[answer]
  return (
    <State tone={tone} icon={icon}>
      {words}
    </State>
  )
}
