import { useRef, useState } from 'react'
import { shortestPassphrase } from '../../../shared/input-limits.ts'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { StoredItem } from '../../../shared/ipc/host/profiles.ts'
import { type CallFailure, failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { cx } from '../../kit/cx.ts'
import { PassphraseField } from '../../kit/input.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { RestoreButton } from '../../parts/restore-sheet.tsx'
import { kitText } from '../../text/en/kit.en.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import { passphraseStrength } from './passphrase-sheet.tsx'
import styles from './settings.module.css'

type Contents = Output<'backup.begin'>

/** Moves an exchange to another computer, and collects facts for support. */
export function BackupPanel() {
  const list = useIpcQuery('profiles.list', {})
  const begin = useIpcCommand('backup.begin')
  const make = useIpcCommand('supportBundle.make')
  const [contents, setContents] = useState<Contents | null>(null)
  const [bundle, setBundle] = useState<string | null>(null)
  const active = list.data?.profiles.find(({ id }) => id === list.data?.activeId)
  const isLive = active?.kind === 'live'
  return (
    <div id="settings-backup">
      <Panel title={settingsText.backupAndSupport} padded end={<HelpButton topic="settings/backup" />}>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.backup}</b>
            <p>{isLive ? settingsText.backupHelp : settingsText.backupNeedsExchange}</p>
          </div>
          <Button icon="download" busy={begin.isPending} disabled={!isLive} onClick={() => begin.mutate({}, { onSuccess: setContents })}>
            {settingsText.backUp}
          </Button>
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.restoreTitle}</b>
            <p>{settingsText.restoreHelp}</p>
          </div>
          <RestoreButton />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.supportBundle}</b>
            <p>{settingsText.supportBundleHelp}</p>
          </div>
          <Button icon="doc" busy={make.isPending} onClick={() => make.mutate({}, { onSuccess: ({ text }) => setBundle(text) })}>
            {settingsText.showSupportBundle}
          </Button>
        </div>
        <Failed of={[begin.error, make.error]} />
      </Panel>
      {contents === null ? null : <BackupSheet contents={contents} onClose={() => setContents(null)} />}
      {bundle === null ? null : <SupportSheet text={bundle} onClose={() => setBundle(null)} />}
    </div>
  )
}

function Failed({ of }: { readonly of: readonly (CallFailure | null)[] }) {
  const error = of.find((one) => one !== null)
  return error == null ? null : <FailureNote failure={failureOf(error)} />
}

const keyOf = ({ kind, id }: StoredItem): string => `${kind}/${id}`

function BackupSheet({ contents, onClose }: { readonly contents: Contents; readonly onClose: () => void }) {
  const save = useIpcCommand('backup.save')
  const toast = useToast()
  const first = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const { strength, words } = passphraseStrength(passphrase)
  const differs = again !== '' && again !== passphrase
  const ready = strength !== 'short' && again === passphrase
  const chosen = contents.items.filter((item) => !left.has(keyOf(item)))
  const of = (kind: StoredItem['kind']) => chosen.filter((item) => item.kind === kind).map(({ id }) => id)
  const submit = () => {
    if (!ready || save.isPending) return
    save.mutate(
      { passphrase, keys: of('key'), webhooks: of('webhook') },
      {
        onSuccess: ({ path, missing }) => {
          if (path === null) return
          const lacks = kitText.listed(missing.map(({ label }) => label))
          toast({
            tone: missing.length === 0 ? 'ok' : 'warn',
            title: settingsText.backupSaved,
            text: missing.length === 0 ? settingsText.backupSavedHelp(path) : settingsText.backupLacks(lacks),
            action: null,
          })
          onClose()
        },
      },
    )
  }
  return (
    <Sheet
      title={settingsText.backUpExchange(contents.name)}
      lead={settingsText.backupLead}
      icon="download"
      className={styles.backupSheet}
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
        <fieldset className={styles.backupItems}>
          <legend>{settingsText.secretsInBackup}</legend>
          {contents.items.length === 0 ? <p className={textStyles.muted}>{settingsText.noSecretsHere}</p> : null}
          {contents.items.map((item) => (
            <Checkbox
              key={keyOf(item)}
              checked={!left.has(keyOf(item))}
              onChange={(checked) => setLeft(checked ? new Set([...left].filter((one) => one !== keyOf(item))) : new Set([...left, keyOf(item)]))}
            >
              <span translate="no">{item.label}</span>
            </Checkbox>
          ))}
        </fieldset>
        <PassphraseField
          id="backup-passphrase"
          ref={first}
          label={settingsText.backupPassphrase}
          value={passphrase}
          onChange={setPassphrase}
          help={
            passphrase === '' ? (
              settingsText.passphraseLength(shortestPassphrase)
            ) : (
              <span className={cx(styles.lockStrength, styles[strength])} role="status">
                {words}
              </span>
            )
          }
        />
        <PassphraseField
          id="backup-again"
          label={settingsText.repeatBackupPassphrase}
          value={again}
          onChange={setAgain}
          error={differs && !passphrase.startsWith(again) ? settingsText.passphrasesDiffer : undefined}
        />
        <Note tone="warn" title={settingsText.backupLimits}>
          {settingsText.backupLimitsHelp}
        </Note>
        <Failed of={[save.error]} />
        <button type="submit" hidden />
      </form>
      <SheetFoot>
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        <Button variant="primary" disabled={!ready} busy={save.isPending} onClick={submit}>
          {settingsText.saveBackup}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** Shows the whole support bundle before anything is saved. */
function SupportSheet({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const save = useIpcCommand('supportBundle.save')
  const toast = useToast()
  const submit = () =>
    save.mutate(
      {},
      {
        onSuccess: ({ path }) => {
          if (path === null) return
          toast({ tone: 'ok', title: settingsText.supportSaved, text: path, action: null })
          onClose()
        },
      },
    )
  return (
    <Sheet title={settingsText.supportBundle} lead={settingsText.supportLead} icon="doc" className={styles.supportSheet} onClose={onClose}>
      <div className={overlayStyles.sheetBody}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, and the keyboard must reach it */}
        <section className={styles.supportText} aria-label={settingsText.supportBundle} tabIndex={0} translate="no">
          <pre>{text}</pre>
        </section>
        <Failed of={[save.error]} />
      </div>
      <SheetFoot>
        <Button variant="ghost" kbd={[settingsText.esc]} onClick={onClose}>
          {settingsText.cancel}
        </Button>
        <Button variant="primary" busy={save.isPending} onClick={submit}>
          {settingsText.saveSupport}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
